import type { DeriveOptions } from '../calibrate/options.js';
import { percentileName, quantileOf } from '../calibrate/quantiles.js';
import { type CapReport, type Method, SHOWN_PERCENTILES } from '../calibrate/result.js';
import { atomsToFraction } from '../model/atoms.js';
import { compare, type Fraction, parseDecimal, toNumber } from '../model/decimal.js';
import { numberText } from '../model/decimal-text.js';
import { ATOMS_PER_UNIT, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import type { Ascending } from '../stats/ascending.js';
import { linearQuantile, rankOf } from '../stats/quantile.js';
import type { HiddenCap, HiddenPercentile } from './hidden-result.js';

/**
 * The shown percentiles, and what they could be at most: every censored run a success, larger than any that was seen.
 *
 * @param sorted ascending atoms
 */
export function hiddenPercentiles(
  metric: Metric,
  sorted: Ascending,
  censored: number,
  { p, method }: Pick<DeriveOptions, 'p' | 'method'>,
): HiddenPercentile[] | null {
  if (sorted.length === 0) return null;
  return proportions(p).map((each) => {
    const recorded = toNumber(quantileOf(metric, sorted, each, method));
    const worst = quantileBeside(metric, sorted, censored, each, method);
    return {
      name: percentileName(each),
      recorded,
      best: recorded,
      worst: worst === null ? null : toNumber(worst),
      not_identified: worst === null ? whyNot(sorted.length, censored, each, method) : null,
    };
  });
}

/** The percentiles that are always shown but for the outermost, and the one in force, ascending. */
function proportions(inForce: Fraction): Fraction[] {
  const shown = SHOWN_PERCENTILES.filter((name) => name !== 'p99.9').map((name): Fraction => {
    const { num, den } = parseDecimal(name.slice(1)) as Fraction;
    return { num, den: den * 100n };
  });
  return [...shown.filter((each) => compare(each, inForce) !== 0), inForce].sort(compare);
}

/** The percentile with so many values beside it that lie above all others; `null` where it would be one of them. */
function quantileBeside(
  metric: Metric,
  sorted: Ascending,
  beyond: number,
  p: Fraction,
  method: Method,
): Fraction | null {
  const n = sorted.length;
  if (highestRank(n + beyond, p, method) > n) return null;
  if (method === 'nearest-rank') return atomsToFraction(metric, sorted.at(rankOf(n + beyond, p) - 1) as number);
  // What stands for the values beyond is not looked at.
  const widened: Ascending = { length: n + beyond, at: (index) => sorted.at(Math.min(index, n - 1)) };
  const { num, den } = linearQuantile(widened, p);
  return { num, den: den * BigInt(ATOMS_PER_UNIT[metric]) };
}

/** The highest rank, from 1, that the percentile of n values is read from. */
function highestRank(n: number, p: Fraction, method: Method): number {
  if (method === 'nearest-rank') return rankOf(n, p);
  const position = p.num * BigInt(n - 1);
  return Number((position + p.den - 1n) / p.den) + 1;
}

function whyNot(n: number, censored: number, p: Fraction, method: Method): string {
  const rank = highestRank(n + censored, p, method);
  return `rank ${numberText(rank)} of ${numberText(n + censored)} falls among the ${plural(censored, 'run')} whose size is not known`;
}

/** Whether a cap keeps the accepted rate if some of the censored runs would have passed, beyond the cap. */
export function hiddenCap(report: CapReport | null, censored: number, p: Fraction): HiddenCap | null {
  if (report === null) return null;
  const { cap, above, n } = report;
  // (above + k) / (n + k) <= 1 - p, for the largest whole k.
  const spare = (p.den - p.num) * BigInt(n) - p.den * BigInt(above);
  const holds = spare < 0n ? null : p.num === 0n ? censored : Number(spare / p.num);
  return {
    cap,
    above,
    n,
    share: [above / n, (above + censored) / (n + censored)],
    holds_up_to: holds === null ? null : Math.min(censored, holds),
  };
}
