import type { Policy } from '../policy/policy.js';
import { sweptRepeat } from '../replay/sweep-repeat.js';
import { nameText } from '../report/escape.js';
import { usageError } from './errors.js';

/**
 * Whether these counts of the policy's repeat rule can be tried.
 *
 * @throws CommandError where it is not clear of which rule, or the rule cannot have such a count
 */
export function checkCounts(policy: Policy, counts: readonly (number | null)[]): void {
  const swept = sweptRepeat(policy);
  const repeats = policy.rules.filter(({ rule }) => rule === 'repeat');
  if (repeats.length > 1) {
    throw usageError(
      `--repeat: the policy has ${repeats.length} repeat rules: ${repeats.map(({ name }) => nameText(name)).join(', ')}`,
      'counts are tried of one rule: leave one of them in the policy file',
    );
  }
  if (policy.rules.some((rule) => rule !== swept && rule.name === swept.name)) {
    throw usageError(
      `--repeat: another rule of the policy is named ${nameText(swept.name)}`,
      'reasons would mix: give it another name',
    );
  }
  const { window } = swept;
  const above = window === null ? undefined : counts.find((count) => count !== null && count > window);
  if (above === undefined || window === null) return;
  throw usageError(
    `--repeat ${above}: ${nameText(swept.name)} looks at ${window} calls, which cannot hold so many`,
    `counts of at most ${window}, or a wider window in the policy file`,
  );
}
