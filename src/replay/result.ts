import type { Json } from '../model/json.js';
import type { LimitName, Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { Status } from '../model/status.js';

/** Lowest and highest value a figure can have; `null` at an end that is open. */
export type Bounds = readonly [low: number | null, high: number | null];

/** Spend over the runs for which the figure is known, in the metric's own unit. */
export interface Spend {
  readonly recorded: number;
  readonly replayed: number;
  /** 1 - replayed / recorded; `null` where nothing was spent. */
  readonly reduction: number | null;
  readonly known_runs: number;
}

/** One verified success that the policy would have stopped before it finished. */
export interface FalseStop {
  readonly id: string;
  readonly reason: string;
  readonly after_passes: number;
}

export interface FalseStops {
  readonly count: number;
  /** Share of the verified successes; `null` without any. */
  readonly rate: number | null;
  /** Exact (Clopper-Pearson) two-sided 95 % interval of the rate. */
  readonly ci95: readonly [number, number] | null;
  readonly runs: readonly FalseStop[];
}

/** The stops that the replay makes for one reason. */
export interface ReasonTally {
  readonly count: number;
  /** Midpoint of the two middle ones for an even count, `null` for none. */
  readonly median_pass: number | null;
  /** Stops by label name and value, for the labels the replay was grouped by. */
  readonly by_label: { readonly [label: string]: { readonly [value: string]: number } };
}

/**
 * What is not exact, as ranges: runs known only in total, runs that a cap could not judge, and recorded stops whose future
 * is unknown. A rule that lacks what it looks at is left out, here as in the figures.
 */
export interface ReplayBounds {
  /** Why the figures are ranges, in words. */
  readonly because: readonly string[];
  readonly false_stops: Bounds;
  readonly false_stop_rate: Bounds;
  /** From the low end of the exact 95 % interval of the lowest rate to the high end of that of the highest. */
  readonly ci95: readonly [number, number] | null;
  readonly verified_finished: Bounds;
  readonly spend: { readonly [metric in Metric]?: { readonly replayed: Bounds; readonly reduction: Bounds } };
  /** `null`: every cap could judge every run. */
  readonly unjudged: Unjudged | null;
  /** None of the censored runs would have succeeded, and all would. */
  readonly censored: { readonly none_succeed: CensoredCase; readonly all_succeed: CensoredCase } | null;
}

/** Runs that some cap could not judge: whether it would have stopped them is unknown. */
export interface Unjudged {
  /** Not stopped, or perhaps earlier than counted. */
  readonly runs: number;
  /** Verified successes that are not stopped for sure, beyond those that are known in total and may have been. */
  readonly verified: number;
}

export interface CensoredCase {
  readonly verified: number;
  readonly verified_finished: number;
  readonly false_stop_rate: number | null;
}

/** What a policy would have done over recorded runs, as `replay --json` prints it. */
export interface ReplayReport {
  readonly schema: 'capfit/replay@1';
  readonly policy: { readonly [key: string]: Json };
  /** "verified", or "claimed, not verified" where the population was widened. */
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  readonly verified_finished: number;
  /** Verified successes that were recorded as stopped, halted or running. */
  readonly passed_unfinished: number;
  readonly false_stops: FalseStops;
  readonly by_status: Readonly<Record<Status, number>>;
  readonly by_reason: { readonly [reason: string]: ReasonTally };
  /** Recorded stops that stand, by their recorded reason. */
  readonly recorded_by_reason: { readonly [reason: string]: number };
  readonly by_claim: { readonly completed: number; readonly blocked: number; readonly impossible: number };
  readonly spend: { readonly [metric in Metric]: Spend | null };
  /** Share of the recorded tokens that went to runs that were not verified; `null` where no tokens are known. */
  readonly unverified_spend_share: number | null;
  /** The largest counter at any ending, in the metric's own unit. */
  readonly max_bill: { readonly [metric in Metric]: number | null };
  /** How far the counter stood above the cap at the stops it made: the pass that crosses is billed in full. */
  readonly overshoot: {
    readonly [metric in Exclude<Metric, 'passes'>]?: { readonly max: number | null; readonly median: number | null };
  };
  readonly censored: number;
  readonly bounds: ReplayBounds | null;
  readonly approximate: boolean;
  /** For each limit and rule of the policy, how many runs it could not judge. */
  readonly not_judged: { readonly [limit in LimitName | string]: number };
  /** Limits and rules that could judge no run at all. */
  readonly blind: readonly string[];
  /** The longest streak of identical calls in a row (tool, arguments, result), nothing exempt. */
  readonly longest_streak: { readonly verified: number | null; readonly all: number | null };
  readonly groups: readonly GroupReport[];
  readonly warnings: readonly Warning[];
}

export type GroupReport = Omit<ReplayReport, 'groups' | 'policy' | 'schema'> & {
  readonly labels: { readonly [label: string]: string | null };
};
