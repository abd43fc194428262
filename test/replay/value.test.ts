import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, decimalOf, type Fraction, toNumber } from '../../src/model/decimal.js';
import { ATOMS_PER_UNIT, METRICS, type Metric } from '../../src/model/limits.js';
import { frontierOf } from '../../src/replay/frontier.js';
import { prepareSweep, type SweepResult, sweepGrid } from '../../src/replay/sweep.js';
import { bestAtValue, costOf, type ValueChoice } from '../../src/replay/value.js';
import { openChoice } from '../../src/replay/value-open.js';
import { valueAnswer, valueReport } from '../../src/replay/value-result.js';
import { passes, policy, run } from '../builders.js';
import { capsOf, gridRecords, madeUp, repeatCounts, toldRuns } from './grids.js';

/** False stops and spend in atoms. */
type Figures = readonly [falseStops: number, spend: bigint];

/** What every policy of a sweep comes to, each pair of figures once. */
function figuresIn(result: SweepResult, metric: Metric): Figures[] {
  const distinct = new Map<string, Figures>();
  for (let index = 0; index < result.length; index++) {
    // Where all points are told no other policy is better at its least.
    const { falseStops, spend } = result.extentOf(metric, index);
    const figures = [falseStops[0], spend[0]] as const;
    distinct.set(figures.join(), figures);
  }
  return [...distinct.values()];
}

/** Policies as a buyer sees them who tries every one. */
interface Bills {
  /** Spend and the worth of what is cut off, in atoms times the denominator of the value. */
  of(figures: Figures, value: Fraction): bigint;
  isBest(figures: Figures, value: Fraction): boolean;
}

function billsOf(all: readonly Figures[], metric: Metric): Bills {
  const atoms = BigInt(ATOMS_PER_UNIT[metric]);
  const of = ([falseStops, spend]: Figures, { num, den }: Fraction): bigint =>
    spend * den + num * atoms * BigInt(falseStops);
  return { of, isBest: (figures, value) => all.every((other) => of(figures, value) <= of(other, value)) };
}

/** A fraction moved by a part that no other slope of these sums can lie in. */
function nudged({ num, den }: Fraction, sign: 1n | -1n): Fraction {
  const fine = 10n ** 24n;
  return { num: num * fine + sign, den: den * fine };
}

function checkChoice(all: readonly Figures[], choice: ValueChoice): void {
  const { metric, value, point, from, to, cost } = choice;
  const bills = billsOf(all, metric);
  const picked = [point.falseStops, point.spend] as const;
  const staysBest = (at: Fraction): boolean => bills.isBest(picked, at);
  expect(compare(cost, costOf(metric, point, value))).toBe(0);
  expect(cost.num * BigInt(ATOMS_PER_UNIT[metric]) * value.den).toBe(bills.of(picked, value) * cost.den);
  const best = all.filter((figures) => bills.isBest(figures, value));
  expect(best).toContainEqual(picked);
  // Among all that cost the same it has the fewest false stops.
  expect(point.falseStops).toBe(Math.min(...best.map(([falseStops]) => falseStops)));
  if (from === null) expect(staysBest({ num: 0n, den: 1n })).toBe(true);
  else {
    expect(compare(from, value)).not.toBe(1);
    expect([nudged(from, -1n), from, nudged(from, 1n)].map(staysBest)).toEqual([false, true, true]);
  }
  if (to === null) expect(staysBest({ num: 10n ** 30n, den: 1n })).toBe(true);
  else {
    expect(compare(to, value)).toBe(1);
    expect([nudged(to, -1n), to, nudged(to, 1n)].map(staysBest)).toEqual([true, true, false]);
  }
}

const values = fc.oneof(
  fc.constantFrom(1e-9, 0.1, 0.2, 0.5, 1, 1.5, 2.5, 4, 7, 1e6, 1e15),
  fc.integer({ min: 1, max: 400 }).map((tenths) => tenths / 10),
);

