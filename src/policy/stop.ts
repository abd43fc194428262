import type { Counters, LimitName } from '../model/limits.js';
import type { Call } from '../model/run.js';
import { type Ledger, tellDispatch } from './ledger.js';
import type { OrderEntry, Policy, Rule, RuleTime } from './policy.js';

/** A limit that was reached, at one boundary. */
export interface Reached {
  /** The limit's name, or the rule's. */
  readonly reason: string;
  /** `null` for a rule. */
  readonly limit: LimitName | null;
  /** The ceiling in atoms, or the rule's count. */
  readonly cap: number;
  /** What the counter stood at. */
  readonly counter: number;
}

/** The one comparison in the program: a limit is reached when its counter is at the cap or above. */
export function isReached(counter: number | null, cap: number): counter is number {
  return counter !== null && counter >= cap;
}

/**
 * The first limit reached, in the policy's order, or `null`. Pure: asked before every model call by the replay and
 * by a live loop alike.
 *
 * @param onUnknown told each limit that could not be judged because its counter is unknown
 */
export function firstReached(
  policy: Policy,
  ledger: Ledger,
  onUnknown: (limit: LimitName) => void = () => undefined,
): Reached | null {
  for (const entry of policy.order) {
    const reached =
      entry === 'rules' ? firstRule(policy, ledger) : capReached(policy, ledger.counters, entry, onUnknown);
    if (reached !== null) return reached;
  }
  return null;
}

function capReached(
  policy: Policy,
  counters: Counters,
  limit: Exclude<OrderEntry, 'rules'>,
  onUnknown: (limit: LimitName) => void,
): Reached | null {
  const cap = policy.caps[limit];
  if (cap === undefined) return null;
  const counter = counters[limit];
  if (counter === null) onUnknown(limit);
  return isReached(counter, cap) ? { reason: limit, limit, cap, counter } : null;
}

/**
 * The first limit reached before a tool is run, or `null`: what `before_dispatch` rules and `steps_at: dispatch` ask.
 * The rules are told of the call first, since it would be the next of its kind.
 *
 * @param steps steps emitted so far: before this pass, and 2j of it at its j-th call (plan, j calls, j - 1 results)
 */
export function firstReachedAtDispatch(
  policy: Policy,
  ledger: Ledger,
  call: Call,
  steps: number | null,
): Reached | null {
  tellDispatch(ledger, call);
  for (const entry of policy.order) {
    const reached =
      entry === 'rules'
        ? firstRule(policy, ledger, 'before_dispatch')
        : entry === 'steps' && policy.stepsAt === 'dispatch'
          ? capReached(policy, { ...ledger.counters, steps }, 'steps', () => undefined)
          : null;
    if (reached !== null) return reached;
  }
  return null;
}

/** @param when only rules judged then; at a boundary all are asked */
function firstRule(policy: Policy, ledger: Ledger, when: RuleTime | null = null): Reached | null {
  for (let index = 0; index < policy.rules.length; index++) {
    const rule = policy.rules[index] as Rule;
    if (when !== null && rule.when !== when) continue;
    const counter = ledger.trackers[index]?.count ?? null;
    if (isReached(counter, rule.count)) return { reason: rule.name, limit: null, cap: rule.count, counter };
  }
  return null;
}
