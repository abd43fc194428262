import { compare, type Fraction, toNumber } from '../model/decimal.js';
import { passingFigures } from '../model/figures.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Caps } from '../policy/policy.js';
import { type Ascending, countAbove } from '../stats/ascending.js';
import { upperLimit } from '../stats/interval.js';
import { kruskalTest } from '../stats/kruskal.js';
import { capAtoms, type RoundedCap, roundCap } from './caps.js';
import { type GroupSample, type RankTest, testGroups } from './group-test.js';
import { createGroups } from './groups.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from './options.js';
import { populationName } from './population.js';
import { quantileOf, quantilesOf, rankInForce } from './quantiles.js';
import type { CapReport, DeriveReport } from './result.js';
import { createSampler, lacksUsd, type Sample, type Sampled } from './sample.js';
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
  for (const run of passingFigures(runs)) {
    whole.see(run);
    groups.of(run)?.see(run);
  }
  const sample = whole.finish();
  const grouped = groups.map((labels, sampler) => ({ labels, sample: sampler.finish() }));
  const rankTest: RankTest = (metric, compared) =>
    kruskalTest(
      compared.map((labels) => grouped.find((group) => group.labels === labels)?.sample.values[metric] ?? []),
    );
  return { ...deriveSampled(sample, grouped, resolved, rankTest), sample };
}

/**
 * The same from samples of which not all values need lie at hand.
 *
 * @param groups in the order in which they were met
 * @param rankTest the test between groups that are named by their labels
 */
export function deriveSampled(
  sample: Sampled,
  groups: readonly GroupSample[],
  options: DeriveOptions,
  rankTest: RankTest,
): Pick<Derivation, 'report' | 'caps'> {
  const derived = deriveFrom(sample, options);
  return {
    report: {
      schema: 'capfit/derive@1',
      ...derived.report,
      groups: groups.map((each) => ({ labels: each.labels, ...deriveFrom(each.sample, options).report })),
      ...(options.by.length === 0 ? {} : { group_test: testGroups(groups, options.p, rankTest) }),
    },
    caps: derived.caps,
  };
}

function deriveFrom(
  sample: Sampled,
  options: DeriveOptions,
): { report: Omit<DeriveReport, 'schema' | 'groups'>; caps: Caps } {
  const { caps, reports } = capsOf(sample, options);
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

/** A cap for each metric that can have one, in atoms, and where it came from. */
export interface DerivedCaps {
  readonly caps: { readonly [metric in Metric]?: number };
  readonly reports: { readonly [metric in Metric]: CapReport | null };
}

/** The caps at the percentile in force. */
export function capsOf(sample: Sampled, options: DeriveOptions): DerivedCaps {
  const caps: { [metric in Metric]?: number } = {};
  const reports: { [metric in Metric]: CapReport | null } = { passes: null, tokens: null, seconds: null, usd: null };
  for (const metric of METRICS) {
    if (metric === 'usd' && lacksUsd(sample, options)) continue;
    const made = capOf(metric, sample.values[metric], options);
    if (made === null) continue;
    caps[metric] = made.atoms;
    reports[metric] = made.report;
  }
  return { caps, reports };
}

/** 1 - p, exact. */
export function acceptedRate(p: Fraction): Fraction {
  return { num: p.den - p.num, den: p.den };
}

/** The caps of ascending values in atoms, as `derive` takes them from the runs that the values are of. */
export function capsFrom(sample: Pick<Sampled, 'verified' | 'values'>, options: DeriveOptions): Caps {
  const caps: { [metric in Metric]?: number } = {};
  for (const metric of METRICS) {
    if (metric === 'usd' && lacksUsd(sample, options)) continue;
    const found = roundedCapOf(metric, sample.values[metric], options);
    if (found !== null) caps[metric] = capAtoms(metric, found.cap);
  }
  return caps;
}

/** A percentile, and the cap that it gives. */
interface FoundCap extends RoundedCap {
  readonly quantile: Fraction;
}

/** The cap of one metric, or `null` where there is no value or the percentile is zero. */
function roundedCapOf(metric: Metric, sorted: Ascending, options: DeriveOptions): FoundCap | null {
  if (sorted.length === 0) return null;
  const quantile = quantileOf(metric, sorted, options.p, options.method);
  if (compare(quantile, { num: 0n, den: 1n }) === 0) return null;
  return { quantile, ...roundCap(metric, quantile, options.padding, options.units[metric]) };
}

/** The same with where it came from. */
function capOf(metric: Metric, sorted: Ascending, options: DeriveOptions): { atoms: number; report: CapReport } | null {
  const found = roundedCapOf(metric, sorted, options);
  if (found === null) return null;
  const { quantile, padded, unit, cap } = found;
  const n = sorted.length;
  const atoms = capAtoms(metric, cap);
  const above = countAbove(sorted, atoms);
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
