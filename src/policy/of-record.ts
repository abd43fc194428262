import { toAtoms } from '../model/atoms.js';
import type { Json } from '../model/json.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import {
  completeOrder,
  DEFAULT_RULE_COUNT,
  DEFAULT_RULE_NAMES,
  EMPTY_POLICY,
  type OrderEntry,
  PLAIN_REPEAT,
  type Policy,
  type RepeatKey,
  type RepeatRule,
  type Rule,
  type RuleTime,
} from './policy.js';
import { POLICY_VERSION } from './record.js';

interface RuleRecordBase {
  readonly name?: string | undefined;
  readonly count?: number | undefined;
  readonly exempt?: readonly string[] | undefined;
  readonly when?: RuleTime | undefined;
}

interface RepeatRecord extends RuleRecordBase {
  readonly rule: 'repeat';
  readonly key?: RepeatKey | undefined;
  readonly scope?: 'consecutive' | 'run' | undefined;
  readonly window?: number | undefined;
  readonly period?: number | undefined;
  readonly min_period?: number | undefined;
}

export type RuleRecord = RepeatRecord | (RuleRecordBase & { readonly rule: 'stale' | 'errors' | 'idle' });

/** A policy as its file holds it, in the units of the file: seconds and dollars as decimals, nothing decided. */
export interface PolicyRecord {
  readonly capfit: typeof POLICY_VERSION;
  readonly name?: string | undefined;
  readonly caps?: { readonly [limit in LimitName]?: number | undefined } | undefined;
  readonly order?: readonly OrderEntry[] | undefined;
  readonly rules?: readonly RuleRecord[] | undefined;
  readonly steps_at?: Policy['stepsAt'] | undefined;
  readonly timeouts?: { readonly model_call?: number | undefined; readonly tool?: number | undefined } | undefined;
  readonly wrap_up?: boolean | undefined;
  readonly halt_on?: readonly string[] | undefined;
  readonly check?: string | undefined;
  readonly measured?: { readonly [key: string]: unknown } | undefined;
}

/**
 * The policy that a record holds, every setting decided.
 *
 * @throws RangeError for a cap or a count that is not above zero, TypeError for another version or an unknown rule:
 *   what would otherwise be a limit that never fires. Files are read by `readPolicy`, which tells all that is wrong.
 */
export function policyOf(record: PolicyRecord): Policy {
  if (record.capfit !== POLICY_VERSION) {
    throw new TypeError(
      `not a policy of this version: capfit is ${JSON.stringify(record.capfit)}, not "${POLICY_VERSION}"`,
    );
  }
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
    const made = toAtoms(limit, cap);
    if (made === null || made === 0) throw new RangeError(`caps.${limit} is ${cap}: leave it out for no limit`);
    atoms[limit] = made;
  }
  return atoms;
}

function microsOf(seconds: number | undefined): number | null {
  return seconds === undefined ? null : toAtoms('seconds', seconds);
}

function ruleOf(rule: RuleRecord): Rule {
  const name = rule.name ?? DEFAULT_RULE_NAMES[rule.rule];
  const count = rule.count ?? DEFAULT_RULE_COUNT;
  if (name === undefined) throw new TypeError(`unknown rule ${JSON.stringify(rule.rule)}`);
  if (!(Number.isSafeInteger(count) && count > 0)) throw new RangeError(`rule ${name}: count is ${count}`);
  const common = { name, count, exempt: rule.exempt ?? [] };
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
