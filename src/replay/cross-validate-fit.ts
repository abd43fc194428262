import { acceptedRate, capsFrom } from '../calibrate/derive.js';
import type { DeriveOptions } from '../calibrate/options.js';
import type { Sample } from '../calibrate/sample.js';
import { compare, type Fraction } from '../model/decimal.js';
import { METRICS } from '../model/limits.js';
import type { Caps } from '../policy/policy.js';
import { rankOf } from '../stats/quantile.js';
import { percentilesAbove } from './joint-percentiles.js';
import type { JointOptions } from './joint-result.js';
import { boundOf } from './joint-sets.js';

/** The successes that caps are taken from while others are set aside. */
export interface Training {
  readonly sample: Pick<Sample, 'verified' | 'values'>;
  /** How many of these successes caps cut, certainly or perhaps. */
  countCut(caps: Caps): number;
}

/** The caps of some successes, as `derive` takes them; `null`: they cannot be taken from successes alone. */
export function capFitOf(
  options: DeriveOptions,
  joint: JointOptions | null,
  successes: number,
): ((training: Training) => Caps) | null {
  if (joint?.aim === 'cheapest') return null;
  return (training) => {
    const p = matchedPercentile(options, successes, training.sample.verified);
    return joint === null ? capsFrom(training.sample, { ...options, p }) : jointCaps(training, { ...options, p });
  };
}

/** Nearer to 1 no interpolated percentile is taken. */
const HIGHEST: Fraction = { num: 10n ** 9n - 1n, den: 10n ** 9n };

/**
 * The percentile of `m` values above which as large a share of all runs lies, on average, as above the percentile in
 * force of `n` values: (n + 1 - rank) / (n + 1), or as near to it as a rank of `m` comes. Percentiles of few values move
 * in steps: the p99 of 100 is the second largest and the p99 of 90 the largest, above which lies half as much.
 */
export function matchedPercentile({ p, method }: Pick<DeriveOptions, 'p' | 'method'>, n: number, m: number): Fraction {
  if (m === n || n < 1 || m < 2) return p;
  const [of, among] = [BigInt(n), BigInt(m)];
  if (method === 'linear') {
    // The position is 1 + (n - 1) p, and the share above it (n + 1 - position) / (n + 1).
    const share = { num: of * p.den - (of - 1n) * p.num, den: (of + 1n) * p.den };
    const matched = { num: among * share.den - (among + 1n) * share.num, den: (among - 1n) * share.den };
    if (compare(matched, HIGHEST) > 0) return HIGHEST;
    return matched.num > 0n ? matched : p;
  }
  const above = of + 1n - BigInt(rankOf(n, p));
  const nearest = (2n * above * (among + 1n) + of + 1n) / (2n * (of + 1n));
  const rank = among + 1n - (nearest < 1n ? 1n : nearest > among ? among : nearest);
  // Any percentile in between has this rank; the middle is the same for samples that lack a value or two.
  return { num: 2n * rank - 1n, den: 2n * among };
}

/** The caps at the lowest percentile that are together within the accepted rate, as `fitJoint` finds them. */
function jointCaps({ sample, countCut }: Training, options: DeriveOptions): Caps {
  const inForce = capsFrom(sample, options);
  const metrics = METRICS.filter((metric) => inForce[metric] !== undefined);
  const bound = boundOf(sample.verified, acceptedRate(options.p));
  const isWithin = (caps: Caps): boolean => bound.isWithin(countCut(caps));
  if (metrics.length === 0 || isWithin(inForce)) return inForce;
  const percentiles = percentilesAbove(
    metrics.map((metric) => sample.values[metric].length),
    options.p,
  );
  const at = (index: number): Caps => {
    const caps = capsFrom(sample, { ...options, p: percentiles[index] as Fraction });
    return Object.fromEntries(metrics.map((metric) => [metric, caps[metric] as number]));
  };
  let [low, high] = [0, percentiles.length - 1];
  if (high < 0 || !isWithin(at(high))) return inForce;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(at(middle))) high = middle;
    else low = middle + 1;
  }
  return at(low);
}
