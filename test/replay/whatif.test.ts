import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInPopulation, VERIFIED } from '../../src/calibrate/population.js';
import { runOfRecord } from '../../src/formats/record.js';
import { fromAtoms } from '../../src/model/atoms.js';
import { type Json, stringifyJson } from '../../src/model/json.js';
import { METRICS } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { EMPTY_POLICY, type Policy } from '../../src/policy/policy.js';
import { type Outcome, replayRun } from '../../src/replay/replay.js';
import { simulate } from '../../src/replay/simulate.js';
import { type NamedPolicy, whatIf } from '../../src/replay/whatif.js';
import type { Candidate, LimitCuts } from '../../src/replay/whatif-result.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { passes, policy, run } from '../builders.js';

const named = (...policies: Policy[]): NamedPolicy[] =>
  policies.map((each, index) => ({ name: `c${index + 1}`, policy: each }));
const FEW = { resamples: 100 };

/** Numbers that are none, anywhere in a report. */
function brokenNumbers(value: unknown): unknown[] {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? [] : [value];
  if (value === undefined) return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(brokenNumbers);
}

describe('whatIf(runs, today, candidates) on random runs and policies', () => {
  const property = (check: (runs: Run[], today: Policy, others: Policy[]) => void): void =>
    fc.assert(
      fc.property(
        runRecords,
        policyRecords,
        fc.array(policyRecords, { minLength: 1, maxLength: 2 }),
        (records, first, more) => {
          const runs = records.map((record, at) => runOfRecord(record as unknown as Json, { file: 'a', line: at + 1 }));
          check(runs, policy(first), more.map(policy));
        },
      ),
      { seed: 42, numRuns: 150 },
    );

  test('replays each policy to the very report of replay, from an array as from a table', () => {
    property((runs, today, others) => {
      const report = whatIf(runs, { name: 'a', policy: today }, named(...others), FEW);
      expect(report.today.replay).toEqual(simulate(runs, today));
      expect(report.candidates.map(({ replay }) => replay)).toEqual(others.map((each) => simulate(runs, each)));
      const table = createRunTable();
      for (const each of runs) table.add(each);
      expect(whatIf(table, { name: 'a', policy: today }, named(...others), FEW)).toEqual(report);
      expect(brokenNumbers(report)).toEqual([]);
      expect(() => stringifyJson(report)).not.toThrow();
    });
  });

  test('names the runs that change sides, the good ones first', () => {
    const seen = { lost: 0, regained: 0, both: 0 };
    property((runs, today, others) => {
      const report = whatIf(runs, { name: 'a', policy: today }, named(...others), FEW);
      for (const [index, candidate] of report.candidates.entries()) {
        const fates = runs.map((each) => fateOf(each, today, others[index] as Policy));
        const lost = fates.filter(({ before, after }) => before === null && after !== null);
        const regained = fates.filter(({ before, after }) => before !== null && after === null);
        const both = fates.filter(({ before, after }) => before !== null && after !== null);
        expect(candidate.newly_stopped).toEqual(moversOf(lost, 'after'));
        expect(candidate.released).toEqual(moversOf(regained, 'before'));
        expect([candidate.stopped_earlier, candidate.stopped_later]).toEqual([
          both.filter(({ before, after }) => (after?.afterPasses ?? 0) < (before?.afterPasses ?? 0)).length,
          both.filter(({ before, after }) => (after?.afterPasses ?? 0) > (before?.afterPasses ?? 0)).length,
        ]);
        seen.lost += lost.length;
        seen.regained += regained.length;
        seen.both += both.length;
      }
    });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });

  test('a limit is the only one for a run if and only if the policy without it would not stop the run', () => {
    const seen = { only: 0, shared: 0 };
    property((runs, today, others) => {
      const report = whatIf(runs, { name: 'a', policy: today }, named(...others), FEW);
      for (const [index, side] of [report.today, ...report.candidates].entries()) {
        const whole = [today, ...others][index] as Policy;
        expect(side.limits).toEqual(cutsOf(runs, whole));
        for (const { only, shared } of side.limits) {
          seen.only += only;
          seen.shared += shared;
        }
      }
    });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(250);
  });

  test('differences are those of the replays, and lie within their bounds', () => {
    const seen = { bounded: 0, open: 0 };
    property((runs, today, others) => {
      const report = whatIf(runs, { name: 'a', policy: today }, named(...others), FEW);
      const before = report.today.replay;
      for (const { difference, replay, newly_stopped, released } of report.candidates) {
        expect(difference.verified_finished.count).toBe(replay.verified_finished - before.verified_finished);
        expect(difference.false_stops.count).toBe(replay.false_stops.count - before.false_stops.count);
        expect(difference.false_stops.count).toBe(newly_stopped.verified - released.verified);
        expect(difference.stops).toBe(newly_stopped.count - released.count);
        expect(difference.stops).toBe(Object.values(difference.by_reason).reduce((a, b) => a + b, 0));
        expect(difference.censored).toBe(replay.censored - before.censored);
        for (const { count, bounds } of [difference.verified_finished, difference.false_stops]) {
          if (bounds === null) continue;
          seen.bounded++;
          expect(bounds[0]).toBeLessThanOrEqual(count);
          expect(bounds[1]).toBeGreaterThanOrEqual(count);
        }
        for (const metric of METRICS) {
          const spend = difference.spend[metric];
          expect(spend === null).toBe(replay.spend[metric] === null);
          if (spend === null) continue;
          expect(spend.replayed).toBeCloseTo(
            (replay.spend[metric]?.replayed ?? 0) - (before.spend[metric]?.replayed ?? 0),
            9,
          );
          const [low, high] = spend.bounds ?? [spend.replayed, spend.replayed];
          if (low === null || high === null) seen.open++;
          expect(low ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(spend.replayed);
          expect(high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(spend.replayed);
        }
      }
    });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  });

  test('a policy beside itself changes nothing, whatever is not known of the runs', () => {
    property((runs, today) => {
      const [same] = whatIf(runs, { name: 'a', policy: today }, named(today), FEW).candidates as [Candidate];
      expect(same.verdict).toBe("c1 stops every run where today's policy does: nothing changes.");
      const zeros = { count: 0, bounds: null };
      expect(same.difference).toMatchObject({ verified_finished: zeros, false_stops: zeros, stops: 0, censored: 0 });
      for (const metric of METRICS) {
        const spend = same.difference.spend[metric];
        if (spend !== null) expect(spend).toMatchObject({ replayed: 0, bounds: null });
      }
    });
  });
});

type Stop = NonNullable<Outcome['stop']>;
interface Fate {
  readonly run: Run;
  readonly before: Stop | null;
  readonly after: Stop | null;
}

function fateOf(each: Run, today: Policy, candidate: Policy): Fate {
  return { run: each, before: replayRun(each, today).stop, after: replayRun(each, candidate).stop };
}

function moversOf(fates: readonly Fate[], side: 'before' | 'after'): Candidate['released'] {
  const movers = fates.map((fate) => ({
    id: fate.run.id,
    verified: isInPopulation(fate.run, VERIFIED),
    recorded: fate.run.status,
    reason: fate[side]?.reason ?? '',
    after_passes: fate[side]?.afterPasses ?? -1,
  }));
  const [good, others] = [movers.filter(({ verified }) => verified), movers.filter(({ verified }) => !verified)];
  return { count: movers.length, verified: good.length, runs: [...good, ...others] };
}

/** The cuts of every limit by leaving it out, which asks the replay another question than `whatIf` does. */
function cutsOf(runs: readonly Run[], whole: Policy): LimitCuts[] {
  const stops = (each: Run, by: Policy): Stop | null => replayRun(each, by).stop;
  const count = (holds: (each: Run) => boolean): [number, number] => {
    const held = runs.filter(holds);
    return [held.length, held.filter((each) => isInPopulation(each, VERIFIED)).length];
  };
  const cuts = (limit: string, is_rule: boolean, cap: number, without: Policy, alone: Policy): LimitCuts => {
    const [first, first_verified] = count((each) => stops(each, whole)?.reason === limit);
    const [only, only_verified] = count((each) => stops(each, whole) !== null && stops(each, without) === null);
    const [any, any_verified] = count((each) => stops(each, alone) !== null);
    const [shared, shared_verified] = [any - only, any_verified - only_verified];
    const not_judged = count((each) => replayRun(each, whole).notJudged.includes(limit))[0];
    return { limit, is_rule, cap, first, first_verified, only, only_verified, shared, shared_verified, not_judged };
  };
  return whole.order.flatMap((entry) => {
    if (entry === 'rules') {
      return whole.rules.map((rule) =>
        cuts(
          rule.name,
          true,
          rule.count,
          { ...whole, rules: whole.rules.filter((other) => other !== rule) },
          { ...EMPTY_POLICY, rules: [rule] },
        ),
      );
    }
    const cap = whole.caps[entry];
    if (cap === undefined) return [];
    const { [entry]: _, ...others } = whole.caps;
    return [
      cuts(
        entry,
        false,
        fromAtoms(entry, cap),
        { ...whole, caps: others },
        { ...whole, rules: [], caps: { [entry]: cap } },
      ),
    ];
  });
}

const good = (id: string, count: number, fields: object = {}): Run => run({ id, passes: passes(count), ...fields });
const lost = (id: string, count: number, fields: object = {}): Run =>
  good(id, count, { status: 'stopped_budget', reason: 'passes', check: 'failed', ...fields });
const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);
const TWELVE: NamedPolicy = { name: 'today', policy: policy({ caps: { passes: 12 } }) };
const cap = (passCap: number, more: object = {}): NamedPolicy => ({
  name: `passes=${passCap}`,
  policy: policy({ caps: { passes: passCap, ...more } }),
});
/** Successes of 1 to 20 passes, and as many failures of 20. */
const MIXED = [
  ...upTo(20).map((n) => good(`g${n}`, n)),
  ...upTo(20).map((n) => lost(`b${n}`, 20, { status: 'halted_error' })),
];
const verdict = (runs: readonly Run[], candidate: NamedPolicy, today = TWELVE, options = {}): string =>
  whatIf(runs, today, [candidate], options).candidates[0]?.verdict ?? '';

describe('the verdict', () => {
  test('of a tighter cap: good runs lost, tokens saved, and how sure', () => {
    expect(verdict(MIXED, cap(6))).toBe(
      'passes=6 would stop 6 more good runs (14 of 20, 70 %) and save 45.7 % of tokens (95 % interval 42.4 % to 48.2 %).',
    );
  });

  test('of a looser one', () => {
    expect(verdict(MIXED, cap(18))).toBe(
      'passes=18 would stop 6 fewer good runs (2 of 20, 10 %) and spend 37 % more tokens (95 % interval 30.4 % to 42.6 %).',
    );
  });

  test('in other words where good runs are exchanged, none is lost, or nothing moves', () => {
    const fast = upTo(10).map((n) => run({ id: `f${n}`, passes: passes(9, { seconds: 9 }) }));
    const long = upTo(10).map((n) => good(`l${n}`, 14));
    const swapped = { name: 'c', policy: policy({ caps: { seconds: 60 } }) };
    expect(verdict([...fast, ...long], swapped)).toMatch(
      /^c would stop as many good runs as today \(10 of 20, 50 %\), but others: 10 lost, 10 regained, and spend as many tokens\.$/,
    );
    const short = upTo(30).map((n) => lost(`b${n}`, n, { status: 'halted_error' }));
    expect(verdict([...short, good('g', 2)], cap(6))).toMatch(/^passes=6 would stop no good run and save/);
    expect(verdict([...short, good('g', 14)], cap(6))).toMatch(
      /^passes=6 would stop the same good runs \(1 of 1, 100 %\)/,
    );
    expect(verdict([good('g', 2)], cap(6))).toBe(
      'passes=6 changes nothing on these runs: each ends where it does today.',
    );
    const blind = upTo(12).map((n) => run({ id: `t${n}`, passes: [{}, {}] }));
    expect(verdict(blind, cap(12, { tokens: 5 }))).toBe(
      'passes=12 cannot be judged by these runs: no run tells its tokens. It could let between 0 and 12 fewer good runs finish and save between 0 % and 50 % of passes.',
    );
  });

  test('where no run is verified', () => {
    const short = upTo(30).map((n) => lost(`b${n}`, n, { status: 'halted_error' }));
    expect(verdict(short, cap(6))).toMatch(
      /^passes=6 would save .* of tokens \(95 % interval .*\); how many good runs it would stop cannot be told, because none is verified\.$/,
    );
  });

  test('of a cap looser than the recording is a range', () => {
    const runs = [...upTo(14).map((n) => good(`g${n}`, n)), ...upTo(8).map((n) => lost(`b${n}`, 20))];
    expect(verdict(runs, cap(30))).toBe(
      'passes=30: the recording cannot tell. It would let between 2 and 10 more good runs finish, of up to 22 (14 verified ones, and 8 stopped while recording that might have been), and spend at least 33.8 % more tokens.',
    );
    expect(verdict(runs, cap(12), cap(30))).toMatch(
      /^passes=12: the recording cannot tell\. It would let between 2 and 10 fewer good runs finish, of up to 22 \(14 verified ones, and 8 stopped while recording that might have been\), and save at least 25\.3 % of tokens\.$/,
    );
    const two = { name: 'tokens', policy: policy({ caps: { tokens: 5000 } }) };
    expect(verdict(runs, two, cap(30))).toMatch(
      /^tokens: .* let between 8 fewer and 8 more good runs finish, of up to 22 \(14 verified ones, and 8 stopped while recording that might have been\), and spend nobody knows how many tokens\./,
    );
  });

  test('of runs that are known in total only is a range', () => {
    const runs = upTo(15).map((n) => run({ id: `s${n}`, passes: null, totals: { passes: n + 2, tokens: 1000 * n } }));
    const capped = cap(12, { tokens: 5000 });
    expect(verdict(runs, capped)).toBe(
      'passes=12: the recording tells only part of it. It would let between 0 and 6 fewer good runs finish and save between 0 % and 66.7 % of tokens.',
    );
    expect(verdict(runs, cap(6))).toMatch(
      /^passes=6: .* It would stop 6 more good runs \(11 of 15, 73\.3 %\) and save between 0 % and/,
    );
  });

  test('weighs what it is told to, else the first that is known', () => {
    expect(verdict(MIXED, cap(6), TWELVE, { spend: 'seconds' })).toMatch(/save 45\.7 % of seconds/);
    const bare = upTo(20).map((n) => run({ id: `p${n}`, passes: upTo(n).map(() => ({})) }));
    expect(verdict(bare, cap(6))).toMatch(/save .* of passes/);
  });
});

describe('the interval of spend', () => {
  const interval = (runs: readonly Run[], options = {}): object =>
    whatIf(runs, TWELVE, [cap(6)], options).candidates[0]?.spend_interval ?? {};
  const inTasks = (tasks: number, label: string): Run[] =>
    upTo(3 * tasks).map((n) => good(`r${n}`, 6 + (n % 5), { labels: { [label]: `t${n % tasks}` } }));

  test('is the same for the same seed, and holds the figure', () => {
    const [once, again, other] = [interval(MIXED), interval(MIXED), interval(MIXED, { seed: 2 })];
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
    expect(once).toEqual({
      metric: 'tokens',
      relative_ci95: [expect.closeTo(-0.482, 3), expect.closeTo(-0.424, 3)],
      change_ci95: [expect.any(Number), expect.any(Number)],
      changed_runs: 34,
      no_interval: null,
    });
  });

  test('is of whole clusters where a run has a task, and says so', () => {
    const made = whatIf(inTasks(12, 'task_id'), TWELVE, [cap(7)]);
    expect(made.resampling).toEqual({
      seed: 1,
      resamples: 2000,
      clustered_by: 'task_id',
      clusters: 12,
      known_runs: 36,
    });
    const both = inTasks(12, 'task').map((each, at) =>
      at > 0 ? each : { ...each, labels: new Map([...each.labels, ['task_id', 'x']]) },
    );
    expect(whatIf(both, TWELVE, [cap(7)]).resampling).toMatchObject({ clustered_by: 'task_id', clusters: 36 });
    expect(whatIf(both, TWELVE, [cap(7)], { cluster: 'task' }).resampling).toMatchObject({
      clustered_by: 'task',
      clusters: 12,
    });
    expect(whatIf(both, TWELVE, [cap(7)], { cluster: null }).resampling).toMatchObject({
      clustered_by: null,
      clusters: 36,
    });
  });

  test('does not exist for few clusters, few runs, no change, one change for all, or an open difference', () => {
    const none = (fields: object): object => ({ relative_ci95: null, change_ci95: null, ...fields });
    expect(interval(inTasks(9, 'task_id'))).toMatchObject(
      none({ no_interval: '9 clusters by task_id, and resampling needs 10' }),
    );
    expect(interval([good('a', 7)])).toMatchObject(
      none({ no_interval: '1 run with known spend, and resampling needs 10' }),
    );
    expect(interval(upTo(20).map((n) => good(`a${n}`, 3)))).toMatchObject(
      none({ no_interval: 'no run spends more or less', changed_runs: 0 }),
    );
    expect(interval(upTo(20).map((n) => good(`a${n}`, 8)))).toMatchObject(
      none({ no_interval: 'every resample gives the same figure' }),
    );
    const open = whatIf([...MIXED, lost('x', 20)], TWELVE, [cap(30)]).candidates[0];
    expect(open?.spend_interval).toMatchObject(
      none({ no_interval: 'the recording leaves the difference itself open' }),
    );
  });

  test('is told to be rough where little was drawn from', () => {
    const codes = (runs: readonly Run[], candidate: NamedPolicy): string[] =>
      whatIf(runs, TWELVE, [candidate])
        .warnings.filter(({ code }) => code !== 'trips_often')
        .map(({ code, message }) => `${code}: ${message}`);
    const many = upTo(60).map((n) => good(`g${n}`, 1 + (n % 12)));
    expect(codes(many, cap(6))).toEqual([]);
    expect(codes(many, cap(11))).toEqual([
      'rough_interval: an interval of spend is rough, and rather too narrow: passes=11 changes the spend of 5 runs',
    ]);
    expect(codes(inTasks(9, 'task'), cap(7))).toEqual([
      expect.stringMatching(/^few_clusters: the runs fall into 9 clusters by task/),
    ]);
    expect(codes(MIXED, cap(6))).toEqual([expect.stringMatching(/there are 40 runs to draw from$/)]);
  });
});

describe('good runs lost and regained', () => {
  const testOf = (candidate: NamedPolicy, runs: readonly Run[] = MIXED): object =>
    whatIf(runs, TWELVE, [candidate], FEW).candidates[0]?.false_stop_test ?? {};

  test('a policy that is stricter all over can only lose', () => {
    expect(testOf(cap(6))).toEqual({
      lost: 6,
      regained: 0,
      lost_bounds: null,
      regained_bounds: null,
      p_value: expect.closeTo(0.03125, 12),
      lost_ci95: [expect.closeTo(0.1189, 4), expect.closeTo(0.5428, 4)],
      regained_ci95: [0, expect.closeTo(0.1684, 4)],
      words:
        "No limit is looser than today's, so it can only lose good runs: 6 of 20 (30 %; exact 95 % interval 11.9 % to 54.3 %).",
    });
    expect(testOf(cap(18))).toMatchObject({
      words: expect.stringMatching(/^No limit is tighter .* only regain good runs: 6 of 20/),
    });
  });

  test('any other is judged by the exact sign test', () => {
    const mixed = (seconds: number): NamedPolicy => ({ name: 'c', policy: policy({ caps: { seconds } }) });
    const slow = upTo(8).map((n) => run({ id: `s${n}`, passes: passes(9, { seconds: 9 }) }));
    expect(testOf(mixed(60), [...slow, good('l', 14)])).toMatchObject({
      lost: 8,
      regained: 1,
      p_value: expect.closeTo(0.0390625, 12),
      words:
        '8 good runs lost, 1 regained. If both policies were equally hard on good runs, a split at least this uneven would come up in 3.91 % of cases (exact sign test), so it is hardly chance.',
    });
    expect(testOf(mixed(60), [...slow.slice(0, 2), good('l', 14)])).toMatchObject({
      p_value: expect.closeTo(1, 12),
      words: expect.stringMatching(/so it may be chance\.$/),
    });
  });

  test('says so where no good run changes sides, or none is verified', () => {
    expect(testOf(cap(6), [good('a', 3)])).toMatchObject({
      p_value: null,
      words:
        'The one good run here is not lost; of good runs in general up to 97.5 % may be, and so few would hardly show it (exact 95 % interval).',
    });
    expect(testOf(cap(18), [good('a', 3)])).toMatchObject({ words: 'No good run changes sides.' });
    expect(testOf(cap(6), [lost('b', 9)])).toMatchObject({
      p_value: null,
      lost_ci95: null,
      words: 'No run is verified: good runs lost and regained cannot be counted.',
    });
  });
});

test('a doubt of one policy says whose it is, one of all is told once', () => {
  const runs = [...upTo(60).map((n) => lost(`b${n}`, 20))];
  const messages = whatIf(runs, TWELVE, [cap(30), cap(6)], FEW).warnings.map(({ code, message }) => [code, message]);
  expect(messages).toEqual([
    ['no_verified', 'no run is a verified success, so no false-stop rate can be given'],
    [
      'trips_often',
      'today: passes stops 60 of 60 runs (100 %), too many for a safety net: something in these runs goes wrong that the limit only cuts short',
    ],
    [
      'censored',
      'passes=30: 60 recorded stops would not happen under this policy; what those runs would have done next is unknown',
    ],
  ]);
});

test('no run at all is answered, too', () => {
  const report = whatIf([], TWELVE, [cap(6)]);
  expect(report).toMatchObject({ runs: 0, weighed: 'passes' });
  expect(brokenNumbers(report)).toEqual([]);
});
