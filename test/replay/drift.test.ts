import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { drift } from '../../src/replay/drift.js';
import { effectOf } from '../../src/replay/drift-effect.js';
import { endingRows, endingTests } from '../../src/replay/drift-endings.js';
import { judgeTogether } from '../../src/replay/drift-tests.js';
import { growthSeen } from '../../src/replay/drift-unseen.js';
import { clopperPearson } from '../../src/stats/interval.js';
import { sharedShareTails, twoSided } from '../../src/stats/tails.js';
import { policy, run } from '../builders.js';

function sized(sizes: readonly number[], fields: object = {}): Run[] {
  return sizes.map((size, index) =>
    run({ id: `r-${index}`, passes: Array.from({ length: size }, () => ({ seconds: 1 })), ...fields }),
  );
}

/** The same without times. */
function silent(sizes: readonly number[]): Run[] {
  return sizes.map((size, index) =>
    run({ id: `s-${index}`, passes: Array.from({ length: size }, () => ({ seconds: null })) }),
  );
}

/** scipy 1.17: fisher_exact([[13, 44], [0, 57]], alternative='greater').pvalue */
const ONE_SIDED_OUTAGE = 5.6497253217882004e-5;

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
      split: null,
      moved: false,
      answer: 'not moved',
      verdict: `Not moved, as far as 200 old and 200 new successes can tell: no sign of it in 6 tests taken together. ${report.unseen}`,
      not_compared: null,
      warnings: [],
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
      { test: 'endings', metric: null, seen: null, expected: null, at: null },
    ]);
    expect(report.tests.at(-1)?.not_judged).toBe('all runs of both sets end in one way');
    expect(report.changes.passes).toEqual({
      p50: { old: 10, new: 10, change: 0, share: 0 },
      p99: { old: 20, new: 20, change: 0, share: 0 },
      max: { old: 20, new: 20, change: 0, share: 0 },
    });
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

  test('only the failures changed: the sizes have not moved, how runs end has', () => {
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
    expect([report.answer, report.verdict]).toEqual([
      'moved',
      'Moved: fewer runs end as "done_verified" (200 of 400 = 50 %, before 200 of 202 = 99 %).',
    ]);
    expect(report.new).toMatchObject({ runs: 400, verified: 200 });
    expect(report.tests.filter(({ moved: to }) => to !== null)).toEqual([
      expect.objectContaining({
        ...{ test: 'endings', ending: 'done_verified', moved: 'down', effect: null },
        ...{ n_old: 202, n_new: 400, seen: 0.5, expected: 200 / 202 },
      }),
    ]);
    expect(report.endings).toEqual([
      { ending: 'done_verified', old: 200, new: 200, old_share: 200 / 202, new_share: 0.5, tested: 'by itself' },
      { ending: 'halted_error: x', old: 2, new: 200, old_share: 2 / 202, new_share: 0.5, tested: 'by itself' },
    ]);
  });

  test('too few, or none: not judged, with the reason', () => {
    const report = drift(sized(OLD), sized([3], { check: 'none', status: 'done_claimed' }));
    expect(report.moved).toBeNull();
    expect(report.verdict).toBe('Cannot tell: 200 old and 0 new successes, and it takes at least 10 on either side.');
    expect(report.tests.map(({ not_judged, p_value, moved: to }) => [not_judged, p_value, to])).toEqual([
      ['fewer than 10 successes with known passes on one side', null, null],
      ['fewer than 10 successes with known seconds on one side', null, null],
      ['fewer than 10 successes with known passes in the largest tenth on one side', null, null],
      ['fewer than 10 successes with known seconds in the largest tenth on one side', null, null],
      ['no new success with known passes', null, null],
      ['no new success with known seconds', null, null],
      ['fewer than 10 runs on one side', null, null],
    ]);
    expect(drift([], []).tests.map(({ not_judged }) => not_judged)).toEqual(['fewer than 10 runs on one side']);
    expect(drift([], [])).toMatchObject({ answer: 'cannot tell', moved: null, caps: null, endings: [] });
  });

  test('a test that could not alarm whatever it saw is none', () => {
    const report = drift(sized([9]), sized([900]));
    expect([report.moved, report.unseen, report.verdict]).toEqual([
      null,
      null,
      'Cannot tell: 1 old and 1 new success, and it takes at least 10 on either side.',
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
    const { tests, unseen, unseen_up_to } = drift(sized(OLD), sized(OLD));
    const of = (kind: string) => tests.find(({ test: each }) => each === kind)?.alarms;
    expect(of('rank')).toEqual({ down: expect.closeTo(0.4236, 3), up: expect.closeTo(0.5764, 3) });
    expect(of('tail')).toEqual({ down: null, up: 13 });
    expect(unseen).toBe(
      'A smaller shift than this would not have been seen: every success taking 17 % more passes or 17 % more seconds; 13 of 200 new successes above the old p99 of passes (3 expected).',
    );
    expect(unseen_up_to).toEqual({
      growth: { passes: expect.any(Number), tokens: null, seconds: expect.any(Number), usd: null },
      above: { metric: 'passes', p: 0.99, count: 13, of: 200, expected: expect.closeTo(2.985, 3) },
      new_ending: null,
    });
  });

  test('the alarm rate is that of all tests together', () => {
    const shifted = sized(OLD.map((size) => size + 1));
    const tests = drift(sized(OLD), shifted).tests.filter(({ p_value }) => p_value !== null);
    const p = Math.min(...tests.map(({ adjusted_p }) => adjusted_p as number));
    expect(Math.min(...tests.map(({ p_value }) => p_value as number)) * 6).toBeCloseTo(p, 12);
    expect(drift(sized(OLD), shifted, { alarmRate: p }).moved).toBe(true);
    expect(drift(sized(OLD), shifted, { alarmRate: p * 0.999 }).moved).toBe(false);
  });

  test('how large a shift is, in words with thresholds', () => {
    const word = (test: 'rank' | 'top' | 'tail' | 'endings', seen: number | null) => effectOf({ test, seen });
    expect([0.5, 0.559, 0.56, 0.64, 0.71, 1].map((seen) => word('rank', seen))).toEqual([
      ...['negligible', 'negligible', 'small', 'medium', 'large', 'large'],
    ]);
    expect([0.45, 0.44, 0.36, 0.29].map((seen) => word('top', seen))).toEqual([
      ...['negligible', 'small', 'medium', 'large'],
    ]);
    expect([word('rank', null), word('tail', 7), word('endings', 0.9)]).toEqual([null, null, null]);
  });

  test('no alarm, and even a large shift would go unseen: cannot tell', () => {
    // Fourteen a side: an alarm takes more than 71 % of the pairs; at 60 a side it takes 65 %.
    const small = drift(sized(OLD.slice(0, 14)), sized(OLD.slice(3, 17)));
    expect([small.answer, small.moved]).toEqual(['cannot tell', null]);
    expect(small.verdict).toMatch(
      /^Cannot tell: with 14 old and 14 new successes not even a large shift of their sizes would be seen\. A smaller shift than this would not have been seen: every success taking \d+ % more/,
    );
    expect(drift(sized(OLD.slice(0, 60)), sized(OLD.slice(3, 63))).answer).toBe('not moved');
    // What moved is told however few they are.
    expect(drift(sized(OLD.slice(0, 14)), sized(OLD.slice(0, 14).map((size) => 50 + size))).answer).toBe('moved');
  });

  test('what became of the percentiles, exact', () => {
    const costs = (usd: readonly number[]): Run[] =>
      usd.map((each, i) => run({ id: `r-${i}`, passes: [{ usd: each, seconds: 0 }] }));
    const { changes } = drift(costs([0.1, 0.3]), costs([0.3, 0.7]), { p: { num: 9n, den: 10n } });
    expect(changes.usd).toEqual({
      p50: { old: 0.1, new: 0.3, change: 0.2, share: 2 },
      p90: { old: 0.3, new: 0.7, change: 0.4, share: 4 / 3 },
      p99: { old: 0.3, new: 0.7, change: 0.4, share: 4 / 3 },
      max: { old: 0.3, new: 0.7, change: 0.4, share: 4 / 3 },
    });
    expect(changes.seconds?.p50).toEqual({ old: 0, new: 0, change: 0, share: null });
    expect(changes.tokens).toBeNull();
  });

  test('the old caps on both sets: derived from the old runs, or those of a policy', () => {
    const longer = OLD.map((size) => size + 10);
    const derived = drift(sized(OLD), sized(longer)).caps;
    expect(derived).toMatchObject({
      from: 'old runs',
      limits: { passes: 24, seconds: 25 },
      rules: [],
      accepted_rate: 0.01,
    });
    expect(derived?.old.false_stops).toMatchObject({ count: 0, rate: 0 });
    // Those of 25 to 30 passes: six of twenty sizes, ten of each.
    expect(derived?.new.false_stops).toMatchObject({ count: 60, rate: 0.3 });
    expect(derived?.new.stopped).toEqual({ count: 60, share: 0.3, open: 0 });
    expect(derived?.new.spend.passes).toMatchObject({ recorded: 4100, replayed: 4100 - 10 * 21 });
    const named = drift(sized(OLD), sized(longer), {
      policy: policy({ caps: { passes: 15 }, rules: [{ rule: 'repeat' }] }),
    }).caps;
    expect(named).toMatchObject({
      from: 'policy',
      limits: { passes: 15 },
      rules: ['repeats'],
      old: { false_stops: { count: 50 }, by_reason: { passes: 50, repeats: 0 } },
      new: { false_stops: { count: 150 } },
    });
  });

  const ending = (reason: string, count: number): Run[] =>
    sized(new Array(count).fill(2), { status: 'halted_error', check: 'failed', reason });

  test('each ending that is frequent enough is tested by itself, rare ones together; which, the totals alone decide', () => {
    const [old, fresh] = [
      [...sized(OLD), ...ending('a', 20), ...ending('b', 4), ...ending('c', 3)],
      [...sized(OLD), ...ending('a', 40), ...ending('b', 4), ...ending('d', 6)],
    ];
    const report = drift(old, fresh);
    expect(report.endings.map(({ ending: name, tested }) => [name, tested])).toEqual([
      ['done_verified', 'by itself'],
      ['halted_error: a', 'by itself'],
      ['halted_error: b', 'together'],
      ['halted_error: d', 'together'],
      ['halted_error: c', 'together'],
    ]);
    const found = report.tests.filter(({ test: kind }) => kind === 'endings');
    expect(found.map((each) => [each.ending, each.seen, each.expected])).toEqual([
      ['done_verified', 200 / 250, 200 / 227],
      ['halted_error: a', 40 / 250, 20 / 227],
      ['rare endings together', 10 / 250, 7 / 227],
    ]);
    expect(found[1]?.p_value).toBe(twoSided(sharedShareTails(40, 250, 20, 227)));
    expect(drift(fresh, old).endings.map(({ tested }) => tested)).toEqual(report.endings.map(({ tested }) => tested));
  });

  test('an outage of one reason alarms, though another ending moves the other way', () => {
    const claimed = (count: number): Run[] =>
      sized(new Array(count).fill(2), { status: 'done_claimed', check: 'none' });
    const report = drift(
      [...sized(OLD.slice(0, 52)), ...claimed(5)],
      [...sized(OLD.slice(0, 41)), ...claimed(3), ...ending('rate_limit', 13)],
    );
    expect(report.verdict).toMatch(
      /^Moved: more runs end as "halted_error: rate_limit" \(13 of 57 = 22\.8 %, before 0 of 57 = 0 %\)\.$/,
    );
    const outage = report.tests.find((each) => each.ending === 'halted_error: rate_limit');
    expect(outage?.p_value).toBeCloseTo(2 * ONE_SIDED_OUTAGE, 12);
    expect(outage).toMatchObject({ moved: 'up', seen: 13 / 57, expected: 0 });
  });

  test('an ending of all the new runs is no rare one, though a third ending is', () => {
    const rows = endingRows(
      new Map([
        ['done_claimed', 77],
        ['done_verified', 63],
        ['stopped_budget: messages', 3],
      ]),
      new Map([
        ['done_claimed', 105],
        ['done_verified', 37],
      ]),
    );
    expect(rows.map((row) => row.tested)).toEqual(['by itself', 'by itself', 'no']);
  });

  test('a burst in a few new runs is seen beside many old ones', () => {
    const counts = (bad: number, all: number) =>
      new Map([
        ['good', all - bad],
        ['x', bad],
        ['y', 1],
      ]);
    const made = judgeTogether(endingTests(counts(0, 1000), counts(8, 50)), 0.05);
    expect(made.find((each) => each.ending === 'x')).toMatchObject({ moved: 'up' });
  });

  test('two ways to end: one exact test, of the good one', () => {
    // scipy 1.17, fisher_exact([[2, 200], [10, 200]]): 0.02112967480289844 and 0.9965; twice the smaller.
    const { tests } = drift([...sized(OLD), ...ending('x', 2)], [...sized(OLD), ...ending('x', 10)]);
    const found = tests.filter(({ test: kind }) => kind === 'endings');
    expect(found.map((each) => each.ending)).toEqual(['done_verified']);
    expect(found[0]?.p_value).toBeCloseTo(2 * 0.02112967480289844, 12);
    expect(found[0]?.alarms?.down).toBeLessThan(1);
  });

  test('nearly all runs end in one way: not judged, with the reason', () => {
    const { tests, endings } = drift([...sized(OLD), ...ending('x', 2)], [...sized(OLD), ...ending('x', 1)]);
    expect(tests.at(-1)).toMatchObject({
      ...{ test: 'endings', ending: null, p_value: null },
      not_judged: 'nearly all runs end in one way, and too few in others to tell',
    });
    expect(endings.map(({ tested }) => tested)).toEqual(['no', 'no']);
  });

  test('an endings test that is made can alarm, and every run counts in one row', () => {
    const counts = fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(counts, (drawn) => {
        const of = (side: 0 | 1): Map<string, number> => new Map(drawn.map((each, kind) => [`k${kind}`, each[side]]));
        const tests = judgeTogether(endingTests(of(0), of(1)), 0.01);
        for (const test of tests) {
          if (test.p_value === null) continue;
          expect(test.p_value).toBeLessThanOrEqual(1);
          if (test.moved === 'up') expect(test.seen as number).toBeGreaterThan(test.expected as number);
          if (test.moved === 'down') expect(test.seen as number).toBeLessThan(test.expected as number);
        }
        const rows = endingRows(of(0), of(1));
        expect(rows.reduce((sum, row) => sum + row.old, 0)).toBe(drawn.reduce((sum, [old]) => sum + old, 0));
        // Whichever set is the old one.
        const other = new Map(endingRows(of(1), of(0)).map(({ ending: name, tested }) => [name, tested]));
        for (const row of rows) expect(row.tested).toBe(other.get(row.ending));
      }),
    );
  });
});

