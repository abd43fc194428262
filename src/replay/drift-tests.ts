import { bisectLeft, bisectRight } from 'd3-array';
import type { Sample } from '../calibrate/sample.js';
import { numberText } from '../model/decimal-text.js';
import { METRICS, type Metric } from '../model/limits.js';
import { holmAdjusted } from '../stats/holm.js';
import { nearestRank } from '../stats/quantile.js';
import { rankTest } from '../stats/rank-test.js';
import { sortAscending } from '../stats/summary.js';
import { exceedanceTails, sharedShareTails, twoSided } from '../stats/tails.js';
import { effectOf } from './drift-effect.js';
import { type Alarms, NEVER, rankAlarms, shareAlarms, tailAlarms } from './drift-power.js';
import type { DriftTest } from './drift-result.js';
import type { TailMark } from './measured.js';

/** Below this the normal approximation of the rank test does not hold. */
export const FEWEST_FOR_RANKS = 10;

/** A test before it is known how many others were made beside it. */
export interface RawTest extends Omit<DriftTest, 'adjusted_p' | 'moved' | 'alarms' | 'effect'> {
  /** From which `seen` on the test alarms at a level, by the sizes of both sets alone. */
  readonly alarmsAt: (level: number) => Alarms;
  /** Whether it can alarm at all, where more than the sizes decides on that, though never what was seen. */
  readonly canAlarm?: (level: number) => boolean;
}

/** Whether the sizes of the new successes tend to lie above or below those of the old ones. */
export function rankTests(old: Sample, fresh: Sample): RawTest[] {
  return knownIn(old, fresh).map((metric) => rankTestOf('rank', metric, old.values[metric], fresh.values[metric]));
}

/**
 * The same among the largest tenth of old and new ones together, where few runs decide on a high percentile: a tail
 * that grew while the rest stayed is lost among all ranks, and too few runs lie above a p99 to show it.
 */
export function topTests(old: Sample, fresh: Sample): RawTest[] {
  return knownIn(old, fresh).map((metric) => {
    const [before, after] = [old.values[metric], fresh.values[metric]];
    const pooled = sortAscending([...before, ...after]);
    const edge = nearestRank(pooled, TOP);
    const top = (values: Float64Array): Float64Array => values.subarray(bisectRight(values, edge));
    return rankTestOf('top', metric, top(before), top(after));
  });
}

const TOP = { num: 9n, den: 10n };

function knownIn(old: Sample, fresh: Sample): Metric[] {
  return METRICS.filter((metric) => old.values[metric].length + fresh.values[metric].length > 0);
}

function rankTestOf(test: 'rank' | 'top', metric: Metric, before: Float64Array, after: Float64Array): RawTest {
  const base = {
    test,
    metric,
    ending: null,
    against: 'old runs',
    n_old: before.length,
    n_new: after.length,
    p: null,
    at: null,
    expected: 0.5,
  } as const;
  if (Math.min(before.length, after.length) < FEWEST_FOR_RANKS) {
    const where = test === 'top' ? ' in the largest tenth' : '';
    const reason = `fewer than ${FEWEST_FOR_RANKS} successes with known ${metric}${where} on one side`;
    return { ...base, seen: null, p_value: null, not_judged: reason, alarmsAt: NEVER };
  }
  const { superiority, p } = rankTest(after, before);
  const alarmsAt = (level: number): Alarms => rankAlarms(level, before.length, after.length);
  return { ...base, seen: superiority, p_value: p, not_judged: null, alarmsAt };
}

/** Whether more or fewer of the new successes lie above an old percentile than that percentile's own sample allows. */
export function tailTest(mark: TailMark, against: DriftTest['against'], fresh: Sample): RawTest {
  const { metric, n, ranks, p, value: at } = mark;
  const values = fresh.values[metric];
  const base = { test: 'tail', metric, ending: null, against, n_old: n, n_new: values.length, p, at } as const;
  if (values.length === 0) {
    const reason = `no new success with known ${metric}`;
    return { ...base, seen: null, expected: null, p_value: null, not_judged: reason, alarmsAt: NEVER };
  }
  const [low, high] = ranks;
  const above = values.length - bisectRight(values, mark.atoms);
  const atOrAbove = values.length - bisectLeft(values, mark.atoms);
  // Values equal to the old one may stand on either side of it, so each tail takes the reading that speaks against it.
  const p_value = twoSided({
    atLeast: exceedanceTails(above, values.length, n, low).atLeast,
    atMost: exceedanceTails(atOrAbove, values.length, n, high).atMost,
  });
  const expected = (values.length * (n - (low + high) / 2 + 1)) / (n + 1);
  const alarmsAt = (level: number): Alarms => tailAlarms(level, values.length, n, ranks);
  return { ...base, seen: above, expected, p_value, not_judged: null, alarmsAt };
}

/** Counts whose shares are compared. */
export interface Verified {
  readonly runs: number;
  readonly verified: number;
}

/** Whether the share of verified successes has changed. */
export function shareTest(old: Verified, fresh: Verified, against: DriftTest['against']): RawTest {
  const tails = sharedShareTails(fresh.verified, fresh.runs, old.verified, old.runs);
  return {
    test: 'share',
    metric: null,
    ending: null,
    against,
    n_old: old.runs,
    n_new: fresh.runs,
    p: null,
    at: null,
    seen: fresh.verified / fresh.runs,
    expected: old.verified / old.runs,
    p_value: twoSided(tails),
    not_judged: null,
    alarmsAt: (level) => shareAlarms(level, fresh.runs, old.verified, old.runs),
  };
}

/**
 * All tests judged together: the chance of any false alarm among them is at most the rate. A test that would not alarm
 * whatever the new runs are is none, and takes no part: the sizes of the sets decide on that, not what was seen, so the
 * rate holds (R. E. Tarone, Biometrics 46, 1990).
 */
export function judgeTogether(tests: readonly RawTest[], alarmRate: number): DriftTest[] {
  const level = levelOf(tests, alarmRate);
  const judged = tests.map((test) => withPower(test, level));
  const made = judged.filter(({ p_value }) => p_value !== null);
  const adjusted = holmAdjusted(made.map(({ p_value }) => p_value as number));
  return judged.map((test) => {
    const at = made.indexOf(test);
    const adjusted_p = at === -1 ? null : (adjusted[at] as number);
    return { ...test, adjusted_p, moved: adjusted_p !== null && adjusted_p <= alarmRate ? direction(test) : null };
  });
}

/** At which level the clearest of some tests alarms. */
export function levelOf(tests: readonly Pick<RawTest, 'p_value'>[], alarmRate: number): number {
  return alarmRate / tests.filter(({ p_value }) => p_value !== null).length;
}

function withPower({ alarmsAt, canAlarm, ...raw }: RawTest, level: number): Omit<DriftTest, 'adjusted_p' | 'moved'> {
  const test = { ...raw, effect: effectOf(raw) };
  if (test.p_value === null) return { ...test, alarms: null };
  const alarms = alarmsAt(level);
  if (canAlarm?.(level) ?? (alarms.down !== null || alarms.up !== null)) return { ...test, alarms };
  const sides = `${numberText(test.n_new)} new ${test.n_new === 1 ? 'one' : 'ones'} against ${numberText(test.n_old)} old`;
  const reason = `too few to tell (${sides}): no shift would be seen, however large`;
  return { ...test, p_value: null, not_judged: reason, alarms: null };
}

function direction({ seen, expected }: Pick<DriftTest, 'seen' | 'expected'>): DriftTest['moved'] {
  return (seen ?? 0) > (expected ?? 0) ? 'up' : 'down';
}
