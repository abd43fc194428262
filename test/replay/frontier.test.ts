import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromAtoms } from '../../src/model/atoms.js';
import { toNumber } from '../../src/model/decimal.js';
import { METRICS } from '../../src/model/limits.js';
import { frontierOf, isTold } from '../../src/replay/frontier.js';
import { prepareSweep, sweepGrid } from '../../src/replay/sweep.js';
import type { Extent } from '../../src/replay/sweep-extent.js';
import { createRows } from '../../src/replay/sweep-rows.js';
import { priceOfNext } from '../../src/replay/value.js';
import { policy } from '../builders.js';
import { capsOf, gridRecords, madeUp, manyRuns, repeatCounts, runsOf, toldRuns } from './grids.js';

/** What a policy comes to in one case; spend that has no end is more than any sum. */
type Figures = readonly [stops: number, spend: bigint];

const ENDLESS = 2n ** 80n;
const CASES: readonly ((extent: Extent) => Figures)[] = [
  ({ falseStops, spend }) => [falseStops[0], spend[0]],
  ({ falseStops, spend }) => [falseStops[1], spend[1] ?? ENDLESS],
];

/** The figures that no other beats, each once, from the fewest false stops on. */
function unbeaten(all: readonly Figures[]): Figures[] {
  const isBeaten = ([stops, spend]: Figures): boolean =>
    all.some(([s, p]) => s <= stops && p <= spend && (s < stops || p < spend));
  const kept = all.filter((each) => !isBeaten(each)).sort(([one], [other]) => one - other);
  return kept.filter(([stops], index) => stops !== kept[index - 1]?.[0]);
}

test('the frontier has every policy that no other beats in the best or the worst case, and prices where all is told', () => {
  const seen = { points: 0, prices: 0, several: 0, open: 0 };
  fc.assert(
    fc.property(
      fc.oneof(toldRuns, manyRuns),
      gridRecords,
      repeatCounts,
      fc.constantFrom(...METRICS),
      (runs, grid, counts, metric) => {
        const swept = sweepGrid(prepareSweep(runs), policy({}), capsOf(grid), counts);
        const { points, pointOf, isExact } = frontierOf(swept, metric);
        const extents = Array.from({ length: swept.length }, (_, index) => swept.extentOf(metric, index));
        for (const caseOf of CASES) {
          const figures = points.map(({ extent }) => caseOf(extent));
          for (const each of unbeaten(extents.map(caseOf))) expect(figures).toContainEqual(each);
        }
        const fronts = CASES.map((caseOf) => unbeaten(extents.map(caseOf)).map(String));
        for (const { extent, policy: number, falseStops } of points) {
          seen.points++;
          expect(CASES.some((caseOf, at) => fronts[at]?.includes(String(caseOf(extent))))).toBe(true);
          expect(swept.falseStops(number)).toBe(falseStops);
          // The last of all with its figures.
          expect(
            extents.findLastIndex(
              (other) => String([other.falseStops, other.spend]) === String([extent.falseStops, extent.spend]),
            ),
          ).toBe(number);
        }
        for (const [index, extent] of extents.entries()) {
          expect(pointOf(index)).toBe(
            points.find(
              (point) =>
                String([point.extent.falseStops, point.extent.spend]) === String([extent.falseStops, extent.spend]),
            ) ?? null,
          );
        }
        expect(isExact).toBe(points.every(({ extent }) => isTold(extent)));
        for (const [index, point] of points.entries()) {
          const fewer = points[index - 1];
          if (!isExact || fewer === undefined) {
            expect(point.next).toBe(null);
            if (!isExact) seen.open++;
            continue;
          }
          const saves = point.falseStops - fewer.falseStops;
          expect(point.next).toEqual({ saves, spend: fewer.spend - point.spend });
          seen.prices++;
          if (saves > 1) seen.several++;
        }
      },
    ),
    { seed: 44, numRuns: 400 },
  );
  expect(seen.points).toBeGreaterThan(300);
  expect(seen.prices).toBeGreaterThan(50);
  expect(seen.several).toBeGreaterThan(5);
  expect(seen.open).toBeGreaterThan(100);
}, 60_000);

