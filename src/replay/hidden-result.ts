import type { LimitName, Metric } from '../model/limits.js';

/** What a recording that ended some runs early may hide, of one set of runs. */
export interface HiddenFigures {
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  /** Runs that a budget stopped while recording, or that were never closed, and that are no successes. */
  readonly censored: { readonly runs: number; readonly stopped_budget: number; readonly running: number };
  /** Successes that used 80 % or more of a cap that they were recorded under: in all, and by cap. */
  readonly near_cap: { readonly runs: number; readonly by: { readonly [limit in LimitName]?: number } };
  /** The largest cap of each kind that any run was recorded under, in its own unit. */
  readonly recorded_under: { readonly [limit in LimitName]?: number };
  /** `null`: no success gives the figure. */
  readonly percentiles: { readonly [metric in Metric]: readonly HiddenPercentile[] | null };
  readonly caps: { readonly [metric in Metric]: HiddenCap | null };
  readonly incidence: HiddenIncidence;
}

/** A percentile of the successes with the censored runs in mind, in the metric's own unit. */
export interface HiddenPercentile {
  /** `p99`. */
  readonly name: string;
  /** Of the successes that were recorded. */
  readonly recorded: number;
  /** If none of the censored runs would have passed: what was recorded. */
  readonly best: number;
  /** If all of them would have, each larger than any recorded size; `null`: not identified. */
  readonly worst: number | null;
  /** Why there is no worst case. */
  readonly not_identified: string | null;
}

/** How many of the censored runs may be good ones before a derived cap cuts more than accepted. */
export interface HiddenCap {
  readonly cap: number;
  /** Successes above the cap, of `n`. */
  readonly above: number;
  readonly n: number;
  /** Share of successes above the cap if none, and if all, of the censored would have passed, beyond the cap. */
  readonly share: readonly [none: number, all: number];
  /** The largest number of them that leaves that share within the accepted rate; `null`: it is above already. */
  readonly holds_up_to: number | null;
}

/** The share of runs that had succeeded by a number of passes, failures competing (Aalen-Johansen). */
export interface HiddenIncidence {
  /** Runs that it is taken over, by how they left. */
  readonly successes: number;
  readonly failures: number;
  readonly censored: number;
  /** Runs without a pass, without a known number of them, or passed where only finished successes count. */
  readonly left_out: number;
  readonly points: readonly IncidencePoint[];
  /** The last pass in which a run succeeded, and how many runs went on beyond it; `null`: none succeeded. */
  readonly last_success: { readonly passes: number; readonly went_on: number } | null;
}

export interface IncidencePoint {
  readonly passes: number;
  /** Why this number of passes is shown. */
  readonly where: readonly string[];
  /** Runs that made this many passes. */
  readonly at_risk: number;
  /** `null`: not identified. */
  readonly incidence: number | null;
  readonly ci95: readonly [number, number] | null;
  /** Why there is no interval, or no figure at all. */
  readonly not_identified: string | null;
}

/** What the recording hid, as `derive --json` and `calibrate --json` hold it under `hidden`. */
export interface HiddenReport extends HiddenFigures {
  readonly groups: readonly (HiddenFigures & { readonly labels: { readonly [label: string]: string | null } })[];
}
