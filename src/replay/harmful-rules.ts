import type { PopulationOptions } from '../calibrate/population.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { plural } from '../model/words.js';
import { EMPTY_POLICY, type Policy } from '../policy/policy.js';
import { percent } from './drift-words.js';
import type { ReplayReport } from './result.js';
import { simulateAll } from './simulate.js';

/** A rule, and how many successes it stops when nothing else stops any. */
export interface HarmfulRule {
  readonly rule: string;
  readonly stopped: number;
  readonly verified: number;
}

/** The warnings that a diagnosis leads with. */
export function harmfulRuleWarnings(rules: readonly HarmfulRule[], accepted: number): Warning[] {
  return rules.map(({ rule, stopped, verified }) => ({
    code: 'rule_stops_good_runs',
    message: `the rule ${rule} alone stops ${stopped} of ${plural(verified, 'success', 'successes')} (${percent(stopped / verified)}), above the accepted ${percent(accepted)}: this policy cuts off good work, whatever its caps`,
    hint: 'exempt the tools that good runs repeat (--exempt TOOL), or leave the rule out: --no-repeat; and see whether arguments and results are recorded, without which calls look alike',
  }));
}

/**
 * Rules that alone stop a larger share of the successes than accepted. A success that a rule stops alone is stopped by
 * the whole policy too, there or sooner, so nothing is replayed where that stays within the rate.
 */
export function harmfulRules(
  accepted: number,
  runs: Iterable<Run>,
  { rules }: Policy,
  whole: ReplayReport,
  { claimed, finishedOnly }: PopulationOptions,
): HarmfulRule[] {
  if (rules.length === 0 || (whole.false_stops.rate ?? 0) <= accepted) return [];
  const policies = rules.map((rule) => ({ ...EMPTY_POLICY, rules: [rule] }));
  return simulateAll(runs, policies, { claimed, finishedOnly }).flatMap(({ false_stops, verified }, index) => {
    const isAbove = (false_stops.rate ?? 0) > accepted;
    return isAbove ? [{ rule: rules[index]?.name ?? '', stopped: false_stops.count, verified }] : [];
  });
}
