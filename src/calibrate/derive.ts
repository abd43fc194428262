import { compare, type Fraction, toNumber } from '../model/decimal.js';
import { figuresIn } from '../model/figures.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Caps } from '../policy/policy.js';
import { upperLimit } from '../stats/interval.js';
import { capAtoms, roundCap } from './caps.js';
import { createGroups } from './groups.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from './options.js';
import { populationName } from './population.js';
import { quantileOf, quantilesOf, rankInForce } from './quantiles.js';
import type { CapReport, DeriveReport } from './result.js';
import { createSampler, lacksUsd, type Sample } from './sample.js';
import { deriveWarnings } from './warnings.js';

/** Percentiles, caps, and what they were taken from. */
export interface Derivation {
  readonly report: DeriveReport;
  /** The derived caps in atoms, ready for a policy. */
  readonly caps: Caps;
  readonly sample: Sample;
}

/**
 * Caps from verified successes: a high percentile of each metric, padded, rounded up.
 *
 * @param runs recorded runs, in any order
 */
export function derive(runs: Iterable<Run>, options: Partial<DeriveOptions> = {}): Derivation {
  const resolved: DeriveOptions = { ...DERIVE_DEFAULTS, ...options };
  const whole = createSampler(resolved);
  const groups = createGroups(resolved.by, () => createSampler(resolved));
  for (const run of figuresIn(runs)) {
    whole.see(run);
    groups.of(run)?.see(run);
  }
  const sample = whole.finish();
  const derived = deriveFrom(sample, resolved);
  return {
    report: {
      schema: 'capfit/derive@1',
      ...derived.report,
      groups: groups.map((labels, sampler) => ({ labels, ...deriveFrom(sampler.finish(), resolved).report })),
    },
    caps: derived.caps,
    sample,
  };
}

function deriveFrom(
  sample: Sample,
  options: DeriveOptions,
): { report: Omit<DeriveReport, 'schema' | 'groups'>; caps: Caps } {
  const caps: { [metric in Metric]?: number } = {};
  const reports: { [metric in Metric]: CapReport | null } = { passes: null, tokens: null, seconds: null, usd: null };
  for (const metric of METRICS) {
    if (metric === 'usd' && lacksUsd(sample, options)) continue;
    const made = capOf(metric, sample.values[metric], options);
    if (made === null) continue;
    caps[metric] = made.atoms;
    reports[metric] = made.report;
  }
  return {
    report: {
      population: populationName(options),
      runs: sample.runs,
      verified: sample.verified,
      passed_unfinished: sample.passedUnfinished,
      accepted_rate: toNumber(acceptedRate(options.p)),
      quantiles: {
        passes: quantilesOf('passes', sample.values.passes, options.p, options.method),
        tokens: quantilesOf('tokens', sample.values.tokens, options.p, options.method),
        seconds: quantilesOf('seconds', sample.values.seconds, options.p, options.method),
        usd: quantilesOf('usd', sample.values.usd, options.p, options.method),
      },
      caps: reports,
      warnings: deriveWarnings(sample, reports, options),
    },
    caps,
  };
}

/** 1 - p, exact. */
export function acceptedRate(p: Fraction): Fraction {
  return { num: p.den - p.num, den: p.den };
}

/** The cap of one metric, or `null` where there is no value or the percentile is zero. */
function capOf(
  metric: Metric,
  sorted: Float64Array,
  options: DeriveOptions,
): { atoms: number; report: CapReport } | null {
  const n = sorted.length;
  if (n === 0) return null;
  const quantile = quantileOf(metric, sorted, options.p, options.method);
  if (compare(quantile, { num: 0n, den: 1n }) === 0) return null;
  const { padded, unit, cap } = roundCap(metric, quantile, options.padding, options.units[metric]);
  const atoms = capAtoms(metric, cap);
  const above = sorted.reduce((count, value) => (value > atoms ? count + 1 : count), 0);
  const report: CapReport = {
    cap: toNumber(cap),
    quantile: toNumber(quantile),
    p: toNumber(options.p),
    rank: rankInForce(n, options.p, options.method),
    n,
    method: options.method,
    padding: toNumber(options.padding),
    padded: toNumber(padded),
    unit: toNumber(unit),
    above,
    above_upper95: upperLimit(above, n),
  };
  return { atoms, report };
}
