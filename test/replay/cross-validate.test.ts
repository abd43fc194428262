import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { DERIVE_DEFAULTS } from '../../src/calibrate/options.js';
import { isInPopulation } from '../../src/calibrate/population.js';
import { runOfRecord } from '../../src/formats/record.js';
import { decimalOf, toNumber } from '../../src/model/decimal.js';
import type { Json } from '../../src/model/json.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { EMPTY_POLICY } from '../../src/policy/policy.js';
import { CROSS_VALIDATE_DEFAULTS, type CrossValidateOptions, crossValidate } from '../../src/replay/cross-validate.js';
import { matchedPercentile } from '../../src/replay/cross-validate-fit.js';
import type { CrossValidated } from '../../src/replay/cross-validate-result.js';
import { deriveReplayed } from '../../src/replay/derive-replayed.js';
import { replayRun } from '../../src/replay/replay.js';
import { simulate } from '../../src/replay/simulate.js';
import { isCut, mayBeCut, successSizes } from '../../src/replay/success-sizes.js';
import { foldsOf } from '../../src/stats/folds.js';
import { clopperPearson } from '../../src/stats/interval.js';
import { rankOf } from '../../src/stats/quantile.js';
import { type Rng, seededRng } from '../../src/stats/rng.js';
import { generateRuns } from '../../src/synth/generate.js';
import { findProfile } from '../../src/synth/profiles.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { passes, policy, run } from '../builders.js';

const WIDE = { p: { num: 9n, den: 10n }, padding: { num: 1n, den: 1n } };

function tableOf(runs: readonly Run[]): Iterable<Run> {
  const table = createRunTable();
  for (const each of runs) table.add(each);
  return table;
}

/** Successes of two passes that used so many tokens: all but one of them in the first. */
function sized(tokens: readonly number[], labels: (index: number) => object = () => ({})): Run[] {
  return tokens.map((count, index) =>
    run({
      id: `r-${index}`,
      labels: labels(index),
      passes: [
        { input_tokens: count - 1, output_tokens: 0 },
        { input_tokens: 1, output_tokens: 0 },
      ],
    }),
  );
}

function drawn(count: number, rng: Rng): number[] {
  return Array.from({ length: count }, () => 1000 + Math.floor(1e9 * rng()));
}

/** The same by deriving and replaying anew for each fold. */
function bruteForce(runs: readonly Run[], options: CrossValidateOptions, clusterOf: (run: Run, at: number) => string) {
  const good = runs.filter((each) => isInPopulation(each, options));
  const names = [...new Set(good.map(clusterOf))];
  const clusters = Uint32Array.from(good, (each, at) => names.indexOf(clusterOf(each, at)));
  const folds = Math.min(options.folds, names.length);
  const rng = seededRng(options.seed);
  return Array.from({ length: options.repeats }, () => {
    const foldOf = foldsOf(clusters, folds, rng);
    let count = 0;
    for (let fold = 0; fold < folds; fold++) {
      const others = good.filter((_, at) => foldOf[at] !== fold);
      const p = matchedPercentile(options, good.length, others.length);
      const { caps } = deriveReplayed(others, { ...options, p });
      const aside = good.filter((_, at) => foldOf[at] === fold);
      count += simulate(aside, { ...EMPTY_POLICY, caps }, options).false_stops.count;
    }
    return count;
  });
}

describe('what caps are held against', () => {
  test('a success is cut, certainly or perhaps, as the replay cuts it, out of runs and out of a table', () => {
    const law = fc.property(runRecords, policyRecords, (records, record) => {
      const runs = records.map((each, index) =>
        runOfRecord(each as unknown as Json, { file: 'runs.jsonl', line: index + 1 }),
      );
      const { steps: _steps, ...caps } = policy({ caps: record.caps }).caps;
      const good = runs.filter((each) => isInPopulation(each, DERIVE_DEFAULTS));
      const outcomes = good.map((each) => replayRun(each, { ...EMPTY_POLICY, caps }));
      const wanted = outcomes.map(({ stop, maybe, unjudged }) => {
        const perhaps = stop !== null || maybe.length > 0;
        return [stop !== null, perhaps, perhaps || unjudged];
      });
      for (const source of [runs, tableOf(runs)]) {
        const sizes = successSizes(source, DERIVE_DEFAULTS);
        expect(sizes.count).toBe(good.length);
        const found = good.map((_, at) => [
          isCut(sizes.asked, at, caps),
          isCut(sizes.perhaps, at, caps),
          mayBeCut(sizes, at, caps),
        ]);
        expect(found).toEqual(wanted);
      }
    });
    fc.assert(law, { seed: 42, numRuns: 500 });
  });
});

