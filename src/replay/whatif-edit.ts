import type { Fraction } from '../model/decimal.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import type { Policy, Rule } from '../policy/policy.js';
import type { Relation } from './whatif-result.js';

/** What is different in a candidate. */
export interface Edit {
  /** Ceilings in atoms; `null` takes the cap away. */
  readonly caps: { readonly [limit in LimitName]?: number | null };
  readonly addRules: readonly Rule[];
  /** By name. */
  readonly removeRules: readonly string[];
}

/**
 * The policy with other caps and rules. What it was measured on is true of it no more, and is left out.
 *
 * @throws RangeError when a rule to remove is not there, or the name of one to add is taken
 */
export function edited(policy: Policy, { caps, addRules, removeRules }: Edit): Policy {
  const missing = removeRules.find((name) => !policy.rules.some((rule) => rule.name === name));
  if (missing !== undefined) throw new RangeError(`no rule is named ${missing}`);
  const rules = [...policy.rules.filter(({ name }) => !removeRules.includes(name)), ...addRules];
  const taken = rules.find(({ name }, index) => rules.findIndex((other) => other.name === name) < index);
  if (taken !== undefined) throw new RangeError(`two rules are named ${taken.name}`);
  const kept = LIMITS.flatMap((limit) => {
    const cap = caps[limit] === undefined ? policy.caps[limit] : caps[limit];
    return cap === undefined || cap === null ? [] : [[limit, cap]];
  });
  return { ...policy, caps: Object.fromEntries(kept), rules, measured: null };
}

/**
 * The policy with every cap times a factor, exact, rounded up to whole passes, tokens and steps, whole microseconds and
 * whole billionths of a dollar.
 *
 * @param factor above 0
 * @throws RangeError when a cap grows beyond exact numbers
 */
export function scaled(policy: Policy, factor: Fraction): Policy {
  const caps = LIMITS.flatMap((limit) => {
    const cap = policy.caps[limit];
    return cap === undefined ? [] : [[limit, scaledAtoms(limit, cap, factor)]];
  });
  return { ...policy, caps: Object.fromEntries(caps), measured: null };
}

function scaledAtoms(limit: LimitName, atoms: number, { num, den }: Fraction): number {
  const product = (BigInt(atoms) * num + den - 1n) / den;
  if (product > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`the ${limit} cap grows beyond exact numbers`);
  return Number(product);
}

/** How a candidate stands to today's policy, whatever the runs: by their caps and rules alone. */
export function relationOf(today: Policy, candidate: Policy): Relation {
  const [stricter, looser] = [isAsStrict(candidate, today), isAsStrict(today, candidate)];
  if (stricter) return looser ? 'same' : 'stricter';
  return looser ? 'looser' : 'mixed';
}

/** Whether `one` is sure to stop every run that `other` stops, and no later. The order only tells which reason is given. */
function isAsStrict(one: Policy, other: Policy): boolean {
  const asksStepsAsOften = other.caps.steps === undefined || other.stepsAt === 'boundary' || one.stepsAt === 'dispatch';
  const capsHold = LIMITS.every((limit) => {
    const cap = other.caps[limit];
    return cap === undefined || (one.caps[limit] ?? Number.POSITIVE_INFINITY) <= cap;
  });
  return (
    asksStepsAsOften && capsHold && other.rules.every((rule) => one.rules.some((each) => firesAsEarly(each, rule)))
  );
}

/** Whether two rules count the same, and the first stops at no higher count and no later moment. */
function firesAsEarly(one: Rule, other: Rule): boolean {
  const isNoLater = one.when === other.when || one.when === 'before_dispatch';
  return isNoLater && one.count <= other.count && whatIsCounted(one) === whatIsCounted(other);
}

function whatIsCounted({ name: _, count: __, when: ___, exempt, ...rest }: Rule): string {
  return JSON.stringify([Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)), [...exempt].sort()]);
}
