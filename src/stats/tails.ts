/** The chances of a count at most, and at least, as large as the one that was seen. */
export interface Tails {
  readonly atMost: number;
  readonly atLeast: number;
}

/** Twice the smaller tail: a two-sided p-value, whichever way the count is off. */
export function twoSided({ atMost, atLeast }: Tails): number {
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/**
 * How many of `m` new values lie above the value that had this rank (from 1, ascending) among `n` old ones, where all
 * were drawn alike: the tails of the negative hypergeometric distribution. The old value is itself a draw, so the count
 * spreads wider than a binomial with a fixed share would. E. J. Gumbel and H. von Schelling, "The distribution of the
 * number of exceedances", Annals of Mathematical Statistics 21 (1950).
 *
 * @throws RangeError when `m` is no whole number from 1, `rank` none in 1..n, or `above` none in 0..m.
 */
export function exceedanceTails(above: number, m: number, n: number, rank: number): Tails {
  requireWhole('exceedanceTails', 'm', m, 1, 1e9);
  requireWhole('exceedanceTails', 'n', n, 1, 1e9);
  requireWhole('exceedanceTails', 'rank', rank, 1, n);
  requireWhole('exceedanceTails', 'above', above, 0, m);
  const higher = n - rank + 1;
  return tailsOf(above, 0, m, (k) => ((m - k) * (k + higher)) / ((k + 1) * (m - k - 1 + rank)));
}

/**
 * The tails of `x` of `n` where `otherX` of `otherN` were counted elsewhere, both of one share: the hypergeometric
 * distribution given the sum. R. A. Fisher's exact test, "The logic of inductive inference" (1935).
 *
 * @throws RangeError when `n` or `otherN` is no whole number from 1, or a count is not within them.
 */
export function sharedShareTails(x: number, n: number, otherX: number, otherN: number): Tails {
  requireWhole('sharedShareTails', 'n', n, 1, 1e9);
  requireWhole('sharedShareTails', 'otherN', otherN, 1, 1e9);
  requireWhole('sharedShareTails', 'x', x, 0, n);
  requireWhole('sharedShareTails', 'otherX', otherX, 0, otherN);
  const sum = x + otherX;
  const ratio = (k: number): number => ((n - k) * (sum - k)) / ((k + 1) * (otherN - sum + k + 1));
  return tailsOf(x, Math.max(0, sum - otherN), Math.min(n, sum), ratio);
}

/**
 * The tails of a distribution on low..high whose neighbouring probabilities stand in the ratio P(k + 1) / P(k), which
 * falls as k grows. Summed outwards from the largest, so that nothing overflows and the tails keep their digits.
 */
function tailsOf(seen: number, low: number, high: number, ratio: (k: number) => number): Tails {
  const mode = peak(low, high, ratio);
  const sums = { below: 0, at: 0, above: 0 };
  const add = (k: number, weight: number): void => {
    sums[k < seen ? 'below' : k > seen ? 'above' : 'at'] += weight;
  };
  for (let k = mode, weight = 1; k <= high && weight > 0; k++) {
    add(k, weight);
    if (k < high) weight *= ratio(k);
  }
  for (let k = mode - 1, weight = 1; k >= low && weight > 0; k--) {
    weight /= ratio(k);
    add(k, weight);
  }
  const total = sums.below + sums.at + sums.above;
  return { atMost: (sums.below + sums.at) / total, atLeast: (sums.above + sums.at) / total };
}

/** The first k from which on the probabilities fall. */
function peak(low: number, high: number, ratio: (k: number) => number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (ratio(middle) < 1) to = middle;
    else from = middle + 1;
  }
  return from;
}

function requireWhole(caller: string, name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${caller} requires a whole ${name} in ${least}..${most}, got ${value}`);
}