describe('crossValidate equals deriving and replaying anew for each fold', () => {
  const profile = findProfile('coding-agent');
  if (profile === null) throw new Error('no such profile');
  const runs = [...generateRuns(profile, { runs: 120, seed: 3 })];

  test.each<[string, Partial<CrossValidateOptions>]>([
    ['as it comes', {}],
    ['without padding, p90', WIDE],
    ['interpolated', { ...WIDE, method: 'linear' }],
    ['a unit by hand, three folds', { ...WIDE, units: { tokens: { num: 1n, den: 1n } }, folds: 3, repeats: 4 }],
    ['another seed', { ...WIDE, seed: 77, repeats: 2 }],
    ['together within the rate', { ...WIDE, joint: { aim: 'common', spend: null }, repeats: 3 }],
  ])('%s', (_name, options) => {
    const resolved = { ...CROSS_VALIDATE_DEFAULTS, ...options };
    const wanted = bruteForce(runs, resolved, (_run, at) => String(at));
    expect(crossValidate(runs, options).counts).toEqual(wanted);
    expect(crossValidate(tableOf(runs), options).counts).toEqual(wanted);
  });

  test('all runs of a task in one fold, those without one by themselves', () => {
    const tasks = runs.map((each, index): Run => {
      const labels = new Map(index % 9 === 0 ? [] : ([['task_id', `task-${index % 13}`]] as [string, string][]));
      return { ...each, labels };
    });
    const resolved = { ...CROSS_VALIDATE_DEFAULTS, ...WIDE };
    const found = crossValidate(tasks, WIDE);
    expect(found.counts).toEqual(bruteForce(tasks, resolved, (each, at) => each.labels.get('task_id') ?? `#${at}`));
    expect(found.cluster?.label).toBe('task_id');
  });

  test('whatever is recorded, whichever way it is kept', () => {
    const law = fc.property(fc.array(runRecords, { minLength: 6, maxLength: 12 }), (parts) => {
      const all = parts.flat().map((each, index) => ({ ...each, id: `run-${index}` }));
      const some = all.map((each, index) => runOfRecord(each as unknown as Json, { file: 'r', line: index + 1 }));
      const joint = parts.length % 2 === 0 ? null : ({ aim: 'common', spend: null } as const);
      const options = { ...CROSS_VALIDATE_DEFAULTS, ...WIDE, repeats: 2, folds: 4, joint };
      const found = crossValidate(some, options);
      expect(crossValidate(tableOf(some), options)).toEqual(found);
      if (found.not_judged !== null) return;
      expect(found.counts).toEqual(bruteForce(some, options, (_run, at) => String(at)));
      const { caps } = deriveReplayed(some, options);
      const good = some.filter((each) => isInPopulation(each, options));
      const { false_stops, bounds } = simulate(good, { ...EMPTY_POLICY, caps });
      const { count, ci95 } = false_stops;
      expect(found.in_sample).toMatchObject({ count, ci95: bounds?.ci95 ?? ci95 });
      expect(found.in_sample?.rate_at_most ?? false_stops.rate).toBe(bounds?.false_stop_rate[1] ?? false_stops.rate);
    });
    fc.assert(law, { seed: 42, numRuns: 60 });
  });
});

