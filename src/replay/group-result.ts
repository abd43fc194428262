import type { SmallGroup } from '../calibrate/group-result.js';
import type { GroupLabels } from '../calibrate/groups.js';
import type { Metric } from '../model/limits.js';
import type { FalseStops, Spend } from './result.js';

/** What some caps would have done to the runs of one group. */
export interface GroupOutcome {
  /** In the metric's own unit; `null`: no such cap. */
  readonly caps: { readonly [metric in Metric]: number | null };
  readonly false_stops: Omit<FalseStops, 'runs'> & {
    /** The most they can be where some runs are known only in total; `null`: the count is exact. */
    readonly at_most: number | null;
  };
  readonly spend: { readonly [metric in Metric]: Spend | null };
}

/** One group under the caps of all runs together, and under its own. */
export interface GroupCost {
  readonly labels: GroupLabels;
  readonly runs: number;
  readonly verified: number;
  readonly pooled: GroupOutcome;
  readonly own: GroupOutcome;
  /** False stops that the pooled caps make beyond those of the group's own; below zero where they make fewer. */
  readonly extra_false_stops: number;
  /** Spend under the pooled caps over spend under the group's own, less 1; `null` where it is not known. */
  readonly extra_spend: number | null;
  /** Further verified successes before caps of its own at their maximum bear out the accepted rate; 0: there are enough. */
  readonly more_to_claim: number;
}

/** What one policy for all costs each group, as `derive --by` and `calibrate --by` print it. */
export interface GroupCosts {
  readonly accepted_rate: number;
  /** What spend is compared in. */
  readonly weighed: Metric;
  readonly groups: readonly GroupCost[];
  readonly left_out: readonly SmallGroup[];
  readonly verdict: string;
  /** What a reader must know beside the figures. */
  readonly notes: readonly string[];
}
