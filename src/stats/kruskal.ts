import { bisectLeft, bisectRight } from 'd3-array';
import { chiSquareUpperTail } from './chi-square.js';
import { sortAscending } from './summary.js';

/** Whether several samples are of one kind, or some tend to lie above others. */
export interface KruskalTest {
  /** The statistic, corrected for ties. */
  readonly h: number;
  readonly df: number;
  readonly p: number;
  /** H / (n - 1): which share of the spread of all ranks lies between the samples; 0 none, 1 all of it. */
  readonly epsilonSquared: number;
}

/**
 * The test of W. H. Kruskal and W. A. Wallis, "Use of ranks in one-criterion variance analysis", Journal of the
 * American Statistical Association 47 (1952), with their correction for ties; p by chi-square with one degree of freedom
 * less than there are samples, as R's `kruskal.test` and scipy's `kruskal`. The approximation wants some five values a
 * sample. Epsilon squared: M. Tomczak and E. Tomczak, Trends in Sport Sciences 21 (2014).
 *
 * Written as (n - 1) times the share of the squares between samples in all squares of the midranks, which is the same
 * number with ties corrected, and subtracts no large figures. Where all values are equal, H is 0.
 *
 * @param samples each not empty, in any order
 * @throws RangeError when there are fewer than two samples, or one is empty or holds a value that is not finite
 */
export function kruskalTest(samples: readonly ArrayLike<number>[]): KruskalTest {
  const n = samples.reduce((sum, { length }) => sum + length, 0);
  const pooled = new Float64Array(n);
  let filled = 0;
  for (const sample of samples) {
    if (sample.length === 0) throw new RangeError('kruskalTest requires a value in every sample');
    pooled.set(sample, filled);
    filled += sample.length;
  }
  const sorted = sortAscending(pooled);
  const sums = samples.map((sample): RankSum => {
    // Exact up to some ninety million values.
    let doubled = 0;
    for (let i = 0; i < sample.length; i++) doubled += doubledMidrank(sorted, sample[i] as number);
    return { n: sample.length, doubled: BigInt(doubled) };
  });
  return kruskalOf(sums, tiesIn(sorted));
}

/** The ranks of one sample among all: how many values it has, and twice the sum of their midranks. */
export interface RankSum {
  readonly n: number;
  readonly doubled: bigint;
}

/**
 * The same test of sums that were made elsewhere.
 *
 * @param ties the sum of t^3 - t over all sets of t equal values
 * @throws RangeError when there are fewer than two samples
 */
export function kruskalOf(sums: readonly RankSum[], ties: bigint): KruskalTest {
  if (sums.length < 2) throw new RangeError(`kruskalTest requires two samples, got ${sums.length}`);
  const n = sums.reduce((sum, each) => sum + each.n, 0);
  const size = BigInt(n);
  // Whole numbers up to here: twelve times the squares of all midranks about their middle.
  const all = Number(size ** 3n - size - ties) / 12;
  let between = 0;
  for (const sum of sums) {
    const off = Number(sum.doubled - BigInt(sum.n) * (size + 1n)) / 2;
    between += (off / sum.n) * off;
  }
  const epsilonSquared = all === 0 ? 0 : Math.min(1, between / all);
  const h = (n - 1) * epsilonSquared;
  const df = sums.length - 1;
  return { h, df, p: chiSquareUpperTail(h, df), epsilonSquared };
}

/** Twice the rank of a value, from 1; the middle of their ranks where several are equal. */
function doubledMidrank(sorted: Float64Array, value: number): number {
  return bisectLeft(sorted, value) + bisectRight(sorted, value) + 1;
}

function tiesIn(sorted: Float64Array): bigint {
  let ties = 0n;
  for (let start = 0; start < sorted.length; ) {
    const end = bisectRight(sorted, sorted[start] as number, start);
    const size = BigInt(end - start);
    ties += size ** 3n - size;
    start = end;
  }
  return ties;
}