describe('the policy that costs least in all, beside every policy and many values', () => {
  test('of a sweep', () => {
    const seen = { from: 0, to: 0, both: 0 };
    fc.assert(
      fc.property(
        toldRuns,
        gridRecords,
        repeatCounts,
        fc.constantFrom(...METRICS),
        fc.array(values, { minLength: 1, maxLength: 6 }),
        (runs, grid, counts, metric, tried) => {
          const result = sweepGrid(prepareSweep(runs), policy({}), capsOf(grid), counts);
          const frontier = frontierOf(result, metric);
          const all = figuresIn(result, metric);
          expect(frontier.isExact).toBe(true);
          for (const each of tried) {
            const choice = bestAtValue(frontier, decimalOf(each)) as ValueChoice;
            checkChoice(all, choice);
            if (choice.from !== null) seen.from++;
            if (choice.to !== null) seen.to++;
            if (choice.from !== null && choice.to !== null) seen.both++;
          }
        },
      ),
      { seed: 46, numRuns: 800 },
    );
    expect(seen.from).toBeGreaterThan(100);
    expect(seen.to).toBeGreaterThan(100);
    expect(seen.both).toBeGreaterThan(20);
  }, 60_000);

  test('of any figures, however large, at values that are slopes of theirs', () => {
    const figures = fc.tuple(
      fc.integer({ min: 0, max: 12 }),
      fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 40n })),
    );
    let seen = 0;
    fc.assert(
      fc.property(
        fc.array(figures, { minLength: 1, maxLength: 25 }),
        fc.constantFrom(...METRICS),
        (policies, metric) => {
          const result = madeUp(metric, policies);
          const frontier = frontierOf(result, metric);
          const { points } = frontier;
          const slopes = points.flatMap((one) =>
            points.flatMap((other): Fraction[] => {
              if (other.falseStops <= one.falseStops) return [];
              const atoms = BigInt(ATOMS_PER_UNIT[metric]);
              return [{ num: one.spend - other.spend, den: BigInt(other.falseStops - one.falseStops) * atoms }];
            }),
          );
          for (const slope of slopes) {
            for (const value of [slope, nudged(slope, 1n), nudged(slope, -1n)]) {
              checkChoice(policies, bestAtValue(frontier, value) as ValueChoice);
              seen++;
            }
          }
        },
      ),
      { seed: 47, numRuns: 300 },
    );
    expect(seen).toBeGreaterThan(1_000);
  }, 60_000);
});

describe('where figures are open', () => {
  const extents = fc
    .tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 3 }),
      fc.bigInt(0n, 40n),
      fc.option(fc.bigInt(0n, 9n)),
    )
    .map(([stops, more, spend, above]) => ({
      falseStops: [stops, stops + more] as const,
      spend: [spend, above === null ? null : spend + above] as const,
    }));

  test('one is picked if and only if it costs no more at its most than any other at its least', () => {
    const seen = { sure: 0, open: 0 };
    fc.assert(
      fc.property(fc.array(extents, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 30 }), (all, value) => {
        const result = madeUp(
          'tokens',
          all.map(({ falseStops, spend }) => [falseStops[0], spend[1] ?? spend[0]] as const),
          all,
        );
        const frontier = frontierOf(result, 'tokens');
        const { best, candidates } = openChoice(frontier, decimalOf(value));
        const least = ({ falseStops, spend }: (typeof all)[number]): bigint => spend[0] + BigInt(value * falseStops[0]);
        const most = ({ falseStops, spend }: (typeof all)[number]): bigint | null =>
          spend[1] === null ? null : spend[1] + BigInt(value * falseStops[1]);
        const isSure = (one: (typeof all)[number]): boolean => {
          const top = most(one);
          return (
            top !== null &&
            all.every((other) => String(Object.values(other)) === String(Object.values(one)) || top <= least(other))
          );
        };
        expect(best !== null).toBe(all.some(isSure));
        if (best === null) expect(candidates.length).toBeGreaterThan(0);
        else expect(isSure(all[best.point.policy] as (typeof all)[number])).toBe(true);
        seen[best === null ? 'open' : 'sure']++;
      }),
      { seed: 48, numRuns: 600 },
    );
    expect(Math.min(seen.sure, seen.open)).toBeGreaterThan(50);
  });

  test('the report has both ends, and no range of values', () => {
    const totals = { passes: null, totals: { passes: 10, tokens: 1000 } };
    const runs = [run({ passes: passes(4) }), run({ ...totals, status: 'halted_error', check: 'failed' }, 2)];
    const swept = sweepGrid(prepareSweep(runs), policy({}), { passes: [6, null] });
    const answer = valueAnswer(swept, frontierOf(swept, 'tokens'), decimalOf(100));
    expect(answer).toMatchObject({
      policy: 0,
      best_from: null,
      best_to: null,
      cost_bounds: [expect.any(Number), 1400],
    });
    const none = valueAnswer(
      sweepGrid(prepareSweep(runs.slice(1)), policy({}), { passes: [6, null] }),
      frontierOf(swept, 'tokens'),
      decimalOf(100),
    );
    expect(none).toMatchObject({ policy: null, reason: 'no_success', candidates: [] });
  });
});

