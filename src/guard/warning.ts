import type { Call } from '../model/run.js';
import type { Ledger } from '../policy/ledger.js';
import type { Policy, Rule } from '../policy/policy.js';
import type { RuleWarning } from './report.js';

/** A rule that fires at two has no step before it that says anything: every first event is one. */
const LEAST_COUNT = 3;

/** What the rules of calls stood at when they were last looked at. */
export type Standing = number[];

/** The warning that is due after a call: a rule has come to stand one below its count. The first such rule speaks. */
export function warningAfter(policy: Policy, ledger: Ledger, call: Call, standing: Standing): RuleWarning | null {
  let warning: RuleWarning | null = null;
  for (let index = 0; index < policy.rules.length; index++) {
    const rule = policy.rules[index] as Rule;
    const current = ledger.trackers[index]?.current ?? 0;
    const before = standing[index] ?? 0;
    standing[index] = current;
    if (current !== rule.count - 1 || warning !== null || rule.rule === 'idle' || rule.count < LEAST_COUNT) continue;
    // A block that is repeated grows over several calls; the rule stands still meanwhile.
    const isGrowing = rule.rule === 'repeat' && rule.period > 1 && before === current;
    if (!isGrowing && !rule.exempt.includes(call.tool)) warning = warningOf(rule, current);
  }
  return warning;
}

function warningOf(rule: Rule, current: number): RuleWarning {
  return {
    rule: rule.name,
    count: current,
    stops_at: rule.count,
    message: `${rule.name}: ${current} of ${rule.count}; at ${rule.count} the run is stopped. Try something else.`,
  };
}
