import { betaQuantile } from './beta.js';
import { upperLimit } from './interval.js';

/** More is not recorded by anyone. */
const MOST = 1e8;

/**
 * How many values a sample needs before the one-sided upper limit of a share is at most this, when a fixed number and a
 * fixed part of them are counted: the smallest n with U(fixed + part * n, n) <= share, U being the limit of Clopper and
 * Pearson continued to counts that are not whole (its beta quantile). `null` where no n up to 1e8 is enough.
 *
 * @throws RangeError when `share` or `confidence` is not between 0 and 1, or a count is below 0
 */
export function sampleSizeAtRate(part: number, fixed: number, share: number, confidence = 0.95): number | null {
  for (const [name, value] of Object.entries({ share, confidence })) {
    if (!(value > 0 && value < 1)) throw new RangeError(`sampleSizeAtRate requires 0 < ${name} < 1, got ${value}`);
  }
  if (!(part >= 0 && fixed >= 0)) throw new RangeError(`sampleSizeAtRate requires counts from 0`);
  if (part >= share) return null;
  const isEnough = (n: number): boolean => {
    const x = fixed + part * n;
    if (x >= n) return false;
    return (x === 0 ? upperLimit(0, n, confidence) : betaQuantile(confidence, x + 1, n - x)) <= share;
  };
  let [low, high] = [0, 1];
  while (high < MOST && !isEnough(high)) [low, high] = [high, Math.min(MOST, high * 2)];
  if (!isEnough(high)) return null;
  // Invariant: not enough at low, enough at high.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
