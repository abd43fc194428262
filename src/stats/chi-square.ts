import { normalUpperTail } from './normal.js';
import { stirlingError } from './saddle.js';

/**
 * The chance that a chi-square variable with `df` degrees of freedom lies at or above x; to about 1e-12 of itself. The
 * upper incomplete gamma function Q(df / 2, x / 2) of a whole or a half shape is a finite sum of positive terms, with
 * the tail of a normal variable where df is odd: Abramowitz and Stegun 26.4.4 and 26.4.5, DLMF 8.4.8 and 8.8.2.
 *
 * @throws RangeError when `x` is below 0 or not finite, or `df` no whole number from 1.
 */
export function chiSquareUpperTail(x: number, df: number): number {
  if (!(x >= 0 && x < Number.POSITIVE_INFINITY)) throw new RangeError(`chiSquareUpperTail requires x >= 0, got ${x}`);
  if (!(Number.isSafeInteger(df) && df >= 1)) {
    throw new RangeError(`chiSquareUpperTail requires a whole df from 1, got ${df}`);
  }
  if (x === 0) return 1;
  const lowest = df % 2 === 0 ? 0 : 0.5;
  const tail = df % 2 === 0 ? 0 : 2 * normalUpperTail(Math.sqrt(x));
  return Math.min(1, tail + termsOf(x / 2, lowest, df / 2 - 1));
}

/**
 * The sum of e^-h h^a / gamma(a + 1) for a = lowest, lowest + 1 … highest. The terms rise up to a = h and fall behind
 * it, so they are summed outwards from the largest, and none that counts is lost below the smallest number.
 */
function termsOf(h: number, lowest: number, highest: number): number {
  if (highest < lowest) return 0;
  const start = Math.min(highest, lowest + Math.max(0, Math.floor(h - lowest)));
  const largest = termAt(h, start);
  let sum = largest;
  for (let a = start, term = largest; a > lowest && term > sum * Number.EPSILON; a--) {
    term *= a / h;
    sum += term;
  }
  for (let a = start, term = largest; a < highest && term > sum * Number.EPSILON; a++) {
    term *= h / (a + 1);
    sum += term;
  }
  return sum;
}

/** e^-h h^a / gamma(a + 1) by Stirling's formula and what it misses: the large parts cancel on paper. */
function termAt(h: number, a: number): number {
  if (a === 0) return Math.exp(-h);
  return Math.exp(-stirlingError(a) - (a * Math.log(a / h) + h - a)) / Math.sqrt(2 * Math.PI * a);
}