describe('what a comparison would not see', () => {
  test('growth: the smallest in whole percent that the pairs show', () => {
    const values = Float64Array.from({ length: 100 }, (_, index) => 100 + index);
    const seen = growthSeen(values, 0.6) as number;
    const share = (percent: number): number => {
      let wins = 0;
      for (const a of values) {
        const grown = Math.round(a * (1 + percent / 100));
        for (const b of values) wins += grown > b ? 1 : grown === b ? 0.5 : 0;
      }
      return wins / 10_000;
    };
    expect(share(100 * seen)).toBeGreaterThanOrEqual(0.6);
    expect(share(100 * seen - 1)).toBeLessThan(0.6);
    expect(growthSeen(new Float64Array([0, 0, 0]), 0.6)).toBeNull();
    expect(growthSeen(new Float64Array(), 0.6)).toBeNull();
  });

  test('a size that only one set tells is named in the headline', () => {
    expect(drift(sized(OLD), silent(OLD)).verdict).toMatch(
      / Could not be compared: seconds \(known for 200 of 200 old and 0 of 200 new successes\)\.$/,
    );
    const inTotal = (totals: object): Run[] => OLD.map((_, index) => run({ id: `t-${index}`, passes: null, totals }));
    const apart = drift(inTotal({ tokens: 9 }), inTotal({ seconds: 4 }));
    expect([apart.answer, apart.verdict]).toEqual([
      'cannot tell',
      'Cannot tell: of 200 old and 200 new successes no size is known in both sets. No size could be compared: tokens (known for 200 of 200 old and 0 of 200 new successes), seconds (known for 0 of 200 old and 200 of 200 new successes).',
    ]);
  });
});

