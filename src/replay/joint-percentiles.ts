import { compare, type Fraction } from '../model/decimal.js';
import { rankOf } from '../stats/quantile.js';

/**
 * Percentiles above one that reach further ranks: one for each rank of any of the samples, ascending. Between two of
 * them no nearest-rank percentile of any sample changes, and each is the roundest decimal that has its ranks.
 *
 * @param sizes how many values each sample has, from 1 on
 */
export function percentilesAbove(sizes: readonly number[], p: Fraction): Fraction[] {
  const ends = [...new Set(sizes)].flatMap((n) => {
    const lowest = rankOf(n, p);
    return Array.from({ length: n - lowest + 1 }, (_, index) => ({ num: BigInt(lowest + index), den: BigInt(n) }));
  });
  ends.sort(compare);
  const percentiles: Fraction[] = [];
  for (const [index, end] of ends.entries()) {
    const before = ends[index - 1];
    if (before !== undefined && compare(before, end) < 0) percentiles.push(roundestIn(before, end));
  }
  return percentiles;
}

/** The percentile of a rank among n values, as the roundest decimal that has it. */
export function percentileOfRank(rank: number, n: number): Fraction {
  return roundestIn({ num: BigInt(rank - 1), den: BigInt(n) }, { num: BigInt(rank), den: BigInt(n) });
}

/**
 * The decimal with the fewest places above `low` and up to `high`, and of those the largest. 1 is left out: the maximum
 * is no percentile that more runs would leave alone, and has others.
 *
 * @param low from 0, below `high`, which is at most 1
 */
export function roundestIn(low: Fraction, high: Fraction): Fraction {
  for (let den = 10n; ; den *= 10n) {
    const floor = (high.num * den) / high.den;
    const found = { num: floor === den ? den - 1n : floor, den };
    if (compare(found, low) > 0) return found;
  }
}
