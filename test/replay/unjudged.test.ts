import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRICS } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import type { ReplayBounds } from '../../src/replay/result.js';
import { simulate } from '../../src/replay/simulate.js';
import { prepareSweep, sweepGrid } from '../../src/replay/sweep.js';
import { whatIf } from '../../src/replay/whatif.js';
import { clopperPearson } from '../../src/stats/interval.js';
import { passes, policy, run } from '../builders.js';

/** A run of so many passes, with its figures or without what the caps count. */
interface Drawn {
  readonly passes: number;
  readonly seconds: number;
  readonly isGood: boolean;
  /** 0: all is kept; 1: seconds are not; 2: seconds of the last pass are not. */
  readonly lost: 0 | 1 | 2;
}

const drawn = fc.array(
  fc.record({
    passes: fc.integer({ min: 1, max: 8 }),
    seconds: fc.integer({ min: 1, max: 5 }),
    isGood: fc.boolean(),
    lost: fc.constantFrom(0 as const, 1 as const, 2 as const),
  }),
  { minLength: 1, maxLength: 12 },
);

function runsOf(all: readonly Drawn[], isKnown: boolean): Run[] {
  return all.map((each, index) => {
    const made = passes(each.passes, { seconds: each.seconds }) as { seconds?: number }[];
    const kept = made.map((pass, at) => {
      const { seconds: _, ...rest } = pass;
      const isLost = each.lost === 1 || (each.lost === 2 && at === made.length - 1);
      return isKnown || !isLost ? pass : rest;
    });
    const ending = each.isGood ? {} : { status: 'halted_error', check: 'failed' };
    return run({ id: `r-${index}`, passes: kept, ...ending }, index + 1);
  });
}

const caps = fc.record({ passes: fc.integer({ min: 1, max: 9 }), seconds: fc.integer({ min: 1, max: 30 }) });

function expectWithin(value: number, [low, high]: readonly [number | null, number | null]): void {
  expect(value).toBeGreaterThanOrEqual(low ?? Number.NEGATIVE_INFINITY);
  expect(value).toBeLessThanOrEqual(high ?? Number.POSITIVE_INFINITY);
}

