import type { DeriveOptions } from '../calibrate/options.js';
import type { DeriveReport } from '../calibrate/result.js';
import type { Warning } from '../model/problem.js';
import type { CrossValidated } from './cross-validate-result.js';
import { diagnoseRecorded } from './diagnosis-recorded.js';
import { percent } from './drift-words.js';
import type { Evidence } from './evidence.js';
import { type HarmfulRule, harmfulRuleWarnings } from './harmful-rules.js';
import type { HiddenFigures } from './hidden-result.js';
import { optimismWarnings } from './optimism.js';
import type { ReplayReport } from './result.js';

/** Everything a diagnosis is made from. */
export interface Findings {
  readonly derive: DeriveReport;
  readonly hidden: HiddenFigures;
  /** The replay under the caps alone. */
  readonly caps: ReplayReport;
  /** The replay under the whole policy. */
  readonly whole: ReplayReport;
  /** What speaks against the policy itself. */
  readonly ofPolicy: readonly Warning[];
  /** The caps together cut more successes than accepted, although each alone would not. */
  readonly eachWithin: boolean;
  readonly crossValidated: CrossValidated;
  readonly evidence: Evidence;
  /** Rules that by themselves stop more successes than accepted: how many, and of how many. */
  readonly harmfulRules: readonly HarmfulRule[];
  readonly options: DeriveOptions;
}

/** What the numbers must not hide: each with a code, a sentence and what to do. */
export function diagnose(findings: Findings): Warning[] {
  return [
    ...harmfulRuleWarnings(findings.harmfulRules, findings.derive.accepted_rate),
    ...findings.derive.warnings,
    ...findings.whole.warnings.filter(({ code }) => code === 'arguments_missing'),
    ...diagnoseRecorded({ ...findings, mixedTasks: findings.evidence.mixedTasks }),
    ...findings.ofPolicy,
    ...jointFalseStops(findings),
    ...optimismWarnings(findings.crossValidated),
  ];
}

function jointFalseStops({ caps, derive, eachWithin }: Findings): Warning[] {
  const { rate } = caps.false_stops;
  if (!eachWithin || rate === null) return [];
  return [
    {
      code: 'joint_false_stops',
      message: `together the caps cut ${percent(rate)} of the successes, above the accepted ${percent(derive.accepted_rate)}, although each alone is within it`,
      hint: '--joint takes the lowest percentile at which all caps together are within it; or pad more',
    },
  ];
}
