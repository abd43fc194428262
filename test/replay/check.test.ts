import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { calibrate } from '../../src/replay/calibrate.js';
import { check } from '../../src/replay/check.js';
import type { CheckBounds } from '../../src/replay/check-bounds.js';
import { policy, run } from '../builders.js';
import { WORKED_EXAMPLE } from '../cli/harness.js';

const RUNS: Run[] = readFileSync(WORKED_EXAMPLE, 'utf8')
  .trim()
  .split('\n')
  .map((line, index) => run(JSON.parse(line) as object, index + 1));
const { policy: CARD } = calibrate(RUNS);

/** The example's own halts, on a permission, are no part of what is looked at. */
const QUIET: Partial<CheckBounds> = { maxHalts: null };

function codes(
  runs: readonly Run[],
  bounds: Partial<CheckBounds> = {},
  old: Run[] | null = null,
  card = CARD,
): string[] {
  const { findings } = check(runs, card, { ...QUIET, ...bounds }, old);
  // That the repeat rule stops an eighth of the example's runs is asked for by a test of its own.
  return findings.filter(({ code }) => code !== 'trips_often').map(({ severity, code }) => `${severity} ${code}`);
}

/** That many successes of so many passes each, 100 tokens and a second a pass. */
function successes(sizes: readonly number[], fields: object = {}): Run[] {
  return sizes.map((size, index) =>
    run({
      id: `s-${index}`,
      passes: Array.from({ length: size }, () => ({ input_tokens: 90, output_tokens: 10, seconds: 1 })),
      ...fields,
    }),
  );
}

function priced(one: Run): Run {
  return run({ id: 'priced', passes: (one.passes ?? []).map(() => ({ input_tokens: 9, output_tokens: 1, usd: 0.1 })) });
}

/** 1 to 10 passes, 40 of each. */
const OLD = successes(Array.from({ length: 400 }, (_, index) => 1 + (index % 10)));
const OLD_CARD = calibrate(OLD).policy;

describe('what trips often', () => {
  test('is a note, with what it points at and who owns the unfinished run', () => {
    const report = check(RUNS, CARD, QUIET);
    expect(report.checks.find(({ code }) => code === 'trips_often')).toEqual({
      code: 'trips_often',
      title: 'tripped often',
      figure: 'repeats stops most: 53 of 400 runs = 13.3 %',
      bound: 'none; told above 10 %',
      outcome: 'passed',
    });
    expect(report.findings.filter(({ check: of }) => of === 'trips_often')).toEqual([
      {
        code: 'trips_often',
        check: 'trips_often',
        severity: 'note',
        message:
          'repeats stops 53 of 400 runs = 13.3 %, too many for a safety net: something in these runs goes wrong that the limit only cuts short',
        value: 53 / 400,
        bound: 0.1,
        hint: 'it points at a tool that keeps answering the same, or a history that loses the answer; say who owns the unfinished run: retry narrower, hand to a queue, or escalate',
      },
    ]);
  });

  test('a rule by its kind, whatever it is called; a tenth is not more than a tenth', () => {
    const runs = successes([...new Array(9).fill(1), 30]);
    const hint = (rules: object[], caps: object): string | undefined =>
      check(runs, policy({ caps, rules })).findings.find(({ code }) => code === 'trips_often')?.hint;
    expect(hint([], { passes: 5 })).toBeUndefined();
    const idle = [{ rule: 'idle', name: 'no-calls', count: 1 }];
    expect(
      check(successes([3, 3]), policy({ rules: idle })).findings.find(({ code }) => code === 'trips_often')?.hint,
    ).toMatch(/^it points at a model that talks and calls nothing/);
    expect(check([], policy({ caps: { passes: 5 } })).checks.find(({ code }) => code === 'trips_often')).toMatchObject({
      figure: 'unknown: no runs',
      outcome: 'not judged',
    });
  });
});

