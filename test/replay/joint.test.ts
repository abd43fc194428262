import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capsFrom, derive } from '../../src/calibrate/derive.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../../src/calibrate/options.js';
import { isInPopulation } from '../../src/calibrate/population.js';
import { runOfRecord } from '../../src/formats/record.js';
import { compare, type Fraction, toDecimalText, toNumber } from '../../src/model/decimal.js';
import { wholeOf } from '../../src/model/figures.js';
import type { Json } from '../../src/model/json.js';
import { METRICS, type Metric } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { type Caps, EMPTY_POLICY } from '../../src/policy/policy.js';
import { fitJoint, type JointCaps } from '../../src/replay/joint.js';
import { percentileOfRank, percentilesAbove, roundestIn } from '../../src/replay/joint-percentiles.js';
import type { JointAim } from '../../src/replay/joint-result.js';
import { replayRun } from '../../src/replay/replay.js';
import { rankOf } from '../../src/stats/quantile.js';
import { runRecords } from '../arbitraries.js';
import { passes, run } from '../builders.js';

const share = (num: number, den: number): Fraction => ({ num: BigInt(num), den: BigInt(den) });
const PLAIN: Fraction = share(1, 1);

/** Successes of the given sizes, each pass alike: `[passes, tokens a pass, seconds a pass]`. */
function sized(sizes: readonly (readonly [passes: number, tokens: number, seconds: number])[], fields = {}): Run[] {
  return sizes.map(([count, tokens, seconds], index) =>
    run({ ...fields, passes: passes(count, { input_tokens: tokens, output_tokens: 0, seconds }) }, index + 1),
  );
}

function fitted(runs: readonly Run[], options: Partial<DeriveOptions> = {}, aim: JointAim = 'common'): JointCaps {
  const resolved = { ...DERIVE_DEFAULTS, ...options };
  return fitJoint(runs, derive(runs, resolved).sample, resolved, { aim, spend: null });
}

/** The plain loop's answer: successes that the caps stop, those that they may stop besides, and the tokens spent. */
function replayed(runs: readonly Run[], caps: Caps, options: DeriveOptions) {
  let [sure, most] = [0, 0];
  let spend = 0;
  for (const each of runs) {
    const { stop, maybe, end } = replayRun(each, { ...EMPTY_POLICY, caps });
    if (end.tokens !== null && wholeOf(each).tokens !== null) spend += end.tokens;
    if (!isInPopulation(each, options)) continue;
    if (stop !== null) sure++;
    if (stop !== null || maybe.length > 0) most++;
  }
  return { sure, most, spend };
}

/** 100 successes; the three largest of each metric are not the same ones. */
const APART = sized(
  Array.from({ length: 100 }, (_, i): [number, number, number] => [
    i < 3 ? 30 + i : 10,
    i >= 3 && i < 6 ? 1000 * i : 100,
    i >= 6 && i < 9 ? 50 * (i - 4) : 1,
  ]),
);

describe('percentiles between ranks', () => {
  test('are the roundest decimals that have the ranks', () => {
    const text = (fractions: readonly Fraction[]) => fractions.map(toDecimalText);
    expect(text(percentilesAbove([310], share(99, 100)))).toEqual(['0.993', '0.996', '0.999']);
    expect(text(percentilesAbove([10], share(1, 2)))).toEqual(['0.6', '0.7', '0.8', '0.9', '0.99']);
    expect(text(percentilesAbove([1], share(99, 100)))).toEqual([]);
    expect(toDecimalText(percentileOfRank(1, 1))).toBe('0.9');
    expect(toDecimalText(roundestIn(share(99_999, 100_000), PLAIN))).toBe('0.999999');
  });

  test('reach every further rank of every sample, each combination once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 99 }),
        (sizes, percent) => {
          const p = share(percent, 100);
          const ranks = (at: Fraction): string => sizes.map((n) => rankOf(n, at)).join();
          const found = percentilesAbove(sizes, p);
          // A grid so fine that no rank is missed.
          const grid = Array.from({ length: 7_000 }, (_, i) => share(i + 1, 7_001)).filter((at) => compare(at, p) > 0);
          expect(found.map(ranks)).toEqual([...new Set(grid.map(ranks))].filter((each) => each !== ranks(p)));
          expect(found.every((at) => compare(at, PLAIN) < 0)).toBe(true);
        },
      ),
      { seed: 42, numRuns: 60 },
    );
  });
});

