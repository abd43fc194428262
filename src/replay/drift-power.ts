import { normalUpperTail } from '../stats/normal.js';
import { exceedanceTails, sharedShareTails } from '../stats/tails.js';
import type { DriftTest } from './drift-result.js';

/** From which seen figure on a test alarms, downwards and upwards; `null`: not even at the end. */
export type Alarms = NonNullable<DriftTest['alarms']>;

/** Of a test that could not be made. */
export const NEVER = (): Alarms => ({ down: null, up: null });

/** Superiority from which the rank test alarms; with ties it does so somewhat earlier. */
export function rankAlarms(level: number, old: number, fresh: number): Alarms {
  const pairs = old * fresh;
  const spread = normalQuantile(level / 2) * Math.sqrt((pairs / 12) * (old + fresh + 1));
  const shift = (spread + 0.5) / pairs;
  return shift > 0.5 ? NEVER() : { down: 0.5 - shift, up: 0.5 + shift };
}

/** How many of `fresh` new ones must lie above the value of these ranks among `old` ones. */
export function tailAlarms(level: number, fresh: number, old: number, [low, high]: readonly [number, number]): Alarms {
  return {
    down: last(0, fresh, (above) => 2 * exceedanceTails(above, fresh, old, high).atMost <= level),
    up: first(0, fresh, (above) => 2 * exceedanceTails(above, fresh, old, low).atLeast <= level),
  };
}

/** Share of `fresh` new runs that must be verified. */
export function shareAlarms(level: number, fresh: number, oldVerified: number, old: number): Alarms {
  const expected = (fresh * oldVerified) / old;
  const down = last(0, Math.floor(expected), (x) => 2 * sharedShareTails(x, fresh, oldVerified, old).atMost <= level);
  const up = first(
    Math.ceil(expected),
    fresh,
    (x) => 2 * sharedShareTails(x, fresh, oldVerified, old).atLeast <= level,
  );
  return { down: down === null ? null : down / fresh, up: up === null ? null : up / fresh };
}

/** The smallest whole number from which on a condition holds; `null`: for none. */
function first(low: number, high: number, holds: (value: number) => boolean): number | null {
  if (!holds(high)) return null;
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The largest whole number up to which a condition holds; `null`: for none. */
function last(low: number, high: number, holds: (value: number) => boolean): number | null {
  const found = first(-high, -low, (value) => holds(-value));
  return found === null ? null : Math.abs(found);
}

/** The value that a normal variable exceeds with this chance, by bisection: some ten digits. */
function normalQuantile(chance: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalUpperTail(middle) > chance) low = middle;
    else high = middle;
  }
  return high;
}