describe('false stops', () => {
  test('are judged by the lower limit of the rate, against the rate that the caps were derived for', () => {
    const report = check(RUNS, CARD, QUIET);
    expect(report.passed).toBe(true);
    expect(report.figures).toEqual({
      false_stops: {
        count: 3,
        judged: 310,
        rate: 3 / 310,
        lower95: expect.closeTo(0.00264276, 7),
        upper95: expect.closeTo(0.0248206, 6),
        not_judged: 0,
      },
      stopped: { count: 82, share: 0.205 },
      unverified_spend_share: expect.closeTo(0.892, 3),
      over_cap: 0,
      by_status: { done_verified: 310, done_claimed: 0, stopped_budget: 79, halted_error: 11, running: 0 },
      halted_by_reason: { permission_denied: 5, provider_error: 3, tool_threw: 3 },
      card_age_days: null,
    });
    expect(report.checks[0]).toEqual({
      code: 'false_stops',
      title: 'false stops',
      figure: '3 of 310 = 0.968 %; with 95 % confidence at least 0.264 %, and at most 2.48 %',
      bound: 'at most 1 %, by the lower limit',
      outcome: 'passed',
    });
  });

  test.each<[Partial<CheckBounds>, string[]]>([
    [{ maxFalseStops: 3 / 310 }, []],
    [{ maxFalseStops: 0.0096 }, ['note false_stops_above']],
    [{ maxFalseStops: 0.0027 }, ['note false_stops_above']],
    [{ maxFalseStops: 0.0026 }, ['error false_stops']],
    [{ maxFalseStops: 3 / 310, confidence: 'point' }, []],
    [{ maxFalseStops: 0.0096, confidence: 'point' }, ['error false_stops']],
    [{ maxFalseStops: 0.01, confidence: 'upper' }, ['error false_stops']],
    [{ maxFalseStops: 0.025, confidence: 'upper' }, []],
    [{ maxFalseStops: null }, []],
    [{ maxStopped: 0.205 }, []],
    [{ maxStopped: 0.2 }, ['error stopped']],
    [{ maxUnverifiedSpend: 0.9 }, []],
    [{ maxUnverifiedSpend: 0.5 }, ['error unverified_spend']],
  ])('%j', (bounds, found) => expect(codes(RUNS, bounds)).toEqual(found));

  test('the accepted rate is the one of the policy', () => {
    const { policy: loose } = calibrate(RUNS, { p: { num: 9n, den: 10n }, padding: { num: 1n, den: 1n } });
    const [judgement] = check(RUNS, loose, QUIET).checks;
    expect(judgement?.bound).toBe('at most 10 %, by the lower limit');
  });

  test('without a verified success nothing can be said, and that fails', () => {
    const [finding] = check(
      successes([3], { status: 'done_claimed', check: 'none' }),
      policy({ caps: { passes: 9 } }),
    ).findings;
    expect(finding).toMatchObject({
      code: 'no_verified',
      severity: 'error',
      value: null,
      bound: 0.01,
      check: 'false_stops',
    });
  });

  test('a bound that cannot be judged fails', () => {
    const untold = [run({ passes: [{ seconds: 1 }] })];
    const [finding] = check(untold, policy({}), { maxUnverifiedSpend: 0.5 }).findings;
    expect(finding).toMatchObject({ code: 'unverified_spend', severity: 'error', value: null, bound: 0.5 });
  });

  test('runs that a cap of the day stopped hide good ones, and it says so', () => {
    const stopped = successes([5, 5], { status: 'stopped_budget', reason: 'passes', check: 'none' });
    const { findings, passed } = check([...successes([2, 3]), ...stopped], policy({ caps: { passes: 5 } }));
    expect(passed).toBe(true);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'unseen_false_stops', severity: 'warning', value: 0.5, bound: 0.01 }),
    );
  });

  test('runs known in total only may hide more', () => {
    const totals = successes([3]).concat(run({ id: 't', passes: null, totals: { passes: 4, tokens: 900 } }));
    expect(codes(totals, {}, null, policy({ caps: { tokens: 800 } }))).toContain('warning false_stops_uncertain');
  });
});

