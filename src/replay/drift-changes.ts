import type { DeriveOptions } from '../calibrate/options.js';
import { percentileName, quantileOf } from '../calibrate/quantiles.js';
import type { Sample } from '../calibrate/sample.js';
import { atomsToFraction } from '../model/atoms.js';
import { type Fraction, toNumber } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { DriftChange, DriftReport } from './drift-result.js';

const MIDDLE: Fraction = { num: 50n, den: 100n };
const HIGH: Fraction = { num: 99n, den: 100n };

/** What became of the median, of p99, of the percentile in force, and of the largest value. */
export function changesOf(
  old: Sample,
  fresh: Sample,
  { p, method }: Pick<DeriveOptions, 'p' | 'method'>,
): DriftReport['changes'] {
  const proportions = new Map([MIDDLE, HIGH, p].map((each) => [percentileName(each), each]));
  return Object.fromEntries(
    METRICS.map((metric) => {
      const [before, after] = [old.values[metric], fresh.values[metric]];
      if (before.length === 0 || after.length === 0) return [metric, null];
      const made = [...proportions].map(([name, proportion]) => [
        name,
        changeOf(quantileOf(metric, before, proportion, method), quantileOf(metric, after, proportion, method)),
      ]);
      const largest = (values: Float64Array): Fraction => atomsToFraction(metric, values.at(-1) as number);
      return [metric, { ...Object.fromEntries(made), max: changeOf(largest(before), largest(after)) }];
    }),
  ) as { [metric in Metric]: { [percentile: string]: DriftChange } | null };
}

function changeOf(old: Fraction, fresh: Fraction): DriftChange {
  const num = fresh.num * old.den - old.num * fresh.den;
  return {
    old: toNumber(old),
    new: toNumber(fresh),
    change: toNumber({ num, den: old.den * fresh.den }),
    share: old.num === 0n ? null : Number(num) / Number(old.num * fresh.den),
  };
}
