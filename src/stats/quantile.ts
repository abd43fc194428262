import type { Ascending } from './ascending.js';

/** An exact ratio of two whole numbers. `den` is positive; the pair need not be reduced. */
export interface Ratio {
  readonly num: bigint;
  readonly den: bigint;
}

/** A ratio p with 0 < p <= 1: the share of values at or below a percentile. 0.07 is 7/100, not its binary neighbour. */
export type Proportion = Ratio;

/**
 * The rank, counted from 1, of the nearest-rank percentile: the smallest whole number at or above p * n, exactly.
 * It is what R calls type 1 (Hyndman and Fan, The American Statistician 50, 1996, definition 1).
 *
 * @throws RangeError when `n` is no whole number from 1, or `p` is not above 0 and at most 1.
 */
export function rankOf(n: number, p: Proportion): number {
  requireSample('rankOf', n, p);
  return Number((p.num * BigInt(n) + p.den - 1n) / p.den);
}

/**
 * The nearest-rank percentile: always a value that occurred.
 *
 * @param sorted the values in ascending order; the order is not checked.
 * @throws RangeError when there is no value, or `p` is not above 0 and at most 1.
 */
export function nearestRank(sorted: Ascending, p: Proportion): number {
  requireSample('nearestRank', sorted.length, p);
  return sorted.at(rankOf(sorted.length, p) - 1) as number;
}

/**
 * The percentile interpolated between two neighbouring values: R's type 7, numpy's default (Hyndman and Fan, 1996,
 * definition 7). It stands at position 1 + (n - 1) * p. The values are whole numbers, so the result is exact.
 *
 * @param sorted whole numbers in ascending order; the order is not checked.
 * @throws RangeError when there is no value, `p` is not above 0 and at most 1, or a value used is not whole.
 */
export function linearQuantile(sorted: Ascending, p: Proportion): Ratio {
  requireSample('linearQuantile', sorted.length, p);
  const last = sorted.length - 1;
  const position = p.num * BigInt(last);
  const index = Number(position / p.den);
  const below = wholeAt(sorted, index);
  const above = wholeAt(sorted, Math.min(index + 1, last));
  return { num: below * p.den + (position % p.den) * (above - below), den: p.den };
}

function wholeAt(sorted: Ascending, index: number): bigint {
  const value = sorted.at(index) as number;
  if (!Number.isInteger(value)) throw new RangeError(`linearQuantile requires whole numbers, got ${value}`);
  return BigInt(value);
}

function requireSample(caller: string, n: number, p: Proportion): void {
  if (!(n >= 1)) throw new RangeError(`${caller} requires n >= 1, got ${n}`);
  if (!Number.isSafeInteger(n)) throw new RangeError(`${caller} requires a whole n, got ${n}`);
  if (p.num <= 0n || p.num > p.den) throw new RangeError(`${caller} requires 0 < p <= 1, got ${p.num}/${p.den}`);
}
