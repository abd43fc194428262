import { fromAtoms } from '../model/atoms.js';
import type { Json } from '../model/json.js';
import { LIMITS } from '../model/limits.js';
import type { OrderEntry, Policy, RepeatRule, Rule } from './policy.js';

/** The word that opens every policy file of this version. */
export const POLICY_VERSION = 'policy/v1';

/** The policy as its file holds it, in the units of the file: plain data, only what is set. */
export function policyRecord(policy: Policy): { [key: string]: Json } {
  const record: { [key: string]: Json } = { capfit: POLICY_VERSION };
  if (policy.name !== null) record.name = policy.name;
  record.caps = capsRecord(policy.caps);
  record.order = policy.order.filter((entry) => isAsked(policy, entry));
  record.rules = policy.rules.map(ruleRecord);
  if (policy.stepsAt === 'dispatch') record.steps_at = policy.stepsAt;
  const timeouts = timeoutsRecord(policy);
  if (timeouts !== null) record.timeouts = timeouts;
  record.wrap_up = policy.wrapUp;
  if (policy.haltOn.length > 0) record.halt_on = [...policy.haltOn];
  if (policy.check !== null) record.check = policy.check;
  if (policy.measured !== null) record.measured = policy.measured;
  return record;
}

/** Caps in their own units: seconds and dollars as decimals. */
export function capsRecord(caps: Policy['caps']): { [limit: string]: number } {
  const record: { [limit: string]: number } = {};
  for (const limit of LIMITS) {
    const cap = caps[limit];
    if (cap !== undefined) record[limit] = fromAtoms(limit, cap);
  }
  return record;
}

/** An entry of the order that says something: a cap that is set, or the rules where there are any. */
function isAsked(policy: Policy, entry: OrderEntry): boolean {
  return entry === 'rules' ? policy.rules.length > 0 : policy.caps[entry] !== undefined;
}

function ruleRecord(rule: Rule): { [key: string]: Json } {
  return {
    rule: rule.rule,
    name: rule.name,
    ...(rule.rule === 'repeat' ? repeatRecord(rule) : { count: rule.count }),
    ...(rule.exempt.length > 0 ? { exempt: [...rule.exempt] } : {}),
    ...(rule.when === 'before_call' ? {} : { when: rule.when }),
  };
}

function repeatRecord(rule: RepeatRule): { [key: string]: Json } {
  return {
    key: rule.key,
    count: rule.count,
    ...(rule.scope === 'run' ? { scope: rule.scope } : {}),
    ...(rule.scope === 'window' && rule.window !== null ? { window: rule.window } : {}),
    ...(rule.period === 1 ? {} : { period: rule.period }),
    ...(rule.minPeriod === 1 ? {} : { min_period: rule.minPeriod }),
  };
}

function timeoutsRecord(policy: Policy): { [key: string]: number } | null {
  const { modelCall, tool } = policy.timeouts;
  if (modelCall === null && tool === null) return null;
  return {
    ...(modelCall === null ? {} : { model_call: fromAtoms('seconds', modelCall) }),
    ...(tool === null ? {} : { tool: fromAtoms('seconds', tool) }),
  };
}
