import { ATOMS_PER_UNIT, type LimitName } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import type { Saying, Unsaid } from './exporter.js';

/** Longest delay that a timer of Node holds; a longer one fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A number that no run reaches, where a framework has a default cap and no word for "off". */
export const NEVER_REACHED = 1_000_000_000;

/** A cap on seconds that a timeout around the whole run holds. */
export const HARD_CUT: Saying = {
  differs: 'a hard cut in the middle of a call (TimeoutError), not before the next one',
};

/** Atoms as a decimal without an exponent, exact in every language. */
export function decimal(limit: LimitName, atoms: number): string {
  const digits = String(ATOMS_PER_UNIT[limit]).length - 1;
  if (digits === 0) return String(atoms);
  const padded = String(atoms).padStart(digits + 1, '0');
  const fraction = padded.slice(-digits).replace(/0+$/, '');
  return fraction === '' ? padded.slice(0, -digits) : `${padded.slice(0, -digits)}.${fraction}`;
}

/** Microseconds as whole milliseconds, seconds or minutes, rounded up: a limit never bites earlier than asked. */
export function wholeMillis(micros: number): number {
  return Math.ceil(micros / 1000);
}

export function wholeSeconds(micros: number): number {
  return Math.ceil(micros / 1_000_000);
}

/** Says that whole seconds are more than what was asked, where they are. */
export function roundedUp(what: string, micros: number | null | undefined): string[] {
  if (micros == null || micros % 1_000_000 === 0) return [];
  return [`${what} ${decimal('seconds', micros)} s is written as ${wholeSeconds(micros)}: whole seconds, rounded up`];
}

/** An amount of time as the delay of a timer, or `null` where there is none or no timer holds it. */
export function timerMillis(micros: number | null | undefined): number | null {
  return micros == null || wholeMillis(micros) > LONGEST_TIMER ? null : wholeMillis(micros);
}

/** Why an amount of time that was asked for is left out: no timer holds it. */
export function timerLoss(micros: number | null | undefined): string | undefined {
  if (micros == null || timerMillis(micros) !== null) return undefined;
  return 'longer than a timer of Node holds (24.8 days), so it is left out';
}

/** The cap on seconds where a timer keeps it. */
export function unsaidSeconds({ caps }: Policy): Unsaid {
  const seconds = timerLoss(caps.seconds);
  return seconds === undefined ? {} : { seconds };
}

/** A product that stays an exact integer. */
export function times(factor: number, count: number, plus = 0): number {
  return Math.min(factor * count + plus, Number.MAX_SAFE_INTEGER);
}
