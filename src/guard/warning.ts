import type { Call } from '../model/run.js';
import type { Ledger } from '../policy/ledger.js';
import type { Policy } from '../policy/policy.js';
import type { RuleWarning } from './report.js';

/** A rule that fires at two has no step before it that says anything: every first event is one. */
const LEAST_COUNT = 3;

/** What the rules of calls stood at when they were last looked at. */
export type Standing = number[];

/** The warning that is due after a call: a rule has come to stand one below its count. The first such rule speaks. */
export function warningAfter(policy: Policy, ledger: Ledger, call: Call, standing: Standing): RuleWarning | null {
  const before = [...standing];
  for (const [index, tracker] of ledger.trackers.entries()) standing[index] = tracker.current;
  for (const [index, rule] of policy.rules.entries()) {
    const current = ledger.trackers[index]?.current ?? 0;
    // A block that is repeated grows over several calls; the rule stands still meanwhile.
    if (rule.rule === 'repeat' && rule.period > 1 && before[index] === current) continue;
    if (rule.rule === 'idle' || rule.count < LEAST_COUNT || current !== rule.count - 1) continue;
    if (rule.exempt.includes(call.tool)) continue;
    return {
      rule: rule.name,
      count: current,
      stops_at: rule.count,
      message: `${rule.name}: ${current} of ${rule.count}; at ${rule.count} the run is stopped. Try something else.`,
    };
  }
  return null;
}
