import type { DeriveOptions } from '../calibrate/options.js';
import { type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import { quantilesOf } from '../calibrate/quantiles.js';
import { createSampler, type Sample } from '../calibrate/sample.js';
import { type Fraction, toNumber } from '../model/decimal.js';
import { figuresIn } from '../model/figures.js';
import { ATOMS_PER_UNIT, METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { underOldCaps } from './drift-caps.js';
import { changesOf } from './drift-changes.js';
import { countEndings, endingRows, endingTests } from './drift-endings.js';
import { mixWarnings } from './drift-mix.js';
import type { DriftReport, DriftSide, DriftSplit } from './drift-result.js';
import { judgeTogether, levelOf, rankTests, tailTest, topTests } from './drift-tests.js';
import { unseenOf, unseenText } from './drift-unseen.js';
import { answerOf, notComparedText, verdictOf } from './drift-verdict.js';
import { ranksOf, type TailMark } from './measured.js';

/** How two sets are compared. */
export interface DriftOptions extends PopulationOptions, Pick<DeriveOptions, 'p' | 'method' | 'padding'> {
  /** The accepted chance of any false alarm at all. */
  readonly alarmRate: number;
  /** The policy of the old runs; `null`: its caps are derived from them. */
  readonly policy: Policy | null;
  /** How the two sets were made of one; `null`: they were two. */
  readonly split: DriftSplit | null;
}

/** p99 by nearest rank, padding 1.2 for caps, verified successes, 5 %. */
export const DRIFT_DEFAULTS: DriftOptions = {
  ...VERIFIED,
  p: { num: 99n, den: 100n },
  padding: { num: 12n, den: 10n },
  method: 'nearest-rank',
  alarmRate: 0.05,
  policy: null,
  split: null,
};

/**
 * Whether runs have moved: the sizes of the verified successes as a whole, how many of them lie above the old
 * percentile, and how all runs end. Beside the tests, which are judged together: what became of the percentiles, and
 * what the old caps do to the new runs.
 *
 * @param old iterated several times, as `fresh`: an array or a `RunTable`, not a generator
 */
export function drift(old: Iterable<Run>, fresh: Iterable<Run>, options: Partial<DriftOptions> = {}): DriftReport {
  const resolved = { ...DRIFT_DEFAULTS, ...options };
  const [before, after] = [sampleOf(old, resolved), sampleOf(fresh, resolved)];
  const endings = [countEndings(old), countEndings(fresh)] as const;
  const raw = [
    ...rankTests(before, after),
    ...topTests(before, after),
    ...tailMarks(before, resolved.p).map((mark) => tailTest(mark, 'old runs', after)),
    ...endingTests(...endings),
  ];
  const tests = judgeTogether(raw, resolved.alarmRate);
  const answer = answerOf(tests);
  const unseenUpTo = unseenOf(tests, before, levelOf(raw, resolved.alarmRate));
  const unseen = unseenText(unseenUpTo);
  const not_compared = notComparedText(tests, before, after);
  return {
    schema: 'capfit/drift@1',
    population: populationName(resolved),
    split: resolved.split,
    old: sideOf(before, resolved),
    new: sideOf(after, resolved),
    alarm_rate: resolved.alarmRate,
    tests,
    moved: answer === 'cannot tell' ? null : answer === 'moved',
    answer,
    verdict: verdictOf(tests, { old: before.verified, fresh: after.verified, unseen, not_compared }),
    unseen,
    unseen_up_to: unseenUpTo,
    not_compared,
    changes: changesOf(before, after, resolved),
    endings: endingRows(...endings),
    caps: underOldCaps(old, fresh, resolved.policy, resolved),
    warnings: mixWarnings(old, fresh),
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
