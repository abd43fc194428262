import type { Metric } from '../model/limits.js';
import type { GroupLabels } from './groups.js';

/** How far apart groups lie, in words. */
export type EffectSize = 'negligible' | 'small' | 'medium' | 'large';

/** A group with too few successes to say anything of it, and what it would need. */
export interface SmallGroup {
  readonly labels: GroupLabels;
  readonly verified: number;
  /** Further verified successes before the group is compared at all. */
  readonly more_to_compare: number;
  /** Further verified successes before a cap of its own at their maximum bears out the accepted rate with 95 % confidence. */
  readonly more_to_claim: number;
  readonly reason: string;
}

/** The middle of one group's values, in the metric's own unit. */
export interface GroupMiddle {
  readonly labels: GroupLabels;
  readonly n: number;
  readonly median: number;
}

/** Whether groups differ in one metric: the rank test of Kruskal and Wallis. */
export interface GroupMetricTest {
  readonly metric: Metric;
  /** Groups compared, and values in them. */
  readonly groups: number;
  readonly n: number;
  /** The statistic, corrected for ties; `null` where the test could not be made. */
  readonly h: number | null;
  readonly df: number | null;
  readonly p_value: number | null;
  /** The same adjusted for all metrics tested (Holm). */
  readonly adjusted_p: number | null;
  /** Which share of the spread of all ranks lies between the groups, 0 to 1. */
  readonly epsilon_squared: number | null;
  readonly effect: EffectSize | null;
  /** `null`: not judged. */
  readonly differ: boolean | null;
  /** The groups with the lowest and the highest median. */
  readonly lowest: GroupMiddle | null;
  readonly highest: GroupMiddle | null;
  /** Why the test could not be made. */
  readonly not_judged: string | null;
}

/** Whether groups of successes differ, as `derive --by` and `calibrate --by` print it. */
export interface GroupTest {
  /** Chance of any false alarm at all that was accepted. */
  readonly alarm_rate: number;
  /** Successes a group must have. */
  readonly fewest: number;
  /** Groups large enough. */
  readonly compared: number;
  readonly tests: readonly GroupMetricTest[];
  /** `null` where no test could be made. */
  readonly differ: boolean | null;
  readonly verdict: string;
  readonly left_out: readonly SmallGroup[];
}