describe('the common percentile', () => {
  test('three caps at p98 stop 6 of 100 together; p99.9 is the first that stops none', () => {
    const { report, caps } = fitted(APART, { p: share(98, 100), padding: PLAIN });
    expect(report.each_alone).toMatchObject({
      p: 0.98,
      alone: { passes: { count: 2, rate: 0.02 }, tokens: { count: 2 }, seconds: { count: 2 }, usd: null },
      joint: { count: 6, rate: 0.06, at_most: null },
    });
    expect(report.each_alone?.caps.passes).toMatchObject({ cap: 30, rank: 98 });
    expect(report).toMatchObject({
      accepted_rate: 0.02,
      weighed: 'tokens',
      common: { p: 0.999, joint: { count: 0, rate: 0 } },
      optimized: null,
      combinations: null,
      taken: 'common',
    });
    expect(caps).toMatchObject({ passes: 32 });
    expect(report.verdict).toBe(
      'At p98 all caps together stop 6 successes (6 %; alone 2, 2, 2), above the accepted 2 %. Going up rank by rank, they are first within it at p99.9 (rank 100 of 100): there they stop 0 successes (0 %; alone 0, 0, 0).',
    );
  });

  test('changes nothing where the caps in force are within the rate already', () => {
    const { report, caps } = fitted(APART, { p: share(98, 100), padding: share(2, 1) });
    expect(report).toMatchObject({ taken: 'each_alone', common: { p: 0.98, joint: { count: 0 } } });
    expect(caps).toEqual(derive(APART, { p: share(98, 100), padding: share(2, 1) }).caps);
    expect(report.verdict).toMatch(/within the accepted 2 %: nothing needs to change\.$/);
  });

  test('a cap at a size whose last pass adds nothing is reached there: told in words', () => {
    const idle = run({ passes: [...passes(40), { input_tokens: 0, output_tokens: 0, seconds: 0 }] });
    const { report } = fitted([idle], { padding: PLAIN });
    expect(report).toMatchObject({ taken: 'each_alone', common: null, each_alone: { joint: { count: 1, rate: 1 } } });
    expect(report.verdict).toMatch(
      /^At p99 all caps together stop 1 success \(100 %; alone 0, 1, 1\), above .* pad more/,
    );
    expect(fitted([idle], { padding: PLAIN }, 'cheapest').report).toMatchObject({
      optimized: null,
      taken: 'each_alone',
    });
    expect(fitted([idle]).report.common).not.toBeNull();
  });

  test('a metric whose percentile is zero has no cap at a higher one either', () => {
    const runs = APART.map((each, i) => ({
      ...each,
      passes: (each.passes ?? []).map((pass) => ({ ...pass, nanos: i === 0 ? 5 : 0 })),
    }));
    const { report } = fitted(runs, { p: share(98, 100), padding: PLAIN });
    expect(report.common).toMatchObject({ p: 0.999, caps: { usd: null }, alone: { usd: null } });
  });

  test.each([
    ['no run', []],
    ['no success', sized([[9, 1, 1]], { status: 'halted_error', check: 'failed' })],
  ])('%s: said in words', (_, runs) => {
    expect(fitted(runs, {}, 'cheapest')).toMatchObject({
      caps: {},
      report: {
        each_alone: null,
        taken: null,
        verdict: 'There is no cap, so there is nothing to take together.',
        notes: [],
      },
    });
  });

  test('one run, and all alike: within the rate from the start', () => {
    for (const count of [1, 2, 400]) {
      const runs = sized(Array.from({ length: count }, () => [7, 100, 1]));
      expect(fitted(runs, { padding: PLAIN }, 'cheapest').report).toMatchObject({
        taken: 'optimized',
        each_alone: { joint: { count: 0, rate: 0 } },
        combinations: 1,
      });
    }
  });

  test('runs known only in total count where they may be stopped', () => {
    const total = (tokens: number, line: number) => run({ passes: null, totals: { passes: 5, tokens } }, line);
    const runs = Array.from({ length: 50 }, (_, i) => total(1000 + i, i + 1));
    const { report } = fitted(runs, { p: share(90, 100), padding: PLAIN, units: { tokens: PLAIN } });
    // Six totals reach the cap of 1,044 and the largest reaches its own.
    expect(report.each_alone?.joint).toMatchObject({ count: 0, at_most: 6 });
    expect(report.common?.joint).toMatchObject({ count: 0, at_most: 5 });
    expect(report.notes.join()).toMatch(/known only in total/);
  });
});

const paddings = fc.constantFrom(PLAIN, share(6, 5), share(11, 10));
const percents = fc.integer({ min: 50, max: 95 });
const sizes = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9 })),
  { minLength: 1, maxLength: 25 },
);

/** Successes, and one long failure. */
const fewRuns = fc.oneof(
  sizes.map((each) => [
    ...sized(each),
    run({ status: 'stopped_budget', check: 'failed', reason: 'passes', passes: passes(30) }, 99),
  ]),
  runRecords.map((records) => records.map((each, i) => runOfRecord(each as Json, { file: 'a', line: i + 1 }))),
);

