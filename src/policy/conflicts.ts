import { toAtoms } from '../model/atoms.js';
import { isLimitName, LIMITS } from '../model/limits.js';
import { DEFAULT_RULE_COUNT, DEFAULT_RULE_NAMES, PLAIN_REPEAT } from './policy.js';
import type { PolicyRecord, RuleRecord } from './policy-record.js';

/** Settings of a policy that contradict each other or can never hold: what the kinds of its fields cannot say. */
export interface Conflict {
  /** The field that is wrong. */
  readonly path: readonly (string | number)[];
  /** The field that it collides with, where there is one. */
  readonly collides: readonly (string | number)[] | null;
  readonly reason: string;
  readonly hint: string;
}

export function conflictsOf(record: PolicyRecord): Conflict[] {
  return [
    ...(record.rules ?? []).flatMap((rule, index) => [
      ...nameConflicts(record.rules ?? [], rule, index),
      ...repeatConflicts(rule, index),
    ]),
    ...orderConflicts(record.order ?? []),
    ...capConflicts(record),
  ];
}

function conflict(
  path: Conflict['path'],
  reason: string,
  hint: string,
  collides: Conflict['collides'] = null,
): Conflict {
  return { path, collides, reason, hint };
}

function nameConflicts(rules: readonly RuleRecord[], rule: RuleRecord, index: number): Conflict[] {
  const nameOf = (each: RuleRecord): string => each.name ?? DEFAULT_RULE_NAMES[each.rule];
  const name = nameOf(rule);
  const conflicts: Conflict[] = [];
  const earlier = rules.slice(0, index).findLastIndex((each) => nameOf(each) === name);
  if (earlier !== -1) {
    const reason = `two rules are named ${JSON.stringify(name)}`;
    conflicts.push(conflict(['rules', index], reason, 'give each rule a name of its own', ['rules', earlier]));
  }
  if (isLimitName(name)) {
    const reason = `a rule is named ${name}, like a cap`;
    conflicts.push(conflict(['rules', index], reason, 'reasons would mix: choose another name'));
  }
  return conflicts;
}

function repeatConflicts(rule: RuleRecord, index: number): Conflict[] {
  if (rule.rule !== 'repeat') return [];
  const at = (key: string, reason: string, hint: string): Conflict =>
    conflict(['rules', index, key], `rules[${index}].${key}: ${reason}`, hint);
  const conflicts: Conflict[] = [];
  const count = rule.count ?? DEFAULT_RULE_COUNT;
  if (rule.when === 'before_dispatch' && rule.key !== 'request') {
    const key = rule.key ?? PLAIN_REPEAT.key;
    conflicts.push(at('when', `before_dispatch cannot compare ${key}`, 'no result exists yet: say key: request'));
  }
  if (rule.window !== undefined && rule.scope === 'consecutive') {
    conflicts.push(at('window', 'a window and scope: consecutive exclude each other', 'leave one of them out'));
  }
  if (rule.window !== undefined && rule.window < count) {
    conflicts.push(at('window', `${rule.window} calls cannot hold ${count} events`, 'a window of count or more'));
  }
  const blocks = rule.period ?? rule.min_period;
  if (blocks !== undefined && blocks > 1 && (rule.scope === 'run' || rule.window !== undefined)) {
    conflicts.push(at('period', 'blocks are repeated in a row', 'leave scope and window out, or period'));
  }
  if ((rule.min_period ?? 1) > (rule.period ?? 1)) {
    conflicts.push(at('min_period', `it is above period ${rule.period ?? 1}`, 'min_period is at most period'));
  }
  return conflicts;
}

function orderConflicts(order: NonNullable<PolicyRecord['order']>): Conflict[] {
  return order.flatMap((entry, index) =>
    order.indexOf(entry) === index
      ? []
      : [conflict(['order', index], `order names ${entry} twice`, 'name each limit once')],
  );
}

function capConflicts({ caps = {} }: PolicyRecord): Conflict[] {
  return LIMITS.flatMap((limit) => {
    const cap = caps[limit];
    if (cap === undefined || Number(toAtoms(limit, cap)) > 0) return [];
    const hint = 'the cap is below the smallest unit or beyond exact numbers';
    return [conflict(['caps', limit], `caps.${limit} is ${cap}`, hint)];
  });
}
