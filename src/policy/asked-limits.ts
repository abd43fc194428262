import type { LimitName } from '../model/limits.js';
import type { Caps, OrderEntry, Policy } from './policy.js';

/** The order in which the limits and rules of a policy are asked, each by its own name. */
export interface AskedLimit {
  readonly reason: string;
  readonly limit: LimitName | null;
  /** Place among the policy's rules; `null` for a cap. */
  readonly rule: number | null;
  readonly cap: number;
}

/** Every limit and rule that a policy has, in the order asked. */
export function askedLimits({ order, caps, rules }: Pick<Policy, 'order' | 'caps' | 'rules'>): AskedLimit[] {
  return order.flatMap((entry: OrderEntry): AskedLimit[] => {
    if (entry === 'rules') {
      return rules.map((rule, index) => ({ reason: rule.name, limit: null, rule: index, cap: rule.count }));
    }
    const cap = (caps satisfies Caps)[entry];
    return cap === undefined ? [] : [{ reason: entry, limit: entry, rule: null, cap }];
  });
}
