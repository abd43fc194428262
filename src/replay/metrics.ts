import { type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import { quantileOf } from '../calibrate/quantiles.js';
import { createSampler, type Sampler } from '../calibrate/sample.js';
import { parseDecimal, toNumber } from '../model/decimal.js';
import { figuresIn } from '../model/figures.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { STATUSES } from '../model/status.js';
import { EMPTY_POLICY, type Policy } from '../policy/policy.js';
import { momentOf } from './audit-prints.js';
import { isOverdue, LOST } from './check-counts.js';
import { type Folding, foldKeys } from './metrics-fold.js';
import { labelNamesFor } from './metrics-names.js';
import { policyFamilies } from './metrics-policy.js';
import type { MetricFamily, MetricSample, MetricsReport } from './metrics-result.js';

/** What is made of the runs. */
export interface MetricsOptions extends PopulationOptions {
  /** Labels of the runs that the samples carry. */
  readonly labels: readonly string[];
  /** No family has more samples; what is beyond is folded into "other". */
  readonly maxSeries: number;
  /** For the false stops; `null`: none are given. */
  readonly policy: Policy | null;
  /** The moment that running records are overdue at, ISO 8601; `null`: not known, none is. */
  readonly now: string | null;
  /** A value out of the data as it may be shown. */
  readonly text: (value: string) => string;
}

export const METRICS_DEFAULTS: MetricsOptions = {
  ...VERIFIED,
  labels: [],
  maxSeries: 1000,
  policy: null,
  now: null,
  text: (value) => value,
};

const QUANTILES = ['0.5', '0.95', '0.99'] as const;

/**
 * Runs by status and reason, percentiles of the verified successes, and what a policy would have done, as gauges.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 */
export function metrics(runs: Iterable<Run>, options: Partial<MetricsOptions> = {}): MetricsReport {
  const resolved = { ...METRICS_DEFAULTS, ...options };
  const names = labelNamesFor(resolved.labels);
  const byStatus = runsByStatus(runs, names, resolved);
  const sizes = successSizes(runs, names, resolved);
  const foldings = [
    { labels: [['family', 'capfit_runs']], value: byStatus.folded },
    { labels: [['family', 'capfit_success']], value: sizes.folded },
  ] as const;
  return {
    schema: 'capfit/metrics@1',
    population: populationName(resolved),
    labels: Object.fromEntries(names.map((name, at) => [name, resolved.labels[at] as string])),
    families: [
      byStatus.family,
      ...sizes.families,
      ...(resolved.policy === null ? [] : policyFamilies(runs, resolved.policy, resolved)),
      {
        name: 'capfit_folded_series',
        help: 'Combinations of label values that were folded into the value other, to keep --max-series.',
        unit: 'series',
        samples: foldings,
      },
    ],
  };
}

/** The values of the chosen labels; a run without a label has it empty, which says the same. */
function valuesOf(run: Pick<Run, 'labels'>, { labels, text }: MetricsOptions): string[] {
  return labels.map((label) => text(run.labels.get(label) ?? ''));
}

function runsByStatus(
  runs: Iterable<Run>,
  names: readonly string[],
  options: MetricsOptions,
): { family: MetricFamily; folded: number } {
  const counts = new Map<string, number>();
  const now = options.now === null ? null : momentOf(options.now);
  const policy = options.policy ?? EMPTY_POLICY;
  for (const run of runs) {
    // As the gate counts them: an overdue record is of a process that died, and no exit fired.
    const isLost = run.status === 'running' && isOverdue(run, policy, now);
    const [status, reason] = isLost ? ['halted_error', LOST] : [run.status, run.reason ?? ''];
    add(counts, JSON.stringify([status, options.text(reason), ...valuesOf(run, options)]), 1);
  }
  for (const status of STATUSES) {
    if (![...counts.keys()].some((key) => key.startsWith(`["${status}",`))) {
      counts.set(JSON.stringify([status, '', ...names.map(() => '')]), 0);
    }
  }
  const folding = foldKeys(counts, options.maxSeries, 1, STATUSES.length);
  const folded = new Map<string, number>();
  for (const [key, count] of counts) add(folded, JSON.stringify(folding.of(JSON.parse(key) as string[])), count);
  const samples = [...folded].map(([key, value]) => ({
    labels: pairs(['status', 'reason', ...names], JSON.parse(key) as string[]),
    value,
  }));
  samples.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const help = `Recorded runs by how they ended and why.${renamedText(names, options)}`;
  return { family: { name: 'capfit_runs', help, unit: 'runs', samples }, folded: folding.folded };
}

/** Which label of the runs is meant where the format takes another name. */
function renamedText(names: readonly string[], { labels, text }: MetricsOptions): string {
  const renamed = names.flatMap((name, at) =>
    name === labels[at] ? [] : [`${name} is ${text(labels[at] as string)}`],
  );
  return renamed.length === 0 ? '' : ` Labels: ${renamed.join(', ')}.`;
}

function successSizes(
  runs: Iterable<Run>,
  names: readonly string[],
  options: MetricsOptions,
): { families: MetricFamily[]; folded: number } {
  const counts = new Map<string, number>();
  for (const run of runs) add(counts, JSON.stringify(valuesOf(run, options)), 1);
  const folding = foldKeys(counts, Math.floor(options.maxSeries / QUANTILES.length), 0, 1);
  const groups = sampleGroups(runs, folding, options);
  const families = METRICS.map((metric) => quantileFamily(metric, names, groups));
  return {
    families: [
      ...families.filter(({ samples }) => samples.length > 0),
      {
        name: 'capfit_verified_runs',
        help: 'Successes that the percentiles are taken over.',
        unit: 'runs',
        samples: [...groups].map(([key, { verified }]) => ({ labels: labelsOf(names, key), value: verified })),
      },
    ],
    folded: folding.folded,
  };
}

type Group = ReturnType<Sampler['finish']>;

function sampleGroups(runs: Iterable<Run>, folding: Folding, options: MetricsOptions): Map<string, Group> {
  const samplers = new Map<string, Sampler>();
  for (const run of figuresIn(runs)) {
    const key = JSON.stringify(folding.of(valuesOf(run, options)));
    const sampler = samplers.get(key) ?? createSampler(options);
    samplers.set(key, sampler);
    sampler.see(run);
  }
  const sorted = [...samplers].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([key, sampler]) => [key, sampler.finish()]));
}

/** An unknown percentile has no sample: it is not 0. */
function quantileFamily(metric: Metric, names: readonly string[], groups: ReadonlyMap<string, Group>): MetricFamily {
  const samples = [...groups].flatMap(([key, { values }]) =>
    values[metric].length === 0
      ? []
      : QUANTILES.map((quantile): MetricSample => {
          const p = parseDecimal(quantile) as NonNullable<ReturnType<typeof parseDecimal>>;
          const value = toNumber(quantileOf(metric, values[metric], p, 'nearest-rank'));
          return { labels: [...labelsOf(names, key), ['quantile', quantile]], value };
        }),
  );
  const help = `Percentiles (nearest rank) of ${metric} of a run, over the successes.`;
  return { name: `capfit_success_${metric}`, help, unit: metric, samples };
}

function labelsOf(names: readonly string[], key: string): (readonly [string, string])[] {
  return pairs(names, JSON.parse(key) as string[]);
}

function pairs(names: readonly string[], values: readonly string[]): (readonly [string, string])[] {
  return names.map((name, at) => [name, values[at] ?? ''] as const);
}

function keyOf({ labels }: MetricSample): string {
  return JSON.stringify(labels);
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
