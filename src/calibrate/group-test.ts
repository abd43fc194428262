import { fromAtoms } from '../model/atoms.js';
import { type Fraction, toNumber } from '../model/decimal.js';
import { numberText } from '../model/decimal-text.js';
import { METRICS, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { type Ascending, middleOf as middleValue } from '../stats/ascending.js';
import { holmAdjusted } from '../stats/holm.js';
import { sampleSizeForMaximum } from '../stats/interval.js';
import type { KruskalTest } from '../stats/kruskal.js';
import type { EffectSize, GroupMetricTest, GroupMiddle, GroupTest, SmallGroup } from './group-result.js';
import type { GroupLabels } from './groups.js';
import type { Sampled } from './sample.js';

/** Below this many successes neither a test nor a percentile of a group means anything. */
export const FEWEST_IN_GROUP = 10;
const ALARM_RATE = 0.05;

/** The values of one group. */
export interface GroupSample {
  readonly labels: GroupLabels;
  readonly sample: Sampled;
}

/** The rank test of a metric between groups that are large enough, named by their labels. */
export type RankTest = (metric: Metric, groups: readonly GroupLabels[]) => KruskalTest;

/** Whether the successes of some groups differ in size: one test a metric, taken together. */
export function testGroups(groups: readonly GroupSample[], p: Fraction, rankTest: RankTest): GroupTest {
  const large = groups.filter(({ sample }) => sample.verified >= FEWEST_IN_GROUP);
  const tests = large.length < 2 ? [] : judged(METRICS.flatMap((metric) => testOf(metric, large, rankTest)));
  const made = tests.filter(({ differ }) => differ !== null);
  return {
    alarm_rate: ALARM_RATE,
    fewest: FEWEST_IN_GROUP,
    compared: large.length,
    tests,
    differ: made.length === 0 ? null : made.some(({ differ }) => differ === true),
    verdict: verdictOf(groups.length, large.length, made),
    left_out: groups.flatMap(({ labels, sample }) => smallGroup(labels, sample.verified, p)),
  };
}

/** The group as one that is too small, or nothing. */
function smallGroup(labels: GroupLabels, verified: number, p: Fraction): SmallGroup[] {
  if (verified >= FEWEST_IN_GROUP) return [];
  const [compare, claim] = [FEWEST_IN_GROUP - verified, moreToClaim(verified, p)];
  const reason = `${plural(verified, 'verified success', 'verified successes')}; ${numberText(compare)} more to be compared at all, ${numberText(claim)} more before caps of its own could bear out the accepted rate`;
  return [{ labels, verified, more_to_compare: compare, more_to_claim: claim, reason }];
}

/** Further successes before a cap at their maximum bears out the rate 1 - p with 95 % confidence; 0 where there are enough. */
export function moreToClaim(verified: number, p: Fraction): number {
  return Math.max(0, sampleSizeForMaximum(toNumber(p)) - verified);
}

type RawTest = Omit<GroupMetricTest, 'adjusted_p' | 'differ'>;

/** The test of one metric; nothing where no success gives the figure. */
function testOf(metric: Metric, groups: readonly GroupSample[], rankTest: RankTest): RawTest[] {
  const known = groups
    .map(({ labels, sample }) => ({ labels, values: sample.values[metric] }))
    .filter(({ values }) => values.length > 0);
  if (known.length === 0) return [];
  const compared = known.filter(({ values }) => values.length >= FEWEST_IN_GROUP);
  const base = { metric, groups: compared.length, n: compared.reduce((sum, { values }) => sum + values.length, 0) };
  if (compared.length < 2) {
    const reason = `fewer than two groups have ${FEWEST_IN_GROUP} successes with known ${metric}`;
    return [{ ...base, ...NOTHING, not_judged: reason }];
  }
  const { h, df, p, epsilonSquared } = rankTest(
    metric,
    compared.map(({ labels }) => labels),
  );
  const middles = compared
    .map(({ labels, values }) => middleOf(metric, labels, values))
    .sort((a, b) => a.median - b.median);
  return [
    {
      ...base,
      h,
      df,
      p_value: p,
      epsilon_squared: epsilonSquared,
      effect: effectOf(epsilonSquared),
      lowest: middles[0] ?? null,
      highest: middles.at(-1) ?? null,
      not_judged: null,
    },
  ];
}

const NOTHING = {
  h: null,
  df: null,
  p_value: null,
  epsilon_squared: null,
  effect: null,
  lowest: null,
  highest: null,
} as const;

function middleOf(metric: Metric, labels: GroupLabels, values: Ascending): GroupMiddle {
  return { labels, n: values.length, median: fromAtoms(metric, middleValue(values) as number) };
}

/**
 * The share of the spread that lies between groups, in words. J. Cohen, Statistical Power Analysis for the Behavioral
 * Sciences (1988), section 8.2: 1 % is small, 6 % medium, 14 % large.
 */
export function effectOf(share: number): EffectSize {
  if (share < 0.01) return 'negligible';
  if (share < 0.06) return 'small';
  return share < 0.14 ? 'medium' : 'large';
}

function judged(tests: readonly RawTest[]): GroupMetricTest[] {
  const made = tests.filter(({ p_value }) => p_value !== null);
  const adjusted = holmAdjusted(made.map(({ p_value }) => p_value as number));
  return tests.map((test) => {
    const at = made.indexOf(test);
    const adjusted_p = at === -1 ? null : (adjusted[at] as number);
    return { ...test, adjusted_p, differ: adjusted_p === null ? null : adjusted_p <= ALARM_RATE };
  });
}

function verdictOf(groups: number, large: number, made: readonly GroupMetricTest[]): string {
  if (groups === 0) return 'There are no groups.';
  if (large === 0) return `No group has ${FEWEST_IN_GROUP} successes, so none can be compared.`;
  if (large === 1) {
    return groups === 1
      ? 'There is only one group, so there is nothing to compare it with.'
      : `Only one group has ${FEWEST_IN_GROUP} successes or more, so there is nothing to compare it with.`;
  }
  if (made.length === 0) return 'Whether the groups differ cannot be told: too few figures are known.';
  const apart = made.filter(({ differ }) => differ === true);
  if (apart.length === 0) {
    return `No sign that the groups differ in size, in ${plural(made.length, 'test')} taken together.`;
  }
  const words = apart.map(({ metric, effect }) => `${metric} (${effect} effect)`);
  return `The groups differ: ${words.join(', ')}.`;
}
