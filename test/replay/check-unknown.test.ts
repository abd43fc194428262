import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { check } from '../../src/replay/check.js';
import type { CheckBounds } from '../../src/replay/check-bounds.js';
import type { CheckFinding } from '../../src/replay/check-result.js';
import { policy, run } from '../builders.js';

/** Successes of three passes, each pass with these figures. */
function successes(count: number, pass: object, fields: object = {}): Run[] {
  return Array.from({ length: count }, (_, at) =>
    run({ id: `${JSON.stringify(pass)}-${at}`, passes: [pass, pass, pass], ...fields }),
  );
}

const TOKENS = { input_tokens: 90, output_tokens: 10 };
const SMALL = policy({ caps: { tokens: 250, usd: 5 } });

function found(runs: readonly Run[], bounds: Partial<CheckBounds>, by = SMALL): CheckFinding[] {
  return check(runs, by, { alarmRate: null, ...bounds }).findings.filter(({ check: of }) =>
    ['false_stops', 'stopped', 'unverified_spend', 'halted'].includes(of),
  );
}

const words = (findings: readonly CheckFinding[]): string[] =>
  findings.map(({ severity, code }) => `${severity} ${code}`);

describe('successes that nothing of the policy can judge', () => {
  const untold = successes(40, {});

  test('are no successes that it spares: a default says so, a bound that was set fails', () => {
    const [note] = found(untold, {});
    expect(note).toEqual({
      code: 'false_stops_not_judged',
      check: 'false_stops',
      severity: 'note',
      message:
        'false stops cannot be judged: tokens could not judge 40 of 40 runs (40 of 40 successes), usd could not judge 40 of 40 runs (40 of 40 successes)',
      value: null,
      bound: 0.01,
      hint: 'record what these limits count in every pass, or read the recording in a form that has it',
    });
    const report = check(untold, SMALL, { maxFalseStops: 0.01 });
    expect(report.passed).toBe(false);
    expect(report.figures.false_stops).toEqual({
      count: 0,
      judged: 0,
      rate: null,
      lower95: null,
      upper95: null,
      not_judged: 40,
    });
    expect(check(untold, SMALL).checks[0]).toMatchObject({
      figure: 'unknown: nothing of the policy could judge any of 40 successes of two passes or more',
      outcome: 'not judged',
    });
  });

  test('nor do runs that no cap can stop make it known', () => {
    const idle = run({ id: 'idle', passes: [] });
    const short = run({ id: 'short', passes: [{}] });
    expect(words(found([...untold, idle, short], { maxFalseStops: 0.01 }))).toEqual(['error false_stops_not_judged']);
  });

  test('are left out of the rate where others are judged, with a warning where the bound was set', () => {
    const mixed = [...untold, ...successes(60, { ...TOKENS, usd: 1 })];
    const { figures } = check(mixed, policy({ caps: { tokens: 900 } }));
    expect(figures.false_stops).toMatchObject({ count: 0, judged: 60, not_judged: 40 });
    const half = policy({ caps: { tokens: 900 } });
    expect(words(found(mixed, { maxFalseStops: 0.01 }, half))).toEqual(['warning false_stops_in_part']);
    expect(found(mixed, {}, half)).toEqual([
      expect.objectContaining({
        severity: 'note',
        value: 0.4,
        message:
          'false stops are judged in part: tokens could not judge 40 of 100 runs (40 of 100 successes); 40 of them could be cut unseen, and 40 that nothing could judge are left out of the rate',
      }),
    ]);
  });
});

test('what one limit judges counts; what the other could not is told, with how many', () => {
  const half = [...successes(5, TOKENS), ...successes(5, {}), ...successes(5, { usd: 1 })];
  const report = check(half, SMALL, { maxFalseStops: 0.5 });
  // Five are stopped by tokens; five say nothing; five are judged by usd alone, which spares them.
  expect(report.figures.false_stops).toMatchObject({ count: 0, judged: 10, not_judged: 15 });
  const tight = check(half, policy({ caps: { tokens: 150, usd: 5 } }), { maxFalseStops: 0.5 });
  expect(tight.figures.false_stops).toMatchObject({ count: 5, judged: 10, rate: 0.5, not_judged: 10 });
  expect(words(tight.findings.filter(({ check: of }) => of === 'false_stops'))).toEqual([
    'warning false_stops_in_part',
  ]);
});

