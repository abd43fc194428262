import type { Quantiles } from '../calibrate/result.js';
import type { Json } from '../model/json.js';
import type { LimitName, Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { ReplayBounds, ReplayReport } from './result.js';

/**
 * What a test looks at: all sizes (rank), the largest tenth of old and new together (top), how many lie above an old
 * percentile (tail), how many runs are verified (share), or how the runs end (endings).
 */
export type DriftKind = 'rank' | 'top' | 'tail' | 'share' | 'endings';

/** How often a new run is larger than an old one, in words that have thresholds: see `effectOf`. */
export type Effect = 'negligible' | 'small' | 'medium' | 'large';

/** One question put to old and new runs. */
export interface DriftTest {
  readonly test: DriftKind;
  /** `null` for the share of verified successes, and for endings. */
  readonly metric: Metric | null;
  /** Of a test of endings, the one that is held against all others; `null` where none could be, and for other tests. */
  readonly ending: string | null;
  /** What the new runs are held against: the policy's own figures, or runs. */
  readonly against: 'measured' | 'old runs';
  readonly n_old: number;
  readonly n_new: number;
  /** For a tail: the old percentile, and its value in the metric's own unit. */
  readonly p: number | null;
  readonly at: number | null;
  /**
   * Share of pairs in which the new run is the larger one; how many lie above; or the new share of verified successes,
   * or of runs that end so. `null`: unknown.
   */
  readonly seen: number | null;
  /** The same if nothing had moved. */
  readonly expected: number | null;
  /** How large a difference of sizes is, whether or not it alarms; `null` for other tests. */
  readonly effect: Effect | null;
  /** Two-sided; `null` where the test could not be made. */
  readonly p_value: number | null;
  /** The same adjusted for all tests made (Holm). */
  readonly adjusted_p: number | null;
  /**
   * From which `seen` on the test would alarm, downwards and upwards, if it were the clearest of all: what lies between
   * is not seen. `null` on a side: nothing there would alarm; in all: the test was not made.
   */
  readonly alarms: { readonly down: number | null; readonly up: number | null } | null;
  /** `null`: no alarm. */
  readonly moved: 'up' | 'down' | null;
  /** Why the test could not be made. */
  readonly not_judged: string | null;
}

/** One of the two sets. */
export interface DriftSide {
  readonly runs: number;
  readonly verified: number;
  readonly quantiles: { readonly [metric in Metric]: Quantiles | null };
}

/** What became of one percentile, in the metric's own unit. */
export interface DriftChange {
  readonly old: number;
  readonly new: number;
  /** new - old, exact. */
  readonly change: number;
  /** The same as a share of old; `null` where old is zero. */
  readonly share: number | null;
}

/** One way in which runs end, in both sets. */
export interface DriftEnding {
  /** A status, with its reason where it has one: `stopped_budget: passes`. */
  readonly ending: string;
  readonly old: number;
  readonly new: number;
  /** Shares of all runs of the set; `null` where it has none. */
  readonly old_share: number | null;
  readonly new_share: number | null;
  /** Whether runs that end so were tested by themselves, only together with other rare ones, or are too rare for any test. */
  readonly tested: 'by itself' | 'together' | 'no';
}

/** Good runs that the old caps stop. */
export interface DriftFalseStops {
  /** Those that are surely stopped, and their share; `null` where no record tells of any. */
  readonly count: number | null;
  readonly rate: number | null;
  /** The same with all that may be. */
  readonly at_most: number;
  readonly rate_at_most: number | null;
  /** Exact 95 %: from the low end for `count` to the high end for `at_most`; `null` where the rate is. */
  readonly ci95: readonly [number, number] | null;
  /** Good runs of which it can be told. */
  readonly judged: number;
  /** Why it cannot be told of the others; `null` where it can of all. */
  readonly not_judged: string | null;
}

/** One set under the old caps. */
export interface DriftUnderCaps extends Pick<ReplayReport, 'runs' | 'verified' | 'spend' | 'censored'> {
  readonly false_stops: DriftFalseStops;
  /** Runs that end as stopped, by these caps or as recorded; `open`: others that may be, which no record tells. */
  readonly stopped: { readonly count: number; readonly share: number | null; readonly open: number };
  readonly by_reason: { readonly [reason: string]: number };
  readonly bounds: ReplayBounds | null;
}

/** The policy of the old runs, and what it does to both sets. */
export interface DriftCaps {
  /** Whether the caps were derived from the old runs or are those of a policy file. */
  readonly from: 'old runs' | 'policy';
  readonly policy: { readonly [key: string]: Json };
  /** Its caps in their own units, and the names of its rules. */
  readonly limits: { readonly [limit in LimitName]?: number };
  readonly rules: readonly string[];
  /** The false-stop rate that is accepted: one minus the percentile in force. */
  readonly accepted_rate: number;
  readonly old: DriftUnderCaps;
  readonly new: DriftUnderCaps;
}

/** How one set of runs was split in two. */
export interface DriftSplit {
  /** The moment from which on runs are new, ISO 8601. */
  readonly at: string;
  readonly by: 'date' | 'half';
  /** Runs without a known start, in neither half. */
  readonly undated: number;
}

/** Whether recorded runs have moved, as `drift --json` prints it. */
export interface DriftReport {
  readonly schema: 'capfit/drift@1';
  readonly population: string;
  /** `null` where two sets were named. */
  readonly split: DriftSplit | null;
  readonly old: DriftSide;
  readonly new: DriftSide;
  /** The chance of any false alarm at all that was accepted. */
  readonly alarm_rate: number;
  readonly tests: readonly DriftTest[];
  /** `null` where it cannot be told: nothing alarms, and no test of sizes would have seen even a large shift. */
  readonly moved: boolean | null;
  readonly answer: 'moved' | 'not moved' | 'cannot tell';
  /** The answer in a sentence. */
  readonly verdict: string;
  /** Which shifts are too small to be seen with so many runs, in a sentence; `null` where no test could be made. */
  readonly unseen: string | null;
  /** The same in figures. */
  readonly unseen_up_to: DriftUnseen;
  /** Sizes that could not be compared although one of the sets tells them, in a sentence; `null`: there are none. */
  readonly not_compared: string | null;
  /** p50, p99, the percentile in force and max; `null` where a set gives no figure. */
  readonly changes: { readonly [metric in Metric]: { readonly [percentile: string]: DriftChange } | null };
  /** How the runs end, the most frequent first. */
  readonly endings: readonly DriftEnding[];
  /** `null` where the old runs give no caps. */
  readonly caps: DriftCaps | null;
  readonly warnings: readonly Warning[];
}

/** What would have to be reached, or passed, for an alarm. */
export interface DriftUnseen {
  /** By how much larger every success would have to be, as a share of its size; `null` where no test could tell. */
  readonly growth: { readonly [metric in Metric]: number | null };
  /** How many of the new successes would have to lie above the old percentile; `null` where no number would be seen. */
  readonly above: {
    readonly metric: Metric;
    readonly p: number;
    readonly count: number;
    readonly of: number;
    readonly expected: number;
  } | null;
  /** How many of the new runs would have to end in a way that no old one did. */
  readonly new_ending: { readonly count: number; readonly of: number } | null;
}