describe('drift: crafted shifts of the worked example', () => {
  const scaled = (factor: (run: Run, index: number) => number): Run[] =>
    RUNS.map((each, index) => {
      const by = each.check === 'passed' ? factor(each, index) : 1;
      const made = Array.from({ length: Math.max(1, Math.round((each.passes?.length ?? 0) * by)) }, (_, at) => {
        const passes = each.passes ?? [];
        return passes[at % passes.length] as (typeof passes)[number];
      });
      return { ...each, passes: made };
    });
  const size = ({ passes }: Run): number => passes?.length ?? 0;
  const ninth = RUNS.filter(({ check }) => check === 'passed')
    .map(size)
    .sort((a, b) => a - b)[279] as number;
  const isDrift = (code: string): boolean => code.includes('drift');

  test('nothing moved: passes', () => {
    expect(codes(RUNS)).toEqual([]);
    expect(codes(RUNS, {}, RUNS)).toEqual([]);
  });

  test('the mean moved: fails, by the rank test', () => {
    const found = codes(
      scaled(() => 1.3),
      {},
      RUNS,
    );
    expect(found).toContain('error drift_rank_passes');
    expect(found).toContain('error drift_rank_seconds');
  });

  test('the mean moved far: fails without old runs too, by what the policy keeps', () => {
    const found = codes(scaled(() => 1.8)).filter(isDrift);
    expect(found).toEqual(['error drift_tail_passes', 'error drift_tail_seconds']);
  });

  test('it moved down: fails as well, the card is of other traffic', () => {
    expect(
      codes(
        scaled(() => 0.6),
        {},
        RUNS,
      ),
    ).toContain('error drift_rank_passes');
  });

  test('only the tail moved: fails by the tail, not by the rank test', () => {
    const found = codes(scaled((each) => (size(each) >= ninth ? 2.2 : 1))).filter(isDrift);
    expect(found).toContain('error drift_tail_passes');
    expect(
      codes(
        scaled((each) => (size(each) >= ninth ? 2.2 : 1)),
        {},
        RUNS,
      ),
    ).not.toContain('error drift_rank_passes');
  });

  test('only the failures changed, threefold and for other reasons: passes', () => {
    const changed = RUNS.map((each) =>
      each.check === 'passed'
        ? each
        : { ...each, reason: 'tool_threw', status: 'halted_error' as const, passes: (each.passes ?? []).slice(0, 3) },
    );
    expect(codes(changed, {}, RUNS).filter((code) => code.startsWith('error'))).toEqual([]);
  });

  test('far fewer verified successes: fails; more of them: a warning', () => {
    const good = RUNS.filter(({ check }) => check === 'passed');
    const bad = RUNS.filter(({ check }) => check !== 'passed');
    expect(codes([...good.slice(0, 120), ...bad], { maxFalseStops: null })).toEqual(['error drift_share']);
    expect(codes(good).filter(isDrift)).toEqual(['warning drift_share']);
  });

  test('figures of the policy that contradict one another are told, and nothing is tested against them', () => {
    const wrong = policy({
      caps: { passes: 90 },
      measured: { runs: 10, verified: 310, provenance: { passes: { quantile: 10, p: 0.99, rank: 400, n: 310 } } },
    });
    const { findings, drift } = check(OLD, wrong, QUIET);
    expect(drift).toEqual([]);
    expect(findings.filter(({ code }) => code === 'drift_not_judged').map(({ message }) => message)).toEqual([
      'drift: not judged: the policy keeps no percentiles in measured',
      'drift: passes not judged: measured.provenance.passes lacks quantile, p or n, or states a rank beyond n',
      'drift: share of verified successes not judged: measured.verified 310 is more than measured.runs 10',
    ]);
  });

  test('off when told so', () =>
    expect(
      codes(
        scaled(() => 1.8),
        { alarmRate: null },
      ).filter(isDrift),
    ).toEqual([]));

  test('what cannot be tested is told, never skipped', () => {
    expect(codes(OLD, {}, null, policy({ caps: { passes: 90 } }))).toContain('note drift_not_judged');
    const lacking = policy({ caps: { passes: 90 }, measured: { provenance: { passes: { p: 0.99 } } } });
    expect(codes(OLD, {}, null, lacking)).toContain('note drift_not_judged');
    expect(codes(OLD, { claimed: true }, null, OLD_CARD)).toContain('note drift_not_judged');
    expect(codes(OLD.slice(0, 5), {}, OLD.slice(0, 5), OLD_CARD)).toContain('note drift_not_judged');
  });

  test('the tail is held against the exact distribution, ties on either side', () => {
    const tail = check(OLD, OLD_CARD).drift.find(({ metric }) => metric === 'passes');
    expect(tail).toMatchObject({ test: 'tail', against: 'measured', at: 10, p: 0.99, n_old: 400, n_new: 400, seen: 0 });
    expect(tail?.expected).toBeCloseTo((400 * 5) / 401, 12);
    expect(tail?.moved).toBeNull();
  });
});