describe('what a limit could not judge', () => {
  test('the truth lies within the bounds, whatever was not recorded', () => {
    const seen = { bounded: 0, more: 0 };
    fc.assert(
      fc.property(drawn, caps, (all, set) => {
        const under = policy({ caps: set });
        const [truth, known] = [simulate(runsOf(all, true), under), simulate(runsOf(all, false), under)];
        const { bounds } = known;
        if (bounds === null) {
          expect(known.false_stops).toEqual(truth.false_stops);
          return;
        }
        seen.bounded++;
        if (truth.false_stops.count > known.false_stops.count) seen.more++;
        expectWithin(truth.false_stops.count, bounds.false_stops);
        expectWithin(truth.verified_finished, bounds.verified_finished);
        for (const metric of ['passes', 'tokens'] as const) {
          expectWithin(truth.spend[metric]?.replayed ?? 0, bounds.spend[metric]?.replayed ?? [null, null]);
        }
        if (truth.false_stops.ci95 !== null) {
          expect(bounds.ci95?.[0]).toBeLessThanOrEqual(truth.false_stops.ci95[0]);
          expect(bounds.ci95?.[1]).toBeGreaterThanOrEqual(truth.false_stops.ci95[1]);
        }
      }),
      { seed: 42, numRuns: 1_000 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  });

  test('so does the truth of a difference between two policies', () => {
    let open = 0;
    fc.assert(
      fc.property(drawn, caps, caps, (all, set, other) => {
        const [today, candidate] = [
          { name: 'a', policy: policy({ caps: set }) },
          { name: 'b', policy: policy({ caps: other }) },
        ];
        const of = (isKnown: boolean) =>
          whatIf(runsOf(all, isKnown), today, [candidate], { resamples: 100 }).candidates[0];
        const [truth, known] = [of(true), of(false)];
        if (truth === undefined || known === undefined) throw new Error('no candidate');
        const { false_stops, spend } = known.difference;
        if (false_stops.bounds !== null) open++;
        expectWithin(truth.difference.false_stops.count, false_stops.bounds ?? [false_stops.count, false_stops.count]);
        for (const [side, end] of [
          ['lost', 'lost_bounds'],
          ['regained', 'regained_bounds'],
        ] as const) {
          const { [side]: count, [end]: bounds } = known.false_stop_test;
          expectWithin(truth.false_stop_test[side], bounds ?? [count, count]);
        }
        const tokens = spend.tokens;
        expectWithin(
          truth.difference.spend.tokens?.replayed ?? 0,
          tokens?.bounds ?? [tokens?.replayed ?? 0, tokens?.replayed ?? 0],
        );
      }),
      { seed: 7, numRuns: 600 },
    );
    expect(open).toBeGreaterThan(50);
  });

  test('the spend of such a run is its first pass at least; one pass is never stopped by a cap', () => {
    const lacking = (id: string, count: number): Run => run({ id, passes: passes(count).map(without('seconds')) });
    const bounds = simulate([lacking('a', 5), lacking('b', 1)], policy({ caps: { seconds: 3 } })).bounds;
    expect(bounds).toMatchObject({
      false_stops: [0, 1],
      false_stop_rate: [0, 0.5],
      ci95: [0, clopperPearson(1, 2).high],
      verified_finished: [1, 2],
      unjudged: { runs: 1, verified: 1 },
      censored: null,
    } satisfies Partial<ReplayBounds>);
    expect(bounds?.spend.passes?.replayed).toEqual([2, 6]);
    expect(bounds?.spend.tokens?.replayed).toEqual([200, 600]);
  });

  test('no bounds where all could be judged, or where the limit was beaten to it', () => {
    const late = passes(6).map((pass, at) => (at < 3 ? pass : without('seconds')(pass)));
    expect(simulate([run({ passes: late })], policy({ caps: { seconds: 3 } })).bounds).toBeNull();
    expect(simulate([run({ passes: late })], policy({ caps: { passes: 2, seconds: 90 } })).bounds).toBeNull();
    expect(simulate([run({ passes: late })], policy({ caps: { seconds: 90 } })).bounds?.false_stops).toEqual([0, 1]);
  });

  test('a sweep and a table say the same', () => {
    const runs = [5, 3, 1, 7].map((count, at) =>
      run({ id: `r${at}`, passes: passes(count).map(at === 1 ? (pass) => pass : without('seconds')) }, at + 1),
    );
    const table = createRunTable();
    for (const each of runs) table.add(each);
    for (const answer of sweepGrid(prepareSweep(runs), policy({}), { passes: [2, 4, null], seconds: [3e6, null] })) {
      const kept = Object.fromEntries(Object.entries(answer.caps).filter(([, cap]) => cap !== null));
      const report = simulate(runs, policy({ caps: kept }));
      expect(answer.bounds).toEqual(report.bounds);
      expect(simulate(table, policy({ caps: kept }))).toEqual(report);
      expect(report.bounds === null).toBe(answer.caps.seconds === null);
      for (const metric of METRICS) expect(answer.spend[metric]).toEqual(report.spend[metric]);
    }
  });
});

function without(key: string): (pass: object) => object {
  return (pass) => Object.fromEntries(Object.entries(pass).filter(([name]) => name !== key));
}

describe('what-if says first what cannot be judged', () => {
  const good = Array.from({ length: 60 }, (_, n) => run({ id: `g${n}`, passes: null, totals: { tokens: 100 + n } }));

  test('a cap whose figure no run has', () => {
    const report = whatIf(good, { name: 'p', policy: policy({ caps: { tokens: 500 } }) }, [
      { name: 'passes=2', policy: policy({ caps: { tokens: 500, passes: 2 } }) },
    ]);
    const [candidate] = report.candidates;
    expect(candidate?.verdict).toBe(
      'passes=2 cannot be judged by these runs: no run tells its passes. It could let between 0 and 60 fewer good runs finish and save between 0 % and 100 % of tokens.',
    );
    expect(candidate?.false_stop_test.words).toBe(
      "No limit is looser than today's, so it can only lose good runs: between 0 and 60 of 60 (0 % to 100 %; exact 95 % interval 0 % to 100 %). The recording does not tell which.",
    );
    expect(candidate?.limits.at(0)).toMatchObject({ limit: 'passes', first: 0, not_judged: 60 });
    expect(report.left_open).toEqual([
      'Of some runs only totals or parts are recorded, not where in them a limit would fall.',
      'None of the 60 runs tells its passes: whether passes would stop them under passes=2 is unknown.',
    ]);
  });

  test('a limit that is the same in both is no part of what would change', () => {
    const both = (tokens: number): { name: string; policy: ReturnType<typeof policy> } => ({
      name: `tokens=${tokens}`,
      policy: policy({ caps: { tokens, usd: 2 } }),
    });
    const plain = Array.from({ length: 12 }, (_, n) => run({ id: `g${n}`, passes: passes(4) }));
    const [same] = whatIf(plain, both(900), [both(800)]).candidates;
    expect(same?.verdict).toBe('tokens=800 changes nothing on these runs: each ends where it does today.');
  });

  test('a rule that no run tells anything of: left out of all figures where it stays, in no figure where it comes', () => {
    const rule = { rule: 'repeat', count: 3, name: 'loops' };
    const whole = (caps: object, rules: object[]): ReturnType<typeof policy> => policy({ caps, rules });
    const today = { name: 'p', policy: whole({ tokens: 500 }, [rule]) };
    const report = whatIf(
      good,
      today,
      [
        { name: 'tokens=120', policy: whole({ tokens: 120 }, [rule]) },
        { name: 'without', policy: whole({ tokens: 500 }, []) },
      ],
      { resamples: 100 },
    );
    expect(report.today.replay).toMatchObject({ blind: ['loops'], bounds: { false_stops: [0, 0], unjudged: null } });
    expect(report.candidates.map(({ verdict }) => verdict)).toEqual([
      'tokens=120: the recording tells only part of it. It would let between 0 and 40 fewer good runs finish and save between 0 % and 10 % of tokens.',
      'without cannot be judged by these runs: no run tells all that the rule loops looks at. It could let between 0 and 60 more good runs finish and spend between 0 % and 100 % more tokens.',
    ]);
    expect(report.left_open.at(-1)).toBe(
      "None of the 60 runs tells all that the rule loops looks at: whether loops would stop them under today's policy and tokens=120 is unknown, and left out of the figures of each policy.",
    );
  });

  test('the same candidate twice is answered once, and a reason of several policies is said once', () => {
    const cut = Array.from({ length: 12 }, (_, n) =>
      run({ id: `c${n}`, status: 'stopped_budget', reason: 'passes', check: 'none', passes: passes(9) }),
    );
    const eight = (name: string, cap: number): { name: string; policy: ReturnType<typeof policy> } => ({
      name,
      policy: policy({ caps: { passes: cap } }),
    });
    const report = whatIf(cut, eight('p', 20), [eight('b', 30), eight('b', 30), eight('c', 40)], { resamples: 100 });
    expect(report.candidates.map(({ name }) => name)).toEqual(['b', 'c']);
    expect(report.left_open).toEqual([
      "12 runs that were stopped while recording would go on under today's policy, b and c, and how they would end is unknown.",
    ]);
  });

  test('tokens that are all zero are not weighed', () => {
    const free = Array.from({ length: 12 }, (_, n) =>
      run({ id: `z${n}`, passes: Array.from({ length: n + 1 }, () => ({ input_tokens: 0, output_tokens: 0 })) }),
    );
    const [candidate] = whatIf(free, { name: 'p', policy: policy({ caps: { passes: 20 } }) }, [
      { name: 'c', policy: policy({ caps: { passes: 5 } }) },
    ]).candidates;
    expect(candidate?.verdict).toMatch(/save 35\.9 % of passes/);
  });
});
