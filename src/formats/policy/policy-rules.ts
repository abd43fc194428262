import type { Problem } from '../../model/problem.js';
import type { RuleRecord } from '../../policy/of-record.js';
import { DEFAULT_RULE_COUNT, PLAIN_REPEAT } from '../../policy/policy.js';
import { problem } from '../format.js';
import type { Locate } from '../yaml.js';

/** Settings of a `repeat` that contradict each other, which a schema cannot say. */
export function repeatConflicts(rule: RuleRecord, index: number, file: string, locate: Locate): Problem[] {
  if (rule.rule !== 'repeat') return [];
  const at = (key: string, reason: string, hint: string): Problem =>
    problem(file, locate(['rules', index, key]), null, `rules[${index}].${key}: ${reason}`, hint);
  const problems: Problem[] = [];
  const count = rule.count ?? DEFAULT_RULE_COUNT;
  if (rule.when === 'before_dispatch' && rule.key !== 'request') {
    problems.push(
      at(
        'when',
        `before_dispatch cannot compare ${rule.key ?? PLAIN_REPEAT.key}`,
        'no result exists yet: say key: request',
      ),
    );
  }
  if (rule.window !== undefined && rule.scope === 'consecutive') {
    problems.push(at('window', 'a window and scope: consecutive exclude each other', 'leave one of them out'));
  }
  if (rule.window !== undefined && rule.window < count) {
    problems.push(at('window', `${rule.window} calls cannot hold ${count} events`, 'a window of count or more'));
  }
  const blocks = rule.period ?? rule.min_period;
  if (blocks !== undefined && blocks > 1 && (rule.scope === 'run' || rule.window !== undefined)) {
    problems.push(at('period', 'blocks are repeated in a row', 'leave scope and window out, or period'));
  }
  if ((rule.min_period ?? 1) > (rule.period ?? 1)) {
    problems.push(at('min_period', `it is above period ${rule.period ?? 1}`, 'min_period is at most period'));
  }
  return problems;
}
