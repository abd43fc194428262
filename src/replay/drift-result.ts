import type { Quantiles } from '../calibrate/result.js';
import type { Metric } from '../model/limits.js';

/**
 * What a test looks at: all sizes (rank), the largest tenth of old and new together (top), how many lie above an old
 * percentile (tail), or how many runs are verified (share).
 */
export type DriftKind = 'rank' | 'top' | 'tail' | 'share';

/** One question put to old and new runs. */
export interface DriftTest {
  readonly test: DriftKind;
  /** `null` for the share of verified successes. */
  readonly metric: Metric | null;
  /** What the new runs are held against: the policy's own figures, or runs. */
  readonly against: 'measured' | 'old runs';
  readonly n_old: number;
  readonly n_new: number;
  /** For a tail: the old percentile, and its value in the metric's own unit. */
  readonly p: number | null;
  readonly at: number | null;
  /** Share of pairs in which the new run is the larger one; how many lie above; or the new share. `null`: unknown. */
  readonly seen: number | null;
  /** The same if nothing had moved. */
  readonly expected: number | null;
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

/** Whether the verified successes have moved, as `drift --json` prints it. */
export interface DriftReport {
  readonly schema: 'capfit/drift@1';
  readonly population: string;
  readonly old: DriftSide;
  readonly new: DriftSide;
  /** The chance of any false alarm at all that was accepted. */
  readonly alarm_rate: number;
  readonly tests: readonly DriftTest[];
  /** `null` where no test could be made. */
  readonly moved: boolean | null;
  readonly verdict: string;
  /** Which shifts are too small to be seen with so many successes; `null` where no test could be made. */
  readonly unseen: string | null;
}
