import type { DriftTest } from './drift-result.js';

/** What a test is called in a sentence: `rank test`, `above the old p99`. */
export function testName({ test, p }: Pick<DriftTest, 'test' | 'p'>): string {
  if (test === 'rank') return 'rank test';
  if (test === 'top') return 'rank test of the largest tenth';
  return test === 'share' ? 'share of verified successes' : `above the old ${percentile(p)}`;
}

/** What a test saw against what it expected, in one clause. */
export function testText(test: DriftTest): string {
  const { seen, expected, n_new, at, metric } = test;
  if (seen === null || expected === null) return `not judged: ${test.not_judged}`;
  if (test.test === 'rank')
    return `a new run is the larger one of ${percent(seen)} of the pairs; 50 % if nothing moved`;
  if (test.test === 'share') return `${percent(seen)} of the runs are verified; ${percent(expected)} when measured`;
  const value = metric === null || at === null ? '' : ` ${amount(at)}${UNITS[metric]}`;
  return `${seen} of ${n_new} lie above${value}, the old ${percentile(test.p)}; ${amount(expected, 1)} expected`;
}

/** What the clearest test of each kind would not see, in one sentence; `null` where no test was made. */
export function unseenText(tests: readonly DriftTest[]): string | null {
  const rank = tests.find(({ test, alarms }) => test === 'rank' && alarms !== null);
  const tail = tests.find(({ test, alarms }) => test === 'tail' && alarms !== null && alarms.up !== null);
  const parts = [
    ...(rank?.alarms?.up == null
      ? []
      : [`${rank.metric} larger in ${percent(rank.alarms.up)} of the pairs, or in ${percent(1 - rank.alarms.up)}`]),
    ...(tail?.alarms?.up == null
      ? []
      : [
          `${tail.alarms.up} of ${tail.n_new} above the old ${percentile(tail.p)} of ${tail.metric}, where ${amount(tail.expected ?? 0, 1)} are expected`,
        ]),
  ];
  return parts.length === 0 ? null : `A shift of less than this would not be seen: ${parts.join('; ')}.`;
}

/** A p-value for people. */
export function pText(p: number | null): string {
  if (p === null) return 'not judged';
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}

const UNITS = { passes: ' passes', tokens: ' tokens', seconds: ' s', usd: ' usd' } as const;

function percentile(p: number | null): string {
  return p === null ? 'percentile' : `p${Number((p * 100).toPrecision(12))}`;
}

/** A share as a sentence needs it. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

function amount(value: number, places = 6): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: places });
}