test('the ends of a policy are the bounds of its answer', () => {
  fc.assert(
    fc.property(manyRuns, gridRecords, fc.constantFrom(...METRICS), (runs, grid, metric) => {
      const swept = sweepGrid(prepareSweep(runs), policy({}), capsOf(grid));
      for (let index = 0; index < swept.length; index++) {
        const { bounds, false_stops, spend } = swept.at(index);
        const { falseStops, spend: ends } = swept.extentOf(metric, index);
        const count = false_stops.count;
        expect(falseStops).toEqual(bounds?.false_stops ?? [count, count]);
        if (spend[metric] === null) continue;
        const [least, most] = bounds?.spend[metric]?.replayed ?? [spend[metric].replayed, spend[metric].replayed];
        expect([
          fromAtoms(metric, Number(ends[0])),
          ends[1] === null ? null : fromAtoms(metric, Number(ends[1])),
        ]).toEqual([least, most]);
      }
    }),
    { seed: 49, numRuns: 150 },
  );
});

test('a cap that is never worse is offered, and stopping nothing is not the only offer', () => {
  // Three of four policies of a record that keeps only totals: none, 15 that may save, 8 that surely stops three.
  const result = madeUp(
    'tokens',
    [
      [3, 28n],
      [0, 28n],
      [0, 28n],
    ],
    [
      { falseStops: [3, 3], spend: [3n, 28n] },
      { falseStops: [0, 0], spend: [19n, 28n] },
      { falseStops: [0, 0], spend: [28n, 28n] },
    ],
  );
  const { points, isExact } = frontierOf(result, 'tokens');
  expect([isExact, points.map((point) => [point.policy, point.next])]).toEqual([
    false,
    [
      [1, null],
      [0, null],
    ],
  ]);
});

const told = (stops: number, spend: bigint): Extent => ({ falseStops: [stops, stops], spend: [spend, spend] });

describe('exactly', () => {
  const most = 2n ** 60n;

  test('one token decides where doubles see none', () => {
    const result = madeUp('tokens', [
      [1, most],
      [1, most + 1n],
      [0, most + 1n],
      [0, most + 2n],
      [2, most],
    ]);
    const { points, pointOf } = frontierOf(result, 'tokens');
    expect(points).toEqual([
      { policy: 2, falseStops: 0, spend: most + 1n, extent: told(0, most + 1n), next: null },
      { policy: 0, falseStops: 1, spend: most, extent: told(1, most), next: { saves: 1, spend: 1n } },
    ]);
    expect([0, 1, 2, 3, 4].map((index) => pointOf(index)?.policy ?? null)).toEqual([0, null, 2, null, null]);
  });

  test('prices are in units, a part of one for each of several good runs', () => {
    const { metric, points } = frontierOf(
      madeUp('usd', [
        [0, 4_000_000_001n],
        [4, 1_000_000_000n],
        [7, 0n],
      ]),
      'usd',
    );
    const prices = points.map((point) => priceOfNext(metric, point)).map((price) => price && toNumber(price));
    expect(prices).toEqual([null, 0.75000000025, 1 / 3]);
  });

  test('no policy, no frontier', () => {
    expect(frontierOf(madeUp('tokens', []), 'tokens').points).toEqual([]);
  });
});

test('rows have the price of the next good run on the frontier, and no such field elsewhere', () => {
  const runs = [3, 5, 9].map((count, index) => ({
    id: `r${index}`,
    status: 'done_verified',
    check: 'passed',
    passes: Array.from({ length: count }, () => ({ input_tokens: 90, output_tokens: 10, seconds: 1 })),
  }));
  const swept = sweepGrid(prepareSweep(runsOf(runs)), policy({}), { passes: [3, 5], tokens: [300, null] });
  const row = createRows(swept, frontierOf(swept, 'tokens'));
  expect([0, 1, 2, 3].map((index) => [row(index).on_frontier, row(index).next_good_run])).toEqual([
    [true, { costs: 400, saves: 1 }],
    [true, { costs: 400, saves: 1 }],
    [true, { costs: 400, saves: 1 }],
    [true, null],
  ]);
});