describe('the card', () => {
  test.each<[string, string | null, number, string[]]>([
    ['2026-05-01', '2026-03-06', 56, []],
    ['2026-05-01', '2026-03-06', 55, ['error card_age']],
    ['2026-05-01T23:59:00Z', '2026-03-06', 56, []],
    ['2026-05-01', null, 90, ['error card_age']],
    ['2026-03-01', '2026-03-06', 90, ['error card_age']],
    ['2026-03-05', '2026-03-06', 0, []],
    ['2026-03-04', '2026-03-06', 0, ['error card_age']],
    ['2026-03-05', 'yesterday', 0, ['error card_age']],
  ])('on %s, measured %s, at most %d days', (now, date, maxAgeDays, found) => {
    const card = policy({ caps: { passes: 99 }, measured: { ...(date === null ? {} : { date }) } });
    expect(codes(OLD, { now, maxAgeDays, alarmRate: null }, null, card).filter((code) => code.includes('age'))).toEqual(
      found,
    );
  });

  const labelled = (model: string, count = 20): Run[] => successes(new Array(count).fill(3), { labels: { model } });
  const card = policy({ caps: { passes: 9 }, measured: { labels: { model: ['m-1', 'm-2'] } } });

  test.each<[string, Run[], Run[] | null, string[]]>([
    ['a model that was measured', labelled('m-2'), null, []],
    ['one that was not', [...labelled('m-1'), ...labelled('m-3', 1)], null, ['error label_changed']],
    ['none any more', successes([3, 3]), null, ['warning label_gone']],
  ])('%s', (_, runs, old, found) => {
    expect(codes(runs, {}, old, card).filter((code) => code.includes('label'))).toEqual(found);
  });

  test('compares with the old runs where the policy keeps no labels', () => {
    const plain = policy({ caps: { passes: 9 } });
    expect(codes(labelled('m-1'), {}, labelled('m-1'), plain)).not.toContain('error label_changed');
    const { findings } = check(labelled('m-9'), plain, {}, labelled('m-1'));
    expect(findings).toContainEqual({
      code: 'label_changed',
      check: 'label_changed',
      severity: 'error',
      message: 'model has changed: 20 of 20 runs have m-9; measured: m-1',
      value: 20,
      bound: 0,
      hint: 'another model or prompt needs other passes: calibrate again on runs that carry it',
    });
    expect(check(labelled('m-9'), plain).checks.find(({ code }) => code === 'label_changed')?.outcome).toBe(
      'not judged',
    );
  });

  const each = (count: number): Run[] => Array.from({ length: count }, (_, at) => labelled(`new-${at}`, 1)).flat();
  const changes = (runs: Run[], old: Run[] | null = null, by = card): string[] =>
    check(runs, by, { alarmRate: null }, old)
      .findings.filter(({ check: of }) => of === 'label_changed')
      .map(({ severity, message }) => `${severity}: ${message}`);

  test('several new values are one error that names them; more than twenty, one that names some', () => {
    expect(changes([...each(3), ...labelled('m-1', 4)])).toEqual([
      'error: model has changed: 3 of 7 runs have new-0, new-1, new-2; measured: m-1, m-2',
    ]);
    expect(changes(each(20))[0]).toContain('20 of 20 runs have new-0, new-1,');
    expect(changes(each(20))[0]).toContain(', new-19; measured');
    expect(changes(each(21))).toEqual([
      'error: model has changed: 21 of 21 runs have 21 values that were not measured, for instance new-0, new-1, new-2, new-3, new-4; measured: m-1, m-2',
    ]);
  });

  test('a label that named every measured run is not compared', () => {
    const plain = policy({ caps: { passes: 9 } });
    expect(changes(each(3), each(21), plain)).toEqual(['note: model had 21 values, too many to compare']);
    expect(changes(each(3), null, policy({ caps: { passes: 9 }, measured: { labels: { model: [] } } }))[0]).toContain(
      'measured: none',
    );
  });

  test('caps: one that another always beats, one that stops nothing', () => {
    const beaten = policy({ caps: { passes: 5, tokens: 700 } });
    expect(codes(OLD, { maxFalseStops: null }, null, beaten)).toContain('warning dominated_cap');
    expect(codes(OLD, { maxFalseStops: null }, null, policy({ caps: { passes: 50 } }))).toContain('note idle_cap');
  });

  test('caps that the records say nothing of are not called idle', () => {
    const caps = policy({ caps: { passes: 5, usd: 1 } });
    const { findings, checks } = check(OLD, caps, { maxFalseStops: null });
    expect(findings.filter(({ check: of }) => of === 'dominated_cap')).toEqual([
      {
        code: 'cap_not_judged',
        check: 'dominated_cap',
        severity: 'note',
        message: 'the usd cap could not judge any of 360 runs of two passes or more: they do not record what it counts',
        value: null,
        bound: null,
        hint: 'whether it does anything is not known: record usd in every pass, and do not drop it for this',
      },
    ]);
    expect(checks.find(({ code }) => code === 'dominated_cap')).toEqual({
      code: 'dominated_cap',
      title: 'caps that stop',
      figure: '1 of 2 stop a run first, 0 always beaten by another, 1 not judged',
      bound: 'none always beaten',
      outcome: 'passed',
    });
    const some = [...OLD, ...successes([2], { id: 'usd' }).map((one) => priced(one))];
    const idle = check(some, caps, { maxFalseStops: null }).findings.find(({ code }) => code === 'idle_cap');
    expect(idle?.message).toBe(
      'the usd cap stops none of 41 runs that it could judge (360 it could not), not even alone',
    );
    const none = check(OLD, policy({ caps: { usd: 1 } })).checks.find(({ code }) => code === 'dominated_cap');
    expect(none?.outcome).toBe('not judged');
  });
});

