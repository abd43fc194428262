import { normalUpperTail } from './normal.js';

/** Whether one sample tends to lie above another. */
export interface RankTest {
  /** The chance that a value of the first sample is the larger one of a pair, ties halved. */
  readonly superiority: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * The test of H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947): normal approximation with the
 * correction for ties and for continuity, as R's `wilcox.test(exact = FALSE)`. The approximation wants some ten values
 * a side.
 *
 * @param a ascending, not empty
 * @param b ascending, not empty
 * @throws RangeError when a sample is empty
 */
export function rankTest(a: ArrayLike<number>, b: ArrayLike<number>): RankTest {
  const pairs = a.length * b.length;
  if (pairs === 0) throw new RangeError('rankTest requires a value on either side');
  const { wins, ties } = compareSorted(a, b);
  const all = a.length + b.length;
  const variance = (pairs / 12) * (all + 1 - ties / (all * (all - 1)));
  const superiority = wins / pairs;
  if (!(variance > 0)) return { superiority, p: 1 };
  const z = Math.max(0, Math.abs(wins - pairs / 2) - 0.5) / Math.sqrt(variance);
  return { superiority, p: Math.min(1, 2 * normalUpperTail(z)) };
}

/** Pairs in which `a` has the larger value, ties halved, and the sum of t^3 - t over groups of t equal values. */
function compareSorted(a: ArrayLike<number>, b: ArrayLike<number>): { wins: number; ties: number } {
  let wins = 0;
  let ties = 0;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    const [fromA, fromB] = [i, j];
    while (i < a.length && a[i] === value) i++;
    while (j < b.length && b[j] === value) j++;
    wins += (i - fromA) * (fromB + (j - fromB) / 2);
    const equal = i - fromA + (j - fromB);
    ties += equal ** 3 - equal;
  }
  return { wins, ties };
}
