import { toAtoms } from '../model/atoms.js';
import type { Json } from '../model/json.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import { conflictsOf } from './conflicts.js';
import {
  completeOrder,
  DEFAULT_RULE_COUNT,
  DEFAULT_RULE_NAMES,
  EMPTY_POLICY,
  PLAIN_REPEAT,
  type Policy,
  type RepeatRule,
  type Rule,
} from './policy.js';
import type { PolicyRecord, RepeatRecord, RuleRecord } from './policy-record.js';
import { checkShape } from './shape.js';

/**
 * The policy that a record holds, every setting decided.
 *
 * @throws TypeError or RangeError that names the field for whatever would be a limit that silently never fires: another
 *   version, an unknown key, a cap that is not above zero, settings that contradict each other. Files are read by
 *   `readPolicy`, which tells all that is wrong, with lines.
 */
export function policyOf(record: PolicyRecord): Policy {
  checkShape(record);
  const [conflict] = conflictsOf(record);
  if (conflict !== undefined) throw new RangeError(`${conflict.reason}: ${conflict.hint}`);
  return {
    ...EMPTY_POLICY,
    name: record.name ?? null,
    caps: capsOf(record),
    order: completeOrder(record.order ?? []),
    rules: (record.rules ?? []).map(ruleOf),
    stepsAt: record.steps_at ?? EMPTY_POLICY.stepsAt,
    timeouts: { modelCall: microsOf(record.timeouts?.model_call), tool: microsOf(record.timeouts?.tool) },
    wrapUp: record.wrap_up ?? false,
    haltOn: record.halt_on ?? [],
    check: record.check ?? null,
    measured: (record.measured as { [key: string]: Json } | undefined) ?? null,
  };
}

function capsOf({ caps = {} }: PolicyRecord): Policy['caps'] {
  const atoms: { [limit in LimitName]?: number } = {};
  for (const limit of LIMITS) {
    const cap = caps[limit];
    if (cap === undefined) continue;
    atoms[limit] = toAtoms(limit, cap) as number;
  }
  return atoms;
}

function microsOf(seconds: number | undefined): number | null {
  return seconds === undefined ? null : toAtoms('seconds', seconds);
}

function ruleOf(rule: RuleRecord): Rule {
  const name = rule.name ?? DEFAULT_RULE_NAMES[rule.rule];
  const common = { name, count: rule.count ?? DEFAULT_RULE_COUNT, exempt: rule.exempt ?? [] };
  return rule.rule === 'repeat' ? repeatOf(rule, common) : { rule: rule.rule, when: 'before_call', ...common };
}

function repeatOf(rule: RepeatRecord, common: Pick<RepeatRule, 'name' | 'exempt' | 'count'>): RepeatRule {
  return {
    ...PLAIN_REPEAT,
    ...common,
    key: rule.key ?? PLAIN_REPEAT.key,
    scope: rule.window === undefined ? (rule.scope ?? PLAIN_REPEAT.scope) : 'window',
    window: rule.window ?? null,
    period: rule.period ?? PLAIN_REPEAT.period,
    minPeriod: rule.min_period ?? PLAIN_REPEAT.minPeriod,
    when: rule.when ?? PLAIN_REPEAT.when,
  };
}