describe('the old caps where a record does not tell', () => {
  test('no good run can be judged: unknown, never 0', () => {
    const caps = drift(sized(OLD), silent(OLD), { policy: policy({ caps: { seconds: 15 } }) }).caps;
    expect(caps?.old.false_stops).toMatchObject({ count: 50, at_most: 50, judged: 200, not_judged: null });
    // A run of one pass is stopped by no cap.
    const many = OLD.filter((size) => size > 1).length;
    expect(caps?.new.false_stops).toMatchObject({
      at_most: many,
      judged: 200 - many,
      not_judged: 'seconds (190 of 200)',
    });
    const longer = silent(OLD).filter((each) => (each.passes ?? []).length > 1);
    const none = drift(sized(OLD), longer, { policy: policy({ caps: { seconds: 15 } }) }).caps?.new;
    expect(none?.false_stops).toEqual({
      count: null,
      rate: null,
      at_most: many,
      rate_at_most: 1,
      ci95: null,
      judged: 0,
      not_judged: `seconds (${many} of ${many})`,
    });
    expect(none?.stopped).toEqual({ count: 0, share: 0, open: many });
  });

  test('some can: from what is sure to what may be, and an interval of both', () => {
    const mixed = [...sized(OLD.slice(0, 100)), ...silent(OLD.slice(0, 100))];
    const found = drift(sized(OLD), mixed, { policy: policy({ caps: { seconds: 15 } }) }).caps?.new.false_stops;
    expect(found).toMatchObject({ count: 25, rate: 0.125, at_most: 120, rate_at_most: 0.6, judged: 105 });
    expect(found?.ci95?.[0]).toBeCloseTo(clopperPearson(25, 200).low, 12);
    expect(found?.ci95?.[1]).toBeCloseTo(clopperPearson(120, 200).high, 12);
  });
});