/** The rates that brute force has to hold, and all percentiles in exact steps. */
function isWithin(most: number, verified: number, p: Fraction): boolean {
  return BigInt(most) * p.den <= BigInt(verified) * (p.den - p.num);
}

test('the joint rate at the common percentile is within the accepted one, and at the next lower rank it is not', () => {
  const seen = { raised: 0, kept: 0, none: 0 };
  fc.assert(
    fc.property(fewRuns, percents, paddings, (runs, percent, padding) => {
      const options = { ...DERIVE_DEFAULTS, p: share(percent, 100), padding };
      const { sample } = derive(runs, options);
      const { report, caps } = fitJoint(runs, sample, options, { aim: 'common', spend: null });
      if (report.each_alone === null) return;
      const { verified } = sample;
      const metrics = METRICS.filter((metric) => report.each_alone?.caps[metric] !== null);
      const at = (p: Fraction): number => {
        const all = capsFrom(sample, { ...options, p });
        return replayed(runs, Object.fromEntries(metrics.map((metric) => [metric, all[metric] as number])), options)
          .most;
      };
      const tried = [
        options.p,
        ...percentilesAbove(
          metrics.map((metric) => sample.values[metric].length),
          options.p,
        ),
      ];
      const first = tried.find((p) => isWithin(at(p), verified, options.p)) ?? null;
      expect(report.common?.p ?? null).toBe(first === null ? null : toNumber(first));
      const taken = replayed(runs, caps, options);
      const shown = report.common ?? report.each_alone;
      expect(shown.joint).toMatchObject({ count: taken.sure, rate: taken.sure / verified });
      expect(shown.joint.at_most ?? shown.joint.count).toBe(taken.most);
      if (first !== null) expect(isWithin(taken.most, verified, options.p)).toBe(true);
      seen[first === null ? 'none' : first === options.p ? 'kept' : 'raised']++;
    }),
    { seed: 42, numRuns: 300 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

test('the cheapest caps equal brute force over every combination of ranks', () => {
  const seen = { cheaper: 0, none: 0 };
  fc.assert(
    fc.property(fewRuns, percents, paddings, (runs, percent, padding) => {
      const options = { ...DERIVE_DEFAULTS, p: share(percent, 100), padding };
      const { sample } = derive(runs, options);
      const { report, caps } = fitJoint(runs, sample, options, { aim: 'cheapest', spend: 'tokens' });
      if (report.each_alone === null) return;
      const metrics = METRICS.filter((metric) => report.each_alone?.caps[metric] !== null);
      const listed = metrics.map((metric) => capsOfRanks(metric, sample.values[metric].length));
      function capsOfRanks(metric: Metric, n: number): number[] {
        const lowest = rankOf(n, compare(options.p, share(9, 10)) < 0 ? options.p : share(9, 10));
        const ranks = Array.from({ length: n - lowest + 1 }, (_, i) => percentileOfRank(lowest + i, n));
        return [...new Set(ranks.flatMap((p) => capsFrom(sample, { ...options, p })[metric] ?? []))];
      }
      let best: { spend: number; most: number } | null = null;
      const visit = (axis: number, made: { [metric in Metric]?: number }): void => {
        if (axis < metrics.length) {
          for (const cap of listed[axis] ?? []) visit(axis + 1, { ...made, [metrics[axis] as Metric]: cap });
          return;
        }
        const { most, spend } = replayed(runs, made, options);
        if (!isWithin(most, sample.verified, options.p)) return;
        if (best === null || spend < best.spend || (spend === best.spend && most < best.most)) best = { spend, most };
      };
      visit(0, {});
      if (best === null) {
        seen.none++;
        expect(report).toMatchObject({ optimized: null });
        return;
      }
      const { most, spend } = replayed(runs, caps, options);
      expect({ spend, most }).toEqual(best);
      expect(report.optimized?.spend.tokens?.replayed ?? 0).toBe(spend);
      if (spend < replayed(runs, fitted(runs, options).caps, options).spend) seen.cheaper++;
    }),
    { seed: 43, numRuns: 100 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
}, 60_000);

test('a table and a list of runs give the same', () => {
  const table = createRunTable();
  for (const each of APART) table.add(each);
  const options = { ...DERIVE_DEFAULTS, p: share(98, 100), padding: PLAIN };
  const { sample } = derive(APART, options);
  const joint = { aim: 'cheapest', spend: 'passes' } as const;
  expect(fitJoint(table, sample, options, joint)).toEqual(fitJoint(APART, sample, options, joint));
});
