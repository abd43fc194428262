import type { CapReport } from '../calibrate/result.js';
import type { Metric } from '../model/limits.js';
import type { Spend } from './result.js';

/**
 * Which caps are taken where all together are held to the accepted rate: those at the lowest percentile that does it,
 * or whichever cost least.
 */
export type JointAim = 'common' | 'cheapest';

export interface JointOptions {
  readonly aim: JointAim;
  /** What spend is weighed in; `null`: tokens where they are known, else dollars, else time, else passes. */
  readonly spend: Metric | null;
}

/** Successes that at least one of several caps would stop. */
export interface JointRate {
  readonly count: number;
  /** Share of the successes. */
  readonly rate: number;
  /** Exact (Clopper-Pearson) two-sided 95 % interval of the rate; from end to end where the count is not exact. */
  readonly ci95: readonly [number, number];
  /** The most it can be where some runs are known only in total; `null`: the count is exact. */
  readonly at_most: number | null;
  /** The same as a share of the successes. */
  readonly rate_at_most: number | null;
}

/** Several caps and what they do together. */
export interface CapSet {
  /** The percentile that they share; `null`: each has its own. */
  readonly p: number | null;
  readonly caps: { readonly [metric in Metric]: CapReport | null };
  /** What each cap would stop if it were the only one; `null`: no such cap. */
  readonly alone: { readonly [metric in Metric]: { readonly count: number; readonly rate: number } | null };
  readonly joint: JointRate;
  /** Spend of all runs under the caps alone, without any rule; `null` where no run tells. */
  readonly spend: { readonly [metric in Metric]: Spend | null };
}

/** Caps that are held to the accepted rate together, as `derive --joint` and `calibrate --joint` print it. */
export interface JointReport {
  readonly accepted_rate: number;
  /** What spend is weighed in. */
  readonly weighed: Metric;
  /** The caps at the percentile in force; `null` where there are none. */
  readonly each_alone: CapSet | null;
  /** The caps at the lowest percentile at which they are together within the rate; `null` where no percentile is. */
  readonly common: CapSet | null;
  /** The caps that spend least within the rate; `null` where they were not asked for, or none are within it. */
  readonly optimized: CapSet | null;
  /** How many combinations of caps the cheapest were chosen from. */
  readonly combinations: number | null;
  /** Which of the sets the `caps` of the report are. */
  readonly taken: 'each_alone' | 'common' | 'optimized' | null;
  readonly verdict: string;
  /** What a reader must know beside the figures. */
  readonly notes: readonly string[];
}