describe('alerts', () => {
  const wide = policy({ caps: { passes: 99, seconds: 60 } });
  const halted = (reason: string): Run => run({ status: 'halted_error', check: 'none', reason, passes: [] });

  test.each(['permission_denied', 'guardrail', 'PermissionError', 'InputGuardrailTripwireTriggered'])(
    'a halt for %s',
    (reason) => {
      const runs = [...OLD, halted(reason), halted('provider_error')];
      expect(codes(runs, { maxHalts: { count: 0 } }, null, wide)).toContain('error halted');
      expect(codes(runs, { maxHalts: { count: 1 } }, null, wide)).not.toContain('error halted');
      expect(codes(runs, { maxHalts: { share: 1 / 402 } }, null, wide)).not.toContain('error halted');
      expect(codes(runs, { maxHalts: { share: 0.002 } }, null, wide)).toContain('error halted');
    },
  );

  test('a record still running past the wall-clock cap is halted, reason lost; a young one is not', () => {
    const open = (id: string, started_at: string | null): Run =>
      run({ id, status: 'running', check: 'none', started_at, passes: [] });
    const runs = [...OLD, open('a', '2026-05-01T11:58:59Z'), open('b', '2026-05-01T11:59:30Z'), open('c', null)];
    const report = check(runs, wide, { now: '2026-05-01T12:00:00Z' });
    expect(report.findings.map(({ code, value }) => [code, value])).toContainEqual(['lost', 1]);
    expect(report.findings.map(({ code, value }) => [code, value])).toContainEqual(['running', 2]);
    expect(report.figures.by_status).toEqual({
      done_verified: 400,
      done_claimed: 0,
      stopped_budget: 0,
      halted_error: 1,
      running: 2,
    });
    expect(report.figures.halted_by_reason).toEqual({ lost: 1 });
    expect(check(runs, wide, {}).figures.by_status.running).toBe(3);
  });

  test('a run that went on past its own cap', () => {
    const over = [...OLD, ...successes([6], { recorded_under: { passes: 5 } })];
    expect(codes(over, {}, null, wide)).toContain('error over_cap');
    expect(codes(over, { maxOverCap: { count: 1 } }, null, wide)).not.toContain('error over_cap');
    expect(codes([...OLD, ...successes([5], { recorded_under: { passes: 5 } })], {}, null, wide)).not.toContain(
      'error over_cap',
    );
    // The pass that crosses a token cap is billed in full; another one after it is not allowed.
    expect(codes([...OLD, ...successes([3], { recorded_under: { tokens: 250 } })], {}, null, wide)).not.toContain(
      'error over_cap',
    );
    expect(codes([...OLD, ...successes([3], { recorded_under: { tokens: 200 } })], {}, null, wide)).toContain(
      'error over_cap',
    );
  });
});