test('where everything is known nothing is told', () => {
  expect(
    found(successes(20, { ...TOKENS, usd: 1 }), { maxFalseStops: 0.01 }, policy({ caps: { tokens: 900, usd: 9 } })),
  ).toEqual([]);
});

describe('the other shares', () => {
  test('of stopped runs: a lower bound, with how many could be stopped unseen', () => {
    const failing = { status: 'done_claimed', check: 'failed' };
    const runs = [...successes(6, TOKENS, failing), ...successes(4, {}, failing)];
    const card = policy({ caps: { tokens: 150 } });
    const bounds = { maxFalseStops: null, maxStopped: 1 };
    expect(check(runs, card, bounds).figures.stopped).toEqual({ count: 6, share: 0.6 });
    expect(found(runs, bounds, card)).toEqual([
      expect.objectContaining({
        code: 'stopped_in_part',
        severity: 'warning',
        value: 1,
        message:
          'stopped_budget is judged in part: tokens could not judge 4 of 10 runs (0 of 0 successes); 4 runs could be stopped unseen; bound 100 %',
      }),
    ]);
    expect(words(found(successes(4, {}, failing), bounds, card))).toEqual(['error stopped']);
  });

  test('of unverified spend: a warning names the runs whose tokens are not known', () => {
    const runs = [...successes(6, TOKENS), ...successes(4, {})];
    expect(found(runs, { maxFalseStops: null, maxUnverifiedSpend: 0.5 })).toEqual([
      expect.objectContaining({
        code: 'unverified_spend_in_part',
        severity: 'warning',
        message: 'unverified spend is judged in part: the tokens of 4 of 10 runs are not known; bound 50 %',
      }),
    ]);
  });

  test('of alarming halts: those without a reason are counted apart', () => {
    const halted = run({ id: 'h', status: 'halted_error', check: 'none', reason: null, passes: [] });
    expect(found([...successes(3, { ...TOKENS, usd: 1 }), halted], {})).toEqual([
      expect.objectContaining({ code: 'halted_untold', severity: 'note', value: 1 }),
    ]);
  });
});

describe('--confidence', () => {
  const sized = (long: number, short: number): Run[] =>
    [...Array(long).fill(9), ...Array(short).fill(1)].map((size, at) =>
      run({ id: `r-${at}`, passes: Array.from({ length: size as number }, () => ({})) }),
    );
  const card = policy({ caps: { passes: 5 } });
  const verdict = (long: number, all: number, confidence: CheckBounds['confidence'], maxFalseStops = 0.01): string[] =>
    words(found(sized(long, all - long), { confidence, maxFalseStops }, card));

  // R: binom.test(6, 310, conf.level = 0.9)$conf.int[1] is 0.00847, of 7 it is 0.01064.
  test.each<[number, number, CheckBounds['confidence'], string[]]>([
    [3, 310, 'lower', []],
    [4, 310, 'lower', ['note false_stops_above']],
    [6, 310, 'lower', ['note false_stops_above']],
    [7, 310, 'lower', ['error false_stops']],
    [1, 1, 'lower', ['error false_stops']],
    [3, 310, 'point', []],
    [4, 310, 'point', ['error false_stops']],
    [0, 298, 'upper', ['error false_stops']],
    [0, 299, 'upper', []],
  ])('%d of %d, by %s', (long, all, confidence, codes) => expect(verdict(long, all, confidence)).toEqual(codes));

  test.each<[number, number, number, string]>([
    [0, 1, 0.01, 'too few to show it: with 0 stopped, the upper limit is within 1 % from 299 judged successes on;'],
    [
      1,
      40,
      0.05,
      'too few to show it: with 1 stopped, the upper limit is within 5 % from 93 judged successes on (from 59 with none stopped);',
    ],
    [0, 40, 0, 'no number of runs can show that none is ever cut: name a rate above 0'],
    [30, 40, 0.05, 'good runs are cut off:'],
  ])('upper, %d of %d at %d: says how many it takes', (long, all, maxFalseStops, hint) => {
    const [finding] = found(sized(long, all - long), { confidence: 'upper', maxFalseStops }, card);
    expect(finding?.hint.startsWith(hint)).toBe(true);
  });

  test('a rate of 0 that is accepted is broken by any', () => {
    expect(verdict(1, 400, 'lower', 0)).toEqual(['error false_stops']);
    expect(verdict(0, 400, 'lower', 0)).toEqual([]);
  });
});
