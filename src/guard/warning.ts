import type { Call } from '../model/run.js';
import type { Ledger } from '../policy/ledger.js';
import type { Policy } from '../policy/policy.js';
import type { RuleWarning } from './report.js';

/** A rule that fires at two has no step before it that says anything: every first event is one. */
const LEAST_COUNT = 3;

/** The warning that is due after a call: a rule of calls stands one below its count. The first such rule speaks. */
export function warningAfter(policy: Policy, ledger: Ledger, call: Call): RuleWarning | null {
  for (const [index, rule] of policy.rules.entries()) {
    const current = ledger.trackers[index]?.current ?? 0;
    if (rule.rule === 'idle' || rule.count < LEAST_COUNT || current !== rule.count - 1) continue;
    if (rule.exempt.includes(call.tool)) continue;
    return {
      rule: rule.name,
      count: current,
      stops_at: rule.count,
      message: `${rule.name}: ${current} of ${rule.count}; one more and the run is stopped. Try something else.`,
    };
  }
  return null;
}
