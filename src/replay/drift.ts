import type { DeriveOptions } from '../calibrate/options.js';
import { type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import { quantilesOf } from '../calibrate/quantiles.js';
import { createSampler, type Sample } from '../calibrate/sample.js';
import { type Fraction, toNumber } from '../model/decimal.js';
import { figuresIn } from '../model/figures.js';
import { ATOMS_PER_UNIT, METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { DriftReport, DriftSide, DriftTest } from './drift-result.js';
import { judgeTogether, rankTests, tailTest, topTests } from './drift-tests.js';
import { testName, unseenText } from './drift-words.js';
import { ranksOf, type TailMark } from './measured.js';

/** How two sets are compared. */
export interface DriftOptions extends PopulationOptions, Pick<DeriveOptions, 'p' | 'method'> {
  /** The accepted chance of any false alarm at all. */
  readonly alarmRate: number;
}

/** p99 by nearest rank, verified successes, 5 %. */
export const DRIFT_DEFAULTS: DriftOptions = {
  ...VERIFIED,
  p: { num: 99n, den: 100n },
  method: 'nearest-rank',
  alarmRate: 0.05,
};

/**
 * Whether the verified successes have moved: their sizes as a whole, and how many lie above the old percentile. Runs
 * that are no successes play no part.
 */
export function drift(old: Iterable<Run>, fresh: Iterable<Run>, options: Partial<DriftOptions> = {}): DriftReport {
  const resolved = { ...DRIFT_DEFAULTS, ...options };
  const [before, after] = [sampleOf(old, resolved), sampleOf(fresh, resolved)];
  const tests = judgeTogether(
    [
      ...rankTests(before, after),
      ...topTests(before, after),
      ...tailMarks(before, resolved.p).map((mark) => tailTest(mark, 'old runs', after)),
    ],
    resolved.alarmRate,
  );
  const made = tests.filter(({ p_value }) => p_value !== null);
  return {
    schema: 'capfit/drift@1',
    population: populationName(resolved),
    old: sideOf(before, resolved),
    new: sideOf(after, resolved),
    alarm_rate: resolved.alarmRate,
    tests,
    moved: made.length === 0 ? null : made.some(({ moved }) => moved !== null),
    verdict: verdictOf(tests),
    unseen: unseenText(tests),
  };
}

/** The values of the population of a set. */
export function sampleOf(runs: Iterable<Run>, population: PopulationOptions): Sample {
  const sampler = createSampler(population);
  for (const run of figuresIn(runs)) sampler.see(run);
  return sampler.finish();
}

/** The percentile of each known metric as a mark for new values; nearest rank, since only that is a value that occurred. */
export function tailMarks(sample: Sample, p: Fraction): TailMark[] {
  return METRICS.filter((metric) => sample.values[metric].length > 0).map((metric) => markIn(sample, metric, p));
}

/** One such mark; the sample has a value of the metric. */
export function markIn(sample: Sample, metric: Metric, p: Fraction): TailMark {
  const n = sample.values[metric].length;
  const ranks = ranksOf(n, p, 'nearest-rank');
  const atoms = sample.values[metric][ranks[0] - 1] as number;
  return { metric, atoms, value: atoms / ATOMS_PER_UNIT[metric], p: toNumber(p), n, ranks };
}

function sideOf(sample: Sample, { p, method }: DriftOptions): DriftSide {
  const { runs, verified } = sample;
  const quantiles = Object.fromEntries(
    METRICS.map((metric) => [metric, quantilesOf(metric, sample.values[metric], p, method)]),
  ) as DriftSide['quantiles'];
  return { runs, verified, quantiles };
}

function verdictOf(tests: readonly DriftTest[]): string {
  const made = tests.filter(({ p_value }) => p_value !== null);
  const alarms = tests.filter(({ moved }) => moved !== null);
  if (made.length === 0) return 'Whether the successes have moved cannot be told: too few of them.';
  if (alarms.length === 0) return `No sign that the successes have moved, in ${made.length} tests taken together.`;
  const words = alarms.map((test) => `${test.metric} ${test.moved} (${testName(test)})`);
  return `The successes have moved: ${words.join(', ')}.`;
}