describe('sets that are no draws of one kind', () => {
  const labelled = (count: number, labels: (index: number) => object): Run[] =>
    Array.from({ length: count }, (_, index) =>
      run({ id: `l-${index}`, passes: [{ seconds: 1 }], labels: labels(index) }),
    );
  const codes = (old: Run[], fresh: Run[]): string[] => drift(old, fresh).warnings.map(({ code }) => code);

  test('several runs of a task, tasks that the old runs lack, another mix: each is told', () => {
    const old = labelled(100, (index) => ({ task_id: `t-${index % 20}`, model: 'a' }));
    const fresh = labelled(100, (index) => ({ task_id: `t-${10 + (index % 20)}`, model: index < 40 ? 'b' : 'a' }));
    expect(drift(old, fresh).warnings).toEqual([
      {
        code: 'runs_of_one_task',
        message: expect.stringMatching(
          /^the 100 old runs are of 20 tasks and the 100 new runs are of 20 tasks \(by task_id\)/,
        ),
        hint: expect.any(String),
      },
      {
        code: 'other_tasks',
        message: '50 of the 100 new runs are of tasks that no old run is of (by task_id)',
        hint: expect.any(String),
      },
      {
        code: 'other_mix',
        message: 'the two sets are of another mix: model=a in 100 % of the old runs and 60 % of the new',
        hint: expect.stringContaining('--where model=a'),
      },
    ]);
  });

  test('one run a task, or the same mix but for chance: nothing to tell', () => {
    const once = labelled(100, (index) => ({ task_id: `t-${index}` }));
    const other = labelled(100, (index) => ({ task_id: `u-${index}` }));
    expect(codes(once, other)).toEqual([]);
    const mix = (share: number): Run[] => labelled(60, (index) => ({ model: index < share ? 'a' : 'b' }));
    expect(codes(mix(30), mix(36))).toEqual([]);
    expect(codes(mix(10), mix(50))).toEqual(['other_mix']);
    // What a run came to is looked at by the tests.
    const came = (kind: string): Run[] => labelled(60, () => ({ raw_reason: kind, kind }));
    expect(codes(came('x'), came('y'))).toEqual([]);
  });

  test('an empty value is shown as one', () => {
    const message = drift(
      labelled(60, () => ({ model: '' })),
      labelled(60, () => ({ model: 'b' })),
    ).warnings[0]?.message;
    expect(message).toContain('model="" in 100 % of the old runs');
  });
});
