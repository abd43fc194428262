import { fromAtoms } from '../model/atoms.js';
import { EMPTY_POLICY, type Policy } from '../policy/policy.js';
import type { Outcome } from './replay.js';
import type { ReplayReport } from './result.js';
import type { LimitCuts } from './whatif-result.js';

/** One cap or rule of a policy, and the policy that has nothing else. */
interface Alone {
  readonly limit: string;
  readonly isRule: boolean;
  /** In the limit's own unit, or the rule's count. */
  readonly cap: number;
  readonly policy: Policy;
}

/** Which of a policy's limits stop each run by themselves. */
export interface LimitWatch {
  /** Policies of one limit each, to be replayed beside the others; limits that several policies share come once. */
  readonly alone: readonly Policy[];
  /** @param outcomes of the policies in `alone`, in their order */
  see(outcomes: readonly Outcome[], verified: boolean): void;
  /** The cuts of the limits of one of the policies watched, by its number. */
  cutsOf(policy: number, replay: ReplayReport): LimitCuts[];
}

interface Counts {
  only: number;
  onlyVerified: number;
  shared: number;
  sharedVerified: number;
}

/**
 * Watches policies limit by limit. A limit is reached at a place of a run whatever the others do, so that a policy stops
 * a run where any of its limits would by itself.
 */
export function watchLimits(policies: readonly Policy[]): LimitWatch {
  const alone: Policy[] = [];
  const places = new Map<string, number>();
  const watched = policies.map((policy) =>
    limitsOf(policy).map((limit) => {
      const key = JSON.stringify([limit.policy.caps, limit.policy.rules, limit.policy.stepsAt]);
      const place = places.get(key) ?? alone.push(limit.policy) - 1;
      places.set(key, place);
      const counts: Counts = { only: 0, onlyVerified: 0, shared: 0, sharedVerified: 0 };
      return { limit, place, counts };
    }),
  );
  return {
    alone,
    see(outcomes, verified) {
      for (const limits of watched) {
        const stopping = limits.filter(({ place }) => outcomes[place]?.stop != null);
        for (const { counts } of stopping) countStop(counts, stopping.length === 1, verified);
      }
    },
    cutsOf: (policy, replay) =>
      (watched[policy] ?? []).map(({ limit, counts }) => ({
        limit: limit.limit,
        is_rule: limit.isRule,
        cap: limit.cap,
        first: replay.by_reason[limit.limit]?.count ?? 0,
        first_verified: replay.false_stops.runs.filter(({ reason }) => reason === limit.limit).length,
        only: counts.only,
        only_verified: counts.onlyVerified,
        shared: counts.shared,
        shared_verified: counts.sharedVerified,
        not_judged: replay.not_judged[limit.limit] ?? 0,
      })),
  };
}

function countStop(counts: Counts, isOnly: boolean, verified: boolean): void {
  if (isOnly) counts.only++;
  else counts.shared++;
  if (verified && isOnly) counts.onlyVerified++;
  else if (verified) counts.sharedVerified++;
}

/** The caps and rules of a policy, in the order asked. */
function limitsOf({ order, caps, rules, stepsAt }: Policy): Alone[] {
  return order.flatMap((entry): Alone[] => {
    if (entry === 'rules') {
      return rules.map((rule) => ({
        limit: rule.name,
        isRule: true,
        cap: rule.count,
        policy: { ...EMPTY_POLICY, rules: [rule] },
      }));
    }
    const cap = caps[entry];
    if (cap === undefined) return [];
    const asked = entry === 'steps' ? stepsAt : EMPTY_POLICY.stepsAt;
    const policy = { ...EMPTY_POLICY, caps: { [entry]: cap }, stepsAt: asked };
    return [{ limit: entry, isRule: false, cap: fromAtoms(entry, cap), policy }];
  });
}
