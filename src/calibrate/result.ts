import type { Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { GroupTest } from './group-result.js';

export const METHODS = ['nearest-rank', 'linear'] as const;
export type Method = (typeof METHODS)[number];

/** The percentiles that are always shown. */
export const SHOWN_PERCENTILES = ['p50', 'p90', 'p95', 'p99', 'p99.9'] as const;

/** Percentiles of one metric over the population, in the metric's own unit. */
export interface Quantiles {
  /** `p50` … `p99.9` and the p in force. */
  readonly [percentile: `p${string}`]: number;
  readonly max: number;
  /** Runs for which the figure is known. */
  readonly n: number;
  readonly method: Method;
  /** Two-sided 95 % interval by order statistics for each percentile; `null` at an end that does not exist. */
  readonly ci95: { readonly [percentile: string]: readonly [number | null, number | null] };
  /** One-sided 95 % upper limit for each percentile; `null` where n is too small for one. */
  readonly upper95: { readonly [percentile: string]: number | null };
  /** For each percentile with a `null` above, why. */
  readonly no_interval: { readonly [percentile: string]: string };
}

/** A cap and where it came from, in the metric's own unit. */
export interface CapReport {
  readonly cap: number;
  /** The percentile's value. */
  readonly quantile: number;
  readonly p: number;
  /** Rank of the value in ascending order, from 1; `null` for an interpolated one. */
  readonly rank: number | null;
  readonly n: number;
  readonly method: Method;
  readonly padding: number;
  /** quantile x padding, exact. */
  readonly padded: number;
  readonly unit: number;
  /** Successes whose figure lies above the cap. */
  readonly above: number;
  /** One-sided exact 95 % upper limit of the share of such runs, as far as n runs can tell. */
  readonly above_upper95: number;
  /**
   * Only where the cap was not taken at the percentile in force, so that all caps together stay within the accepted
   * rate: at the lowest percentile that does it for all, or as one of the caps that spend least.
   */
  readonly joint?: 'common' | 'cheapest';
}

/** Percentiles and caps of one set of runs, as `derive --json` prints it. */
export interface DeriveReport {
  readonly schema: 'capfit/derive@1';
  /** "verified", or "claimed, not verified" where the population was widened. */
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  readonly passed_unfinished: number;
  /** The accepted false-stop rate, 1 - p. */
  readonly accepted_rate: number;
  readonly quantiles: { readonly [metric in Metric]: Quantiles | null };
  readonly caps: { readonly [metric in Metric]: CapReport | null };
  readonly groups: readonly DeriveGroup[];
  /** Only where groups were asked for. */
  readonly group_test?: GroupTest;
  readonly warnings: readonly Warning[];
}

export type DeriveGroup = Omit<DeriveReport, 'groups' | 'group_test' | 'schema'> & {
  readonly labels: { readonly [label: string]: string | null };
};
