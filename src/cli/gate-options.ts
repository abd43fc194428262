import { toNumber } from '../model/decimal.js';
import { CHECK_DEFAULTS, type CheckBounds, CONFIDENCES, type Most } from '../replay/check-bounds.js';
import { DRIFT_DEFAULTS } from '../replay/drift.js';
import { usageError } from './errors.js';
import type { Io } from './io.js';
import { decimalIn, wholeOption } from './numbers.js';
import type { RawOptions } from './options.js';

/** What the user typed of the flags that only check, drift and metrics have. */
export interface GateOptions extends RawOptions {
  readonly against?: string;
  readonly maxFalseStops?: string;
  readonly confidence?: string;
  readonly maxStopped?: string;
  readonly maxUnverifiedSpend?: string;
  readonly maxOverCap?: string;
  readonly maxHalts?: string;
  readonly maxLost?: string;
  readonly maxAge?: string;
  readonly alarmRate?: string;
  readonly today?: string;
  readonly failOnDrift?: boolean;
  readonly splitAt?: string;
  readonly splitHalf?: boolean;
  readonly label?: readonly string[];
  readonly maxSeries?: string;
}

/** The bounds of `check` as typed; what is not typed keeps its default. */
export function checkBounds(raw: GateOptions, io: Io): CheckBounds {
  const share = (flag: string, text: string | undefined): number | null =>
    text === undefined || text === 'off' ? null : shareOption(flag, text);
  return {
    ...CHECK_DEFAULTS,
    claimed: raw.claimed === true,
    finishedOnly: raw.finishedOnly === true,
    maxFalseStops:
      raw.maxFalseStops === undefined ? CHECK_DEFAULTS.maxFalseStops : share('--max-false-stops', raw.maxFalseStops),
    confidence: CONFIDENCES.find((word) => word === raw.confidence) ?? CHECK_DEFAULTS.confidence,
    maxStopped: share('--max-stopped', raw.maxStopped),
    maxUnverifiedSpend: share('--max-unverified-spend', raw.maxUnverifiedSpend),
    maxOverCap: mostOption('--max-over-cap', raw.maxOverCap),
    maxHalts: mostOption('--max-halts', raw.maxHalts),
    maxLost: mostOption('--max-lost', raw.maxLost),
    alarmRate: alarmRateOption(raw.alarmRate),
    maxAgeDays: daysOption(raw.maxAge),
    now: momentOption(raw.today, io),
  };
}

/** A share from 0 to 1, as `0.2` or `20%`. */
export function shareOption(flag: string, text: string): number {
  const isPercent = text.endsWith('%');
  const value = decimalIn(text.replace(/%$/, ''));
  const share = value === null ? null : toNumber(isPercent ? { num: value.num, den: value.den * 100n } : value);
  if (share !== null && share >= 0 && share <= 1) return share;
  throw usageError(`${flag} ${text}: not a share from 0 to 1`, `for instance ${flag} 5%`);
}

/** The chance of a false alarm; `null` where drift is not to be looked for. */
export function alarmRateOption(text: string | undefined): number | null {
  if (text === undefined) return DRIFT_DEFAULTS.alarmRate;
  if (text === 'off') return null;
  const rate = shareOption('--alarm-rate', text);
  if (rate > 0 && rate < 1) return rate;
  throw usageError(`--alarm-rate ${text}: not between 0 and 1`, 'for instance --alarm-rate 5%');
}

function mostOption(flag: string, text: string | undefined): Most | null {
  if (text === undefined) return { count: 0 };
  if (text === 'off') return null;
  return text.endsWith('%') ? { share: shareOption(flag, text) } : { count: wholeOption(flag, text, 0) };
}

/** A hundred years: beyond, a slip of the finger. */
const MOST_DAYS = 36_525;

function daysOption(text: string | undefined): number | null {
  if (text === undefined || text === 'off') return null;
  return wholeOption('--max-age', text.replace(/d$/, ''), 0, MOST_DAYS);
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A day stands for its beginning, in UTC: a record of the same day is not called overdue for it. */
export function momentOption(text: string | undefined, io: Io): string {
  return text === undefined ? io.today() : momentIn('--today', text);
}

/** A day or a moment in ISO 8601, as typed. */
export function momentIn(flag: string, text: string): string {
  const day = new Date(text.slice(0, 10));
  const isMoment = MOMENT.test(text) && !Number.isNaN(Date.parse(text));
  // A 31st of February is read as a day of March.
  if (isMoment && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))) return text;
  throw usageError(`${flag} ${text}: neither a day nor a moment`, `for instance ${flag} 2026-03-08`);
}
