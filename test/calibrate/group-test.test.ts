import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import type { GroupTest } from '../../src/calibrate/group-result.js';
import { effectOf } from '../../src/calibrate/group-test.js';
import type { Run } from '../../src/model/run.js';
import { holmAdjusted } from '../../src/stats/holm.js';
import { kruskalTest } from '../../src/stats/kruskal.js';
import { passes, run } from '../builders.js';

function testOf(runs: readonly Run[]): GroupTest {
  return derive(runs, { by: ['task'] }).report.group_test as GroupTest;
}

function task(name: string, sizes: readonly number[], pass: object = {}, fields: object = {}): Run[] {
  return sizes.map((size, i) =>
    run({ id: `${name}-${i}`, labels: { task: name }, passes: passes(size, pass), ...fields }),
  );
}

const SIZES = Array.from({ length: 30 }, (_, i) => 1 + (i % 10));
const LARGER = SIZES.map((size) => size + 8);

describe('whether groups differ', () => {
  test('one test a metric, adjusted for all, with the groups at the ends and the effect in words', () => {
    const report = testOf([...task('b', LARGER), ...task('a', SIZES), ...task('c', SIZES, { seconds: null })]);
    expect(report).toMatchObject({ alarm_rate: 0.05, fewest: 10, compared: 3, differ: true, left_out: [] });
    expect(report.verdict).toBe(
      'The groups differ: passes (large effect), tokens (large effect), seconds (large effect).',
    );
    const wanted = [
      kruskalTest([LARGER, SIZES, SIZES]),
      kruskalTest([LARGER, SIZES, SIZES]),
      kruskalTest([LARGER, SIZES]),
    ];
    const adjusted = holmAdjusted(wanted.map(({ p }) => p));
    expect(
      report.tests.map(({ metric, groups, n, h, df, p_value, adjusted_p, epsilon_squared }) => [
        [metric, groups, n, df],
        [h, p_value, adjusted_p, epsilon_squared],
      ]),
    ).toEqual(
      (['passes', 'tokens', 'seconds'] as const).map((metric, i) => {
        const [groups, n] = metric === 'seconds' ? [2, 60] : [3, 90];
        const { h, df, p, epsilonSquared } = wanted[i] as (typeof wanted)[number];
        return [
          [metric, groups, n, df],
          [h, p, adjusted[i], epsilonSquared],
        ];
      }),
    );
    expect(report.tests[0]).toMatchObject({
      effect: 'large',
      differ: true,
      lowest: { labels: { task: 'a' }, n: 30, median: 5.5 },
      highest: { labels: { task: 'b' }, n: 30, median: 13.5 },
      not_judged: null,
    });
  });

  test('none where the groups are alike, or all values are', () => {
    for (const sizes of [SIZES, SIZES.map(() => 4)]) {
      const report = testOf([...task('a', sizes), ...task('b', sizes)]);
      expect(report.differ).toBe(false);
      expect(report.verdict).toBe('No sign that the groups differ in size, in 3 tests taken together.');
      expect(report.tests.map(({ h, p_value, effect }) => [h, p_value, effect])).toEqual([
        [0, 1, 'negligible'],
        [0, 1, 'negligible'],
        [0, 1, 'negligible'],
      ]);
    }
  });

  test('a metric that too few groups know is not judged, with the reason', () => {
    const report = testOf([...task('a', SIZES, { usd: 1 }), ...task('b', SIZES)]);
    expect(report.tests[3]).toEqual({
      ...{ metric: 'usd', groups: 1, n: 30, h: null, df: null, p_value: null, adjusted_p: null },
      ...{ epsilon_squared: null, effect: null, differ: null, lowest: null, highest: null },
      not_judged: 'fewer than two groups have 10 successes with known usd',
    });
    expect(report.tests[0]?.adjusted_p).toBe(1);
  });

  test.each([
    ['no run', [], 'There are no groups.', null],
    ['one group', task('a', SIZES), 'There is only one group, so there is nothing to compare it with.', null],
    ['small ones', [...task('a', [1]), ...task('b', [2])], 'No group has 10 successes, so none can be compared.', null],
    [
      'one that is large enough',
      [...task('a', SIZES), ...task('b', [2])],
      'Only one group has 10 successes or more, so there is nothing to compare it with.',
      null,
    ],
    [
      'no success at all',
      task('a', SIZES, {}, { status: 'halted_error', check: 'failed' }),
      'No group has 10 successes, so none can be compared.',
      null,
    ],
  ])('%s: said in words', (_, runs, verdict, differ) => {
    expect(testOf(runs)).toMatchObject({ verdict, differ, tests: [] });
  });

  test('a group that is too small is named with what it needs', () => {
    const { left_out } = testOf([...task('a', SIZES), ...task('b', [2, 3]), ...task('c', SIZES)]);
    expect(left_out).toMatchObject([{ labels: { task: 'b' }, verified: 2, more_to_compare: 8, more_to_claim: 297 }]);
  });

  test('without groups there is no test', () => {
    expect(derive(task('a', SIZES)).report).not.toHaveProperty('group_test');
  });
});

test('effects in words', () => {
  expect([0, 0.0099, 0.01, 0.0599, 0.06, 0.1399, 0.14, 1].map(effectOf)).toEqual([
    ...['negligible', 'negligible', 'small', 'small', 'medium', 'medium', 'large', 'large'],
  ]);
});
