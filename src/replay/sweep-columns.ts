import type { LimitName } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { RANKS, rankOf } from './sweep-codes.js';

/** Policies that share their rules and differ in caps and order, column by column. */
export interface PolicyColumns {
  readonly length: number;
  readonly rules: Policy['rules'];
  readonly stepsAt: Policy['stepsAt'];
  /** Ceilings in atoms, infinite for none; a limit that no policy has is left out. */
  readonly caps: { readonly [limit in LimitName]?: Float64Array };
  /** The distinct orders in which limits are asked, and which one a policy has. */
  readonly orders: readonly Policy['order'][];
  readonly orderOf: Uint16Array;
}

/** The caps of all policies on one limit, ascending. */
export interface SortedCaps {
  readonly caps: Float64Array;
  /** Whose cap it is, times `RANKS`, and the rank of the limit in the owner's order. */
  readonly owners: Int32Array;
}

export function ownerOf(owner: number): number {
  return owner >> 3;
}

/** `null` where no policy has the limit. */
export function sortedCaps(policies: PolicyColumns, limit: LimitName): SortedCaps | null {
  const caps = policies.caps[limit];
  if (caps === undefined) return null;
  const owners = Uint32Array.from(caps.keys())
    .filter((policy) => caps[policy] !== Number.POSITIVE_INFINITY)
    .sort((a, b) => (caps[a] as number) - (caps[b] as number));
  if (owners.length === 0) return null;
  const ranks = policies.orders.map((order) => rankOf(order, limit));
  return {
    caps: Float64Array.from(owners, (policy) => caps[policy] as number),
    owners: Int32Array.from(owners, (policy) => RANKS * policy + (ranks[policies.orderOf[policy] as number] as number)),
  };
}
