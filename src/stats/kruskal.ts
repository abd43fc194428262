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
  if (samples.length < 2) throw new RangeError(`kruskalTest requires two samples, got ${samples.length}`);
  const n = samples.reduce((sum, { length }) => sum + length, 0);
  const pooled = new Float64Array(n);
  let filled = 0;
  for (const sample of samples) {
    if (sample.length === 0) throw new RangeError('kruskalTest requires a value in every sample');
    pooled.set(sample, filled);
    filled += sample.length;
  }
  const sorted = sortAscending(pooled);
  const middle = (n + 1) / 2;
  let between = 0;
  let all = 0;
  for (const sample of samples) {
    let sum = 0;
    for (let i = 0; i < sample.length; i++) {
      const off = midrankOf(sorted, sample[i] as number) - middle;
      sum += off;
      all += off * off;
    }
    between += (sum / sample.length) * sum;
  }
  const epsilonSquared = all === 0 ? 0 : Math.min(1, between / all);
  const h = (n - 1) * epsilonSquared;
  const df = samples.length - 1;
  return { h, df, p: chiSquareUpperTail(h, df), epsilonSquared };
}

/** The rank of a value, from 1; the middle of their ranks where several are equal. */
function midrankOf(sorted: Float64Array, value: number): number {
  return (bisectLeft(sorted, value) + bisectRight(sorted, value) + 1) / 2;
}
