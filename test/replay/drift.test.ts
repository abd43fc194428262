import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { drift } from '../../src/replay/drift.js';
import { run } from '../builders.js';

function sized(sizes: readonly number[], fields: object = {}): Run[] {
  return sizes.map((size, index) =>
    run({ id: `r-${index}`, passes: Array.from({ length: size }, () => ({ seconds: 1 })), ...fields }),
  );
}

/** 1 to 20 passes, ten of each. */
const OLD = Array.from({ length: 200 }, (_, index) => 1 + (index % 20));
const moved = (sizes: readonly number[]): string[] =>
  drift(sized(OLD), sized(sizes)).tests.flatMap((each) =>
    each.moved === null ? [] : [`${each.test} ${each.metric} ${each.moved}`],
  );

describe('drift', () => {
  test('tells both sets and every test, with the tests taken together', () => {
    const report = drift(sized(OLD), sized(OLD));
    expect(report).toMatchObject({
      schema: 'capfit/drift@1',
      population: 'verified',
      old: { runs: 200, verified: 200 },
      new: { runs: 200, verified: 200 },
      alarm_rate: 0.05,
      moved: false,
      verdict: 'No sign that the successes have moved, in 6 tests taken together.',
    });
    expect(report.old.quantiles.passes).toMatchObject({ p50: 10, p99: 20, max: 20, n: 200 });
    expect(report.old.quantiles.tokens).toBeNull();
    expect(report.tests.map(({ test, metric, seen, expected, at }) => ({ test, metric, seen, expected, at }))).toEqual([
      { test: 'rank', metric: 'passes', seen: 0.5, expected: 0.5, at: null },
      { test: 'rank', metric: 'seconds', seen: 0.5, expected: 0.5, at: null },
      { test: 'top', metric: 'passes', seen: 0.5, expected: 0.5, at: null },
      { test: 'top', metric: 'seconds', seen: 0.5, expected: 0.5, at: null },
      { test: 'tail', metric: 'passes', seen: 0, expected: expect.closeTo((200 * 3) / 201, 12), at: 20 },
      { test: 'tail', metric: 'seconds', seen: 0, expected: expect.closeTo((200 * 3) / 201, 12), at: 20 },
    ]);
  });

  test('the mean moved: the rank test tells', () => {
    expect(moved(OLD.map((size) => size + 4))).toContain('rank passes up');
    expect(moved(OLD.map((size) => Math.max(1, size - 5)))).toContain('rank passes down');
  });

  test('the tail moved and the rest stayed: the tests of the tail tell alone', () => {
    const found = moved(OLD.map((size) => (size >= 19 ? 3 * size : size)));
    expect(found).toEqual(['top passes up', 'top seconds up', 'tail passes up', 'tail seconds up']);
    expect(moved(OLD.map((size) => (size === 20 ? 19 : size)))).toEqual(['top passes down', 'top seconds down']);
  });

  test('only the failures changed: nothing to tell', () => {
    const failing = { status: 'halted_error', check: 'failed', reason: 'x' };
    const report = drift(
      [...sized(OLD), ...sized([3, 4], failing)],
      [
        ...sized(OLD),
        ...sized(
          OLD.map((n) => 9 * n),
          failing,
        ),
      ],
    );
    expect(report.moved).toBe(false);
    expect(report.new).toMatchObject({ runs: 400, verified: 200 });
  });

  test('too few, or none: not judged, with the reason', () => {
    const report = drift(sized(OLD), sized([3], { check: 'none', status: 'done_claimed' }));
    expect(report.moved).toBeNull();
    expect(report.verdict).toBe('Whether the successes have moved cannot be told: too few of them.');
    expect(report.tests.map(({ not_judged, p_value, moved: to }) => [not_judged, p_value, to])).toEqual([
      ['fewer than 10 successes with known passes on one side', null, null],
      ['fewer than 10 successes with known seconds on one side', null, null],
      ['fewer than 10 successes with known passes in the largest tenth on one side', null, null],
      ['fewer than 10 successes with known seconds in the largest tenth on one side', null, null],
      ['no new success with known passes', null, null],
      ['no new success with known seconds', null, null],
    ]);
    expect(drift([], []).tests).toEqual([]);
  });

  test('a test that could not alarm whatever it saw is none', () => {
    const report = drift(sized([9]), sized([900]));
    expect([report.moved, report.unseen, report.verdict]).toEqual([
      null,
      null,
      'Whether the successes have moved cannot be told: too few of them.',
    ]);
    const tails = report.tests.filter(({ test: kind }) => kind === 'tail');
    expect(tails.map(({ p_value, alarms, not_judged }) => [p_value, alarms, not_judged])).toEqual([
      [null, null, 'too few to tell (1 new one against 1 old): no shift would be seen, however large'],
      [null, null, 'too few to tell (1 new one against 1 old): no shift would be seen, however large'],
    ]);
    // 1 of C(10, 5) = 252 orders, twice: 0.0079, for two tests within 0.05; of C(6, 3) = 20 orders it would be 0.1.
    const five = drift(sized([1, 1, 1, 1, 1]), sized([9, 9, 9, 9, 9]));
    expect(five.moved).toBe(true);
    expect(five.tests.find(({ test: kind }) => kind === 'tail')?.alarms).toEqual({ down: null, up: 5 });
    expect(drift(sized([1, 1, 1]), sized([9, 9, 9])).moved).toBeNull();
  });

  test('it says from where on each test alarms, and so which shifts it would not see', () => {
    const { tests, unseen } = drift(sized(OLD), sized(OLD));
    const of = (kind: string) => tests.find(({ test: each }) => each === kind)?.alarms;
    expect(of('rank')).toEqual({ down: expect.closeTo(0.4236, 3), up: expect.closeTo(0.5764, 3) });
    expect(of('tail')).toEqual({ down: null, up: 13 });
    expect(unseen).toBe(
      'A shift of less than this would not be seen: passes larger in 57.6 % of the pairs, or in 42.4 %; 13 of 200 above the old p99 of passes, where 3 are expected.',
    );
  });

  test('the alarm rate is that of all tests together', () => {
    const shifted = sized(OLD.map((size) => size + 1));
    const { tests } = drift(sized(OLD), shifted);
    const p = Math.min(...tests.map(({ adjusted_p }) => adjusted_p as number));
    expect(Math.min(...tests.map(({ p_value }) => p_value as number)) * 6).toBeCloseTo(p, 12);
    expect(drift(sized(OLD), shifted, { alarmRate: p }).moved).toBe(true);
    expect(drift(sized(OLD), shifted, { alarmRate: p * 0.999 }).moved).toBe(false);
  });
});
