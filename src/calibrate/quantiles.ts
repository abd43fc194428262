import { atomsToFraction, fromAtoms } from '../model/atoms.js';
import { compare, type Fraction, toDecimalText, toNumber } from '../model/decimal.js';
import { ATOMS_PER_UNIT, type Metric } from '../model/limits.js';
import type { Ascending } from '../stats/ascending.js';
import { quantileIntervalRanks, quantileUpperRank } from '../stats/interval.js';
import { linearQuantile, nearestRank, rankOf } from '../stats/quantile.js';
import { type Method, type Quantiles, SHOWN_PERCENTILES } from './result.js';

/** `p99` for 0.99, `p99.9` for 0.999. */
export function percentileName(p: Fraction): `p${string}` {
  return `p${toDecimalText({ num: p.num * 100n, den: p.den }) ?? String(Number(p.num * 100n) / Number(p.den))}`;
}

function proportionOf(name: string): Fraction {
  const [whole = '0', part = ''] = name.slice(1).split('.');
  return { num: BigInt(whole + part), den: 100n * 10n ** BigInt(part.length) };
}

/** The percentile of ascending atoms, in the metric's own unit, exact. */
export function quantileOf(metric: Metric, sorted: Ascending, p: Fraction, method: Method): Fraction {
  if (method === 'nearest-rank') return atomsToFraction(metric, nearestRank(sorted, p));
  const atoms = linearQuantile(sorted, p);
  return { num: atoms.num, den: atoms.den * BigInt(ATOMS_PER_UNIT[metric]) };
}

/**
 * The shown percentiles and the one in force, with distribution-free intervals by order statistics (binomial).
 *
 * @param sorted ascending atoms; empty gives `null`
 */
export function quantilesOf(metric: Metric, sorted: Ascending, p: Fraction, method: Method): Quantiles | null {
  const n = sorted.length;
  if (n === 0) return null;
  const inForce = percentileName(p);
  const names = [...SHOWN_PERCENTILES.filter((name) => name !== inForce), inForce].sort((a, b) =>
    compare(proportionOf(a), proportionOf(b)),
  ) as `p${string}`[];
  const values: { [name: `p${string}`]: number } = {};
  const ci95: { [name: string]: readonly [number | null, number | null] } = {};
  const upper95: { [name: string]: number | null } = {};
  const noInterval: { [name: string]: string } = {};
  const atRank = (rank: number | null): number | null =>
    rank === null ? null : fromAtoms(metric, sorted.at(rank - 1) as number);
  for (const name of names) {
    const proportion = proportionOf(name);
    const ranks = quantileIntervalRanks(n, toNumber(proportion));
    const upper = quantileUpperRank(n, toNumber(proportion));
    values[name] = toNumber(quantileOf(metric, sorted, proportion, method));
    ci95[name] = [atRank(ranks.lower), atRank(ranks.upper)];
    upper95[name] = atRank(upper);
    const reason = missingInterval(n, ranks.lower, ranks.upper, upper);
    if (reason !== null) noInterval[name] = reason;
  }
  return {
    ...values,
    max: fromAtoms(metric, sorted.at(n - 1) as number),
    n,
    method,
    ci95,
    upper95,
    no_interval: noInterval,
  };
}

function missingInterval(
  n: number,
  lower: number | null,
  upper: number | null,
  upperOneSided: number | null,
): string | null {
  const missing = [
    ...(lower === null ? ['lower end'] : []),
    ...(upper === null ? ['upper end'] : []),
    ...(upperOneSided === null ? ['one-sided upper limit'] : []),
  ];
  if (missing.length === 0) return null;
  return `n = ${n} is too small for a 95 % ${missing.join(' and ')}: no order statistic lies far enough out`;
}

/** The rank that a nearest-rank percentile was read at, `null` for an interpolated one. */
export function rankInForce(n: number, p: Fraction, method: Method): number | null {
  return method === 'nearest-rank' ? rankOf(n, p) : null;
}
