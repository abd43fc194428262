import type { Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';

/** Verified runs that a claim needs, and what it takes to get them. */
export interface Further {
  /** Verified runs in all that tell what the caps count. */
  readonly verified_needed: number;
  readonly more_verified: number;
  /** Runs of any ending to record for so many more; `null` where no run says how many of them end verified. */
  readonly more_runs: { readonly expected: number; readonly range95: readonly [number, number | null] } | null;
}

/** What may be claimed for some caps: that they cut at most this share of the good runs. */
export interface PlanClaim {
  /**
   * One cap at the largest value seen, all caps at theirs, the caps as derived, those of the policy named, or nothing but
   * the number above a cap that was given.
   */
  readonly caps: 'maximum' | 'all_maxima' | 'derived' | 'policy' | 'assumed';
  /** The caps, in the metrics' own units; `null` where there is no single set of them. */
  readonly values: { readonly [metric in Metric]?: number } | null;
  /** Verified runs that they cut, those that may be cut included. */
  readonly cut: number;
  /** Verified runs that tell what the caps count, the figure that the fewest tell: the others prove nothing. */
  readonly of: number;
  /** What the limit is taken for: one more for each cap beyond the first that was chosen on these very runs. */
  readonly counted_as: number;
  /** The most that may be claimed today, as a share; `null` without a verified run. */
  readonly at_most: number | null;
  /** Whether that is within the target. */
  readonly met: boolean;
  /** What the target needs if no further verified run is cut; `null` where no number of runs is enough. */
  readonly if_none_cut: Further | null;
  /** The same if they are cut as often as today's; `null` where that is too often, or not known. */
  readonly at_todays_rate: Further | null;
}

/** How many verified runs a claim needs, as `plan --json` prints it. */
export interface PlanReport {
  readonly schema: 'capfit/plan@1';
  /** The share of good runs that may be cut. */
  readonly target: number;
  readonly confidence: number;
  /** Of the runs named; `null` where none were. */
  readonly population: string | null;
  readonly runs: number | null;
  readonly verified: number | null;
  /** How many runs end verified, with the exact 95 % interval of the share; `null` where no run says so. */
  readonly verified_share: { readonly share: number; readonly ci95: readonly [number, number] } | null;
  readonly claims: readonly PlanClaim[];
  /** What may be claimed with so many of today's verified runs above a cap; `null` without any. */
  readonly at_n: { readonly verified: number; readonly at_most: readonly AboveClaim[] } | null;
  /** Verified runs needed for a share, by how many of them lie above the cap. */
  readonly needed: readonly NeededRuns[];
  readonly verdict: string;
  readonly warnings: readonly Warning[];
}

export interface AboveClaim {
  readonly above: number;
  readonly share: number;
}

export interface NeededRuns {
  readonly share: number;
  readonly verified: readonly { readonly above: number; readonly runs: number }[];
}
