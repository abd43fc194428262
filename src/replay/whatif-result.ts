import type { Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { Status } from '../model/status.js';
import type { Bounds, ReplayReport } from './result.js';

/** What one cap or rule does among the others of its policy. */
export interface LimitCuts {
  /** The limit's name, or the rule's. */
  readonly limit: string;
  readonly is_rule: boolean;
  /** The ceiling in the limit's own unit, or the rule's count. */
  readonly cap: number;
  /** Runs that it is the first to stop: those that the replay counts under its name. */
  readonly first: number;
  readonly first_verified: number;
  /** Runs that no other cap or rule of the policy would stop. */
  readonly only: number;
  readonly only_verified: number;
  /** Runs that it would stop if it were the only one, and that another would stop as well, sooner or later. */
  readonly shared: number;
  readonly shared_verified: number;
  /** Runs that it could not judge: what it would do to them is unknown. */
  readonly not_judged: number;
}

/** A policy and what it would have done. */
export interface WhatIfPolicy {
  readonly name: string;
  /** As `replay --json` prints it. */
  readonly replay: ReplayReport;
  /** In the order asked. */
  readonly limits: readonly LimitCuts[];
}

/** A run that one of two policies stops and the other does not. */
export interface Mover {
  readonly id: string;
  readonly verified: boolean;
  /** How it ended when it was recorded. */
  readonly recorded: Status;
  /** What stops it, under the policy that does. */
  readonly reason: string;
  readonly after_passes: number;
}

/** Runs that change sides: the verified ones first, each part as recorded. */
export interface Movers {
  readonly count: number;
  readonly verified: number;
  readonly runs: readonly Mover[];
}

/** Whether a candidate stops each run no later than today's policy (stricter), no sooner (looser), or neither. */
export type Relation = 'same' | 'stricter' | 'looser' | 'mixed';

/** Candidate minus today, in the metric's own unit. */
export interface SpendDifference {
  readonly replayed: number;
  /** As a share of today's spend; `null` where that is nothing. */
  readonly relative: number | null;
  /** Difference of the two reductions of the recorded spend; `null` where nothing was recorded. */
  readonly reduction: number | null;
  /** Lowest and highest difference that the recording allows, run by run; `null`: `replayed` is exact. */
  readonly bounds: Bounds | null;
}

/** Candidate minus today. */
export interface Difference {
  readonly verified_finished: {
    readonly count: number;
    /** Fewest and most that the recording allows, run by run; `null`: `count` is exact. */
    readonly bounds: readonly [number, number] | null;
  };
  readonly false_stops: {
    readonly count: number;
    /** `null` where no run is verified. */
    readonly rate: number | null;
    /** The same, among the runs recorded as verified. */
    readonly bounds: readonly [number, number] | null;
  };
  /** Stops that the policy makes. */
  readonly stops: number;
  readonly by_status: Readonly<Record<Status, number>>;
  /** By every limit and rule that either policy has. */
  readonly by_reason: { readonly [reason: string]: number };
  readonly spend: { readonly [metric in Metric]: SpendDifference | null };
  readonly max_bill: { readonly [metric in Metric]: number | null };
  readonly censored: number;
}

/** How far chance in which runs were recorded moves the difference in spend. */
export interface SpendInterval {
  readonly metric: Metric;
  /** Percentile bootstrap, 95 %, of the total spend of the candidate over that of today, less 1. */
  readonly relative_ci95: readonly [number, number] | null;
  /** The same of the difference itself, for as many runs as were recorded. */
  readonly change_ci95: readonly [number, number] | null;
  /** Runs whose spend differs. */
  readonly changed_runs: number;
  /** Why there is no interval. */
  readonly no_interval: string | null;
}

/** Good runs lost against good runs regained. */
export interface FalseStopTest {
  readonly lost: number;
  readonly regained: number;
  /** Fewest and most that the recording allows, run by run; `null`: the counts are exact. */
  readonly lost_bounds: readonly [number, number] | null;
  readonly regained_bounds: readonly [number, number] | null;
  /** Of the runs that change sides for sure: exact two-sided sign test (McNemar); `null` where no good run changes sides. */
  readonly p_value: number | null;
  /**
   * Exact 95 % interval of the share of good runs that are lost, and regained: from the low end of the fewest to the high
   * end of the most; `null` without any good run.
   */
  readonly lost_ci95: readonly [number, number] | null;
  readonly regained_ci95: readonly [number, number] | null;
  readonly words: string;
}

/** A policy beside today's. */
export interface Candidate extends WhatIfPolicy {
  /** The answer in one sentence. */
  readonly verdict: string;
  readonly relation: Relation;
  readonly difference: Difference;
  /** Not stopped today, and stopped by the candidate. */
  readonly newly_stopped: Movers;
  /** Stopped today, and not by the candidate. */
  readonly released: Movers;
  /** Stopped by both, and after fewer or more passes by the candidate. */
  readonly stopped_earlier: number;
  readonly stopped_later: number;
  readonly false_stop_test: FalseStopTest;
  readonly spend_interval: SpendInterval;
}

/** What was drawn for the intervals. */
export interface Resampling {
  readonly seed: number;
  readonly resamples: number;
  /** The label whose values were drawn whole; `null`: runs one by one. */
  readonly clustered_by: string | null;
  /** How many clusters were drawn from; a run without the label is one of its own. */
  readonly clusters: number;
  /** Runs whose spend is known. */
  readonly known_runs: number;
}

/** Today's policy beside others, as `whatif --json` prints it. */
export interface WhatIfReport {
  readonly schema: 'capfit/whatif@1';
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  /** The metric that verdicts and intervals of spend are about. */
  readonly weighed: Metric;
  readonly resampling: Resampling;
  readonly today: WhatIfPolicy;
  readonly candidates: readonly Candidate[];
  /** Why figures are ranges, in words, each reason once for all policies. */
  readonly left_open: readonly string[];
  readonly warnings: readonly Warning[];
}
