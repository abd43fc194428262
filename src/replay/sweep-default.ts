import { capAtoms, roundCap } from '../calibrate/caps.js';
import { derive } from '../calibrate/derive.js';
import type { PopulationOptions } from '../calibrate/population.js';
import { quantileOf } from '../calibrate/quantiles.js';
import type { Sampled } from '../calibrate/sample.js';
import { compare, type Fraction } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Caps } from '../policy/policy.js';
import type { GridCaps } from './sweep.js';

const TRIED: readonly Fraction[] = [
  { num: 90n, den: 100n },
  { num: 95n, den: 100n },
  { num: 98n, den: 100n },
  { num: 99n, den: 100n },
  // The largest value of all.
  { num: 999_999_999n, den: 1_000_000_000n },
];
const PADDING: Fraction = { num: 1n, den: 1n };

/**
 * Caps to try where nobody named any: of each metric that caps can be derived for, high percentiles of the successes,
 * rounded up as caps are, the derived cap, the policy's own, and none.
 */
export function usualCaps(runs: Iterable<Run>, population: PopulationOptions, own: Caps): GridCaps {
  const { caps, sample } = derive(runs, population);
  return usualCapsOf(caps, sample, own);
}

/** The same from a derivation. */
export function usualCapsOf(caps: Caps, sample: Pick<Sampled, 'values'>, own: Caps): GridCaps {
  const grid: { [metric in Metric]?: (number | null)[] } = {};
  for (const metric of METRICS) {
    const derived = caps[metric];
    if (derived === undefined) continue;
    const percentiles = TRIED.map((p) => quantileOf(metric, sample.values[metric], p, 'nearest-rank'))
      .filter((quantile) => compare(quantile, { num: 0n, den: 1n }) > 0)
      .map((quantile) => capAtoms(metric, roundCap(metric, quantile, PADDING).cap));
    grid[metric] = [...percentiles, derived, own[metric] ?? null, null];
  }
  return grid;
}