test('at a tie the policy with the fewest false stops is picked, and its range begins there', () => {
  const result = madeUp('tokens', [
    [0, 300n],
    [1, 200n],
    [2, 100n],
  ]);
  const choice = bestAtValue(frontierOf(result, 'tokens'), { num: 100n, den: 1n });
  expect(choice).toMatchObject({ point: { policy: 0 }, from: { num: 100n, den: 1n }, to: null });
  const below = bestAtValue(frontierOf(result, 'tokens'), decimalOf(99.5));
  expect(below).toMatchObject({ point: { policy: 2 }, from: null, to: { num: 200n, den: 2n } });
});

test('a point of the frontier inside the hull is never picked', () => {
  const result = madeUp('passes', [
    [0, 100n],
    [1, 95n],
    [2, 50n],
  ]);
  const picked = [1, 5, 6, 24, 25, 26, 45, 100].map(
    (value) => bestAtValue(frontierOf(result, 'passes'), decimalOf(value))?.point.policy,
  );
  expect(picked).toEqual([2, 2, 2, 2, 0, 0, 0, 0]);
});

test('nothing is picked of no policy', () => {
  expect(bestAtValue(frontierOf(madeUp('tokens', []), 'tokens'), decimalOf(1))).toBe(null);
});

test('the report tells what the runs cost as recorded', () => {
  const lost = { status: 'halted_error', check: 'failed', passes: passes(20) };
  const runs = [run({ passes: passes(4) }), run({ passes: passes(8) }, 2), run(lost, 3)];
  const result = sweepGrid(prepareSweep(runs), policy({}), { passes: [4, 8] }, [3, null]);
  const at = (value: number): object =>
    valueReport(result, bestAtValue(frontierOf(result, 'tokens'), decimalOf(value)) as ValueChoice);
  expect(at(500.5)).toEqual({
    metric: 'tokens',
    per_success: 500.5,
    policy: 2,
    caps: { passes: 4 },
    repeat: null,
    false_stops: 1,
    finished: 1,
    spend: 1200,
    cost: 1700.5,
    recorded_cost: 3200,
    recorded_is: 'more',
    best_from: null,
    best_to: 800,
  });
  expect(at(800)).toMatchObject({ policy: 3, false_stops: 0, cost: 2000, best_from: 800, best_to: null });
  const strict = sweepGrid(prepareSweep(runs), policy({}), { passes: [1] });
  const dear = valueReport(strict, bestAtValue(frontierOf(strict, 'tokens'), decimalOf(5000)) as ValueChoice);
  expect(dear).toMatchObject({ cost: 10_300, recorded_is: 'less', best_from: null, best_to: null });
  const open = sweepGrid(prepareSweep(runs), policy({}), { passes: [null] });
  const same = valueReport(open, bestAtValue(frontierOf(open, 'tokens'), decimalOf(1)) as ValueChoice);
  expect(same).toMatchObject({ cost: 3200, recorded_is: 'same' });
  expect(toNumber(decimalOf(same.cost))).toBe(3200);
});
