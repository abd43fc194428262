import { binomialCdf } from './beta.js';

/**
 * The exact two-sided sign test of pairs that differ one way or the other: if both ways were equally likely, how often
 * a split at least this uneven comes up. On pairs of yes and no it is the exact form of Q. McNemar's test,
 * Psychometrika 12 (1947); R's `binom.test(one, one + other)`.
 *
 * @param one pairs that differ one way
 * @param other pairs that differ the other way; pairs that agree play no part
 * @returns `null` where no pair differs
 * @throws RangeError when a count is no whole number from 0
 */
export function signTest(one: number, other: number): number | null {
  for (const count of [one, other]) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`signTest requires whole counts, got ${count}`);
  }
  const pairs = one + other;
  if (pairs === 0) return null;
  // At an even split the two tails share the middle, and sum to more than 1.
  return Math.min(1, 2 * binomialCdf(Math.min(one, other), pairs, 0.5));
}
