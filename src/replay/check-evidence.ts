import type { Sample } from '../calibrate/sample.js';
import type { Policy } from '../policy/policy.js';
import type { CheckBounds, Most } from './check-bounds.js';
import type { RunCounts } from './check-counts.js';
import type { JudgedRuns } from './check-judged.js';
import type { CheckFinding, FindingSeverity, Judgement } from './check-result.js';
import { percent } from './drift-words.js';
import type { LabelsSeen } from './labels-seen.js';
import type { Measured } from './measured.js';
import type { ReplayReport } from './result.js';

/** Everything that a gate judges from. */
export interface CheckEvidence {
  readonly policy: Policy;
  readonly bounds: CheckBounds;
  readonly measured: Measured;
  readonly replay: ReplayReport;
  /** What of the replay is not known, because the records lack what a limit counts. */
  readonly open: JudgedRuns;
  readonly sample: Sample;
  readonly counts: RunCounts;
  readonly labels: LabelsSeen;
  /** Caps that stop no run first, each with the runs it would stop alone. */
  readonly beatenCaps: ReadonlyMap<string, number>;
  /** Earlier runs to compare with, where they are given. */
  readonly old: { readonly sample: Sample; readonly labels: LabelsSeen } | null;
}

/** A finding before it is told which question found it. */
export type Found = Omit<CheckFinding, 'check'>;

/** What one question found. */
export interface Judged {
  readonly judgement: Judgement;
  readonly findings: readonly CheckFinding[];
}

/** A question whose outcome is the worst of its findings; `isJudged` false where there was nothing to judge it by. */
export function judged(base: Omit<Judgement, 'outcome'>, findings: readonly (Found | null)[], isJudged = true): Judged {
  const found = findings.filter((finding) => finding !== null);
  const has = (severity: FindingSeverity): boolean => found.some((finding) => finding.severity === severity);
  const clean = isJudged ? 'passed' : 'not judged';
  return {
    judgement: { ...base, outcome: has('error') ? 'failed' : has('warning') ? 'warned' : clean },
    findings: found.map((finding) => ({ ...finding, check: base.code })),
  };
}

/** A question that is not asked; its figure is told all the same. */
export function off(base: Omit<Judgement, 'outcome' | 'bound'>): Judged {
  return { judgement: { ...base, bound: 'none', outcome: 'off' }, findings: [] };
}

export function isAbove(count: number, runs: number, most: Most): boolean {
  return 'count' in most ? count > most.count : count > 0 && count / runs > most.share;
}

export function mostText(most: Most): string {
  return 'count' in most ? String(most.count) : percent(most.share);
}

/** The figure and the bound as numbers of one unit. */
export function mostFigures(count: number, runs: number, most: Most): { value: number; bound: number } {
  return 'count' in most ? { value: count, bound: most.count } : { value: count / runs, bound: most.share };
}
