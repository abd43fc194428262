import { PLAIN_REPEAT, type Policy, type RepeatRule } from '../policy/policy.js';

/** One of the policies that differ in the count of a repeat rule only. */
export interface RepeatVariant {
  /** `null`: without the rule; `undefined`: the base policy as it is. */
  readonly repeat: number | null | undefined;
  readonly policy: Policy;
}

/** The rule whose counts a sweep tries: the first repeat of the policy, or the usual one where it has none. */
export function sweptRepeat({ rules }: Policy): RepeatRule {
  return rules.find((rule) => rule.rule === 'repeat') ?? PLAIN_REPEAT;
}

/** The same policy with another count of that rule; `null`: without it. What the policy lacks comes behind its rules. */
export function withRepeat(base: Policy, count: number | null): Policy {
  const swept = sweptRepeat(base);
  const at = base.rules.indexOf(swept);
  const before = at === -1 ? base.rules : base.rules.slice(0, at);
  const after = at === -1 ? [] : base.rules.slice(at + 1);
  return { ...base, rules: [...before, ...(count === null ? [] : [{ ...swept, count }]), ...after] };
}

/** The policies of these counts, ascending and each once, none last; the base policy alone where no count is named. */
export function repeatVariants(base: Policy, counts: readonly (number | null)[]): RepeatVariant[] {
  if (counts.length === 0) return [{ repeat: undefined, policy: base }];
  return ascending(counts).map((count) => ({ repeat: count, policy: withRepeat(base, count) }));
}

/** Ceilings or counts, each once, none last. */
export function ascending(values: readonly (number | null)[]): (number | null)[] {
  return [...new Set(values)].sort((a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY));
}