describe('matchedPercentile', () => {
  const at = (text: string): { num: bigint; den: bigint } => decimalOf(Number(text));

  test.each([
    // rank 99 of 100: 2 in 101 lie above; rank 89 of 90: 2 in 91, where the p99 of 90 has 1 in 91.
    ['0.99', 100, 90, 89],
    ['0.99', 310, 279, 276],
    ['0.99', 50, 45, 45],
    ['0.99', 1000, 900, 891],
    ['0.95', 100, 90, 86],
    ['0.5', 100, 90, 45],
    ['0.99', 100, 100, 99],
    ['0.01', 10, 9, 1],
  ])('p %s of %d in %d is rank %d', (p, n, m, rank) => {
    expect(rankOf(m, matchedPercentile({ p: at(p), method: 'nearest-rank' }, n, m))).toBe(rank);
  });

  test('the share above is the nearest that a rank gives, and between 0 and 1 whatever is asked', () => {
    const law = fc.property(
      fc.integer({ min: 2, max: 2000 }),
      fc.double({ min: 0.5, max: 0.95, noNaN: true }),
      fc.integer({ min: 1, max: 999 }),
      (n, part, thousandths) => {
        const m = Math.max(2, Math.floor(n * part));
        const p = { num: BigInt(thousandths), den: 1000n };
        const nearest = matchedPercentile({ p, method: 'nearest-rank' }, n, m);
        const wanted = (n + 1 - rankOf(n, p)) / (n + 1);
        const shares = Array.from({ length: m }, (_, index) => Math.abs((m - index) / (m + 1) - wanted));
        const found = Math.abs((m + 1 - rankOf(m, nearest)) / (m + 1) - wanted);
        expect(found).toBeLessThanOrEqual(Math.min(...shares) + 1e-12);
        const linear = toNumber(matchedPercentile({ p, method: 'linear' }, n, m));
        expect(linear > 0 && linear < 1).toBe(true);
      },
    );
    fc.assert(law, { seed: 42 });
  });
});

describe('against a known truth', () => {
  test('one cap at an order statistic: the rate is that of the training size, the sample sees less', () => {
    const rng = seededRng(11);
    const sets = 400;
    const sums = { held: 0, inSample: 0, truth: 0 };
    for (let set = 0; set < sets; set++) {
      const runs = sized(drawn(100, rng));
      const options = { ...WIDE, p: { num: 95n, den: 100n }, units: { tokens: { num: 1n, den: 1n } } };
      const found = crossValidate(runs, { ...options, repeats: 3 });
      sums.held += found.rate ?? Number.NaN;
      sums.inSample += found.in_sample?.rate ?? Number.NaN;
      sums.truth += 1 - ((derive(runs, options).caps.tokens as number) - 1000) / 1e9;
    }
    // Above rank r of n values lies (n + 1 - r) / (n + 1) of the distribution, on average: rank 86 of 90 is set against
    // the fold, rank 95 of 100 is the cap. The standard error of each mean is about 0.1 %.
    expect(sums.inSample / sets).toBeCloseTo(0.05, 12);
    expect(Math.abs(sums.held / sets - 5 / 91)).toBeLessThan(0.0035);
    expect(Math.abs(sums.truth / sets - 6 / 101)).toBeLessThan(0.0035);
  });

  test('where the percentile jumps with the size of the sample, the rate does not', () => {
    const rng = seededRng(23);
    const options = { padding: WIDE.padding, units: { tokens: { num: 1n, den: 1n } }, repeats: 3 };
    const rates = Array.from({ length: 400 }, () => crossValidate(sized(drawn(100, rng)), options).rate ?? Number.NaN);
    // The second largest of 100: 2 in 101 lie above it. In 90 it is 2 in 91; the p99 of 90, the largest, has 1 in 91.
    expect(Math.abs(rates.reduce((sum, rate) => sum + rate, 0) / 400 - 2 / 91)).toBeLessThan(0.0015);
  });

  test('tasks that differ: runs of the same task see less than runs of others', () => {
    const rng = seededRng(5);
    const sums = { alone: 0, together: 0 };
    for (let set = 0; set < 60; set++) {
      const levels = drawn(20, rng);
      const tokens = levels.flatMap((level) => Array.from({ length: 10 }, () => level + Math.floor(1000 * rng())));
      const runs = sized(tokens, (index) => ({ task_id: `t-${Math.floor(index / 10)}`, run: `${index}` }));
      const options = { padding: WIDE.padding, units: { tokens: { num: 1n, den: 1n } }, repeats: 2 };
      sums.together += crossValidate(runs, options).rate ?? Number.NaN;
      sums.alone += crossValidate(runs, { ...options, cluster: 'run' }).rate ?? Number.NaN;
    }
    // Rank 178 of 180 is a run of the largest task: 3 in 181 new runs of it lie above, but the ten runs of
    // the largest task of all lie above those of all others.
    expect(Math.abs(sums.alone / 60 - 3 / 181)).toBeLessThan(0.002);
    expect(sums.together / 60).toBeGreaterThanOrEqual(0.05);
  });
});

