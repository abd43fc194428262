import type { OrderEntry, Policy } from '../policy/policy.js';

/*
 * Where a policy reaches something in a run, as one whole number: the boundary after k passes is 16 k, inside pass k
 * comes 8 before that, and the rank of what is reached in the policy's order is added. So the first of several is the
 * smallest number, which a sweep finds without a branch: which of two limits comes first is a coin to the processor.
 */

/** Nothing is reached. */
export const NO_CODE = 2 ** 30;
/** What lies before, and behind, everything else inside one pass. */
export const FIRST_RANK = 0;
export const LAST_RANK = 7;
/** How many ranks there are. */
export const RANKS = 8;

export function boundaryCode(passes: number, rank: number): number {
  // Shifted, so that it is a small integer even where caps are doubles.
  return (passes << 4) + rank;
}

export function insideCode(pass: number, rank: number): number {
  return (pass << 4) - 8 + rank;
}

/** Passes made at a place, the one that it lies in included. */
export function passesAt(code: number): number {
  return (code + 8) >> 4;
}

export function isInside(code: number): boolean {
  return (code & 8) !== 0;
}

export function rankAt(code: number): number {
  return code & 7;
}

/** 1 for no code, 0 for any other. */
export function isNone(code: number): number {
  return code >>> 30;
}

/** The smaller of two codes. */
export function firstOf(one: number, other: number): number {
  const difference = one - other;
  return other + (difference & (difference >> 31));
}

/** The rank of an entry in an order, from 1: an order names every limit. */
export function rankOf(order: Policy['order'], entry: OrderEntry): number {
  return 1 + order.indexOf(entry);
}
