import type { Sealed } from '../model/chunk.js';
import type { Counters } from '../model/limits.js';
import type { Columns } from '../model/table.js';
import type { Rule } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { NOWHERE, placeInside } from './columns-place.js';
import { scanRule } from './columns-rules.js';
import { firstAtLeast } from './first-at-least.js';

/* What a sweep asks of runs, as arrays of one number a run. */

/** What is noted of a run, one bit each. */
export const IS_GOOD = 1;
/** Recorded as stopped: its last boundary is looked at too, since a stop that stands there is no open future. */
export const IS_STOPPED = 2;
/** Passes, or parts of them, are known from the run's totals only: its figures may be bounds. */
export const IS_LOOSE = 4;

/** A run of which something is known from its totals only. */
export interface LooseRun {
  readonly run: number;
  readonly isGood: boolean;
  readonly isStopped: boolean;
  readonly hasAllPasses: boolean;
  /** Passes made; `null`: not known. */
  readonly made: number | null;
  /** Figures of the whole run in atoms. */
  readonly whole: Counters;
}

/** The last boundary of a run whose counters matter. */
export function lastAsked(passes: number, mark: number): number {
  return (mark & IS_STOPPED) === 0 ? passes - 1 : passes;
}

/** The most that each run's counter stands at where it is asked, `null` where nothing is known. */
export function mostIn(column: Sealed | null, first: Uint32Array, marks: Uint8Array): Sealed['values'] | null {
  if (column === null) return null;
  const { values, unknown } = column;
  const most = values instanceof Uint32Array ? new Uint32Array(marks.length) : new Float64Array(marks.length);
  for (let run = 0; run < marks.length; run++) {
    const from = first[run] as number;
    const asked = lastAsked((first[run + 1] as number) - from, marks[run] as number);
    if (asked < 1) continue;
    let last = from + asked - 1;
    if (values[last] === unknown) last = firstAtLeast(values, from, last, unknown) - 1;
    most[run] = last < from ? 0 : (values[last] as number);
  }
  return most;
}

/** What each run used in all, `unknown` where that is not known. */
export function wholeIn(column: Sealed | null, first: Uint32Array): Sealed | null {
  if (column === null) return null;
  const { values, unknown } = column;
  const runs = first.length - 1;
  const whole = values instanceof Uint32Array ? new Uint32Array(runs) : new Float64Array(runs);
  for (let run = 0; run < runs; run++) {
    const end = first[run + 1] as number;
    if (end > (first[run] as number)) whole[run] = values[end - 1] as number;
  }
  return { values: whole, unknown };
}

/** What one look skips: the totals of a cache line. */
const STRIDE = 16;

/** An index in [from, to) before which all values are below a cap, found with one look a cache line: runs are short. */
export function skipBelow(values: Sealed['values'], from: number, to: number, cap: number): number {
  let at = from;
  while (at + STRIDE < to && !isReached(values[at + STRIDE - 1] as number, cap)) at += STRIDE;
  return at;
}

/** Where a rule's count is reached in each run; the boundary behind the last pass included. */
export function placesIn(columns: Columns, first: Uint32Array, rule: Rule): Float64Array {
  const markOf = scanRule(columns, rule);
  const places = new Float64Array(columns.runs);
  for (let run = 0; run < columns.runs; run++) {
    const from = first[run] as number;
    const { pass, call } = markOf({ run, first: from, passes: (first[run + 1] as number) - from });
    if (pass === 0) places[run] = NOWHERE;
    else places[run] = rule.when === 'before_dispatch' ? placeInside(pass, call) : 2 * pass;
  }
  return places;
}

/** What is counted of the runs that are not loose. */
export interface ExactRuns {
  readonly runs: number;
  /** In the population. */
  readonly good: number;
  /** Recorded as stopped, and those of them outside the population. */
  readonly stopped: number;
  readonly stoppedBad: number;
}

export function exactIn(marks: Uint8Array): ExactRuns {
  const counts = { runs: 0, good: 0, stopped: 0, stoppedBad: 0 };
  for (const mark of marks) {
    if ((mark & IS_LOOSE) !== 0) continue;
    counts.runs++;
    if ((mark & IS_GOOD) !== 0) counts.good++;
    if ((mark & IS_STOPPED) !== 0) counts.stopped++;
    if ((mark & (IS_STOPPED | IS_GOOD)) === IS_STOPPED) counts.stoppedBad++;
  }
  return counts;
}