describe('what it says', () => {
  test('the whole answer', () => {
    const tokens = Array.from({ length: 40 }, (_, index) => 1000 + index);
    const found = crossValidate(sized(tokens), { ...WIDE, units: { tokens: { num: 1n, den: 1n } } });
    const mean = found.counts.reduce((sum, count) => sum + count, 0) / 10;
    const { low, high } = clopperPearson(4, 40);
    expect(found).toEqual({
      successes: 40,
      rate: mean / 40,
      count: mean,
      ci95: [expect.any(Number), expect.any(Number)],
      counts: found.counts,
      rates: [Math.min(...found.counts) / 40, Math.max(...found.counts) / 40],
      rate_at_most: null,
      trained_on: 36,
      optimism: mean / 40 - 0.1,
      folds: 10,
      repeats: 10,
      seed: 1,
      cluster: null,
      in_sample: { count: 4, rate: 0.1, ci95: [low, high], rate_at_most: null },
      not_judged: null,
    });
    expect(crossValidate(sized(tokens), { ...WIDE, units: { tokens: { num: 1n, den: 1n } } })).toEqual(found);
  });

  test.each<[string, Run[], Partial<CrossValidateOptions>, RegExp]>([
    [
      'no success',
      [run({ status: 'halted_error', check: 'failed', passes: passes(3) })],
      {},
      /no success to take caps/,
    ],
    ['one success', sized([5]), {}, /^one success is too few .* at least 10 are needed/],
    ['nine', sized([1, 2, 3, 4, 5, 6, 7, 8, 9]), {}, /^9 successes are too few/],
    [
      'caps that spend least',
      sized(drawn(30, seededRng(1))),
      { joint: { aim: 'cheapest', spend: null } },
      /^caps that spend least are chosen by all runs/,
    ],
    ['one task only', sized(new Array(20).fill(7), () => ({ task: 'a' })), { cluster: 'task' }, /one value of task/],
  ])('%s: no rate, and why', (_name, runs, options, reason) => {
    const found = crossValidate(runs, options);
    expect(found.not_judged).toMatch(reason);
    expect(found).toMatchObject({ rate: null, count: null, ci95: null, counts: [], rates: null, optimism: null });
    expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity/);
  });

  test('all alike: nothing is cut, and the interval says how little that is', () => {
    const found = crossValidate(sized(new Array(30).fill(500)));
    expect(found).toMatchObject({ rate: 0, count: 0, optimism: 0, rates: [0, 0] });
    expect(found.ci95).toEqual([0, clopperPearson(0, 30).high]);
  });

  test('a task label with few values is not taken by itself, and is when asked for', () => {
    const runs = sized(drawn(30, seededRng(2)), (index) => ({ task: `kind-${index % 3}` }));
    expect(crossValidate(runs).cluster).toBeNull();
    expect(crossValidate(runs, { cluster: 'task' })).toMatchObject({ folds: 3, cluster: { label: 'task', tasks: 3 } });
  });

  test('runs known in total only: a rate, and what it may be at most', () => {
    const runs = Array.from({ length: 30 }, (_, index) =>
      run({ id: `s-${index}`, passes: null, totals: { passes: 3, tokens: 100 + index } }),
    );
    const found: CrossValidated = crossValidate(runs, { ...WIDE, units: { tokens: { num: 1n, den: 1n } } });
    expect(found.rate).toBe(0);
    expect(found.rate_at_most).toBeGreaterThan(0.1);
    expect(found.in_sample).toMatchObject({ count: 0, rate_at_most: 4 / 30 });
  });
});
