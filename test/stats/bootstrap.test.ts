import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import seedrandom from 'seedrandom';
import { describe, expect, test } from 'vitest';
import { percentileInterval, resampleSums } from '../../src/stats/bootstrap.js';

/** What scipy says; made by scripts/reference-bootstrap.py. */
const reference = JSON.parse(readFileSync(new URL('../reference/bootstrap.json', import.meta.url), 'utf8')) as {
  readonly bootstraps: readonly { today: number[]; candidate: number[]; interval: [number, number] }[];
};

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);

describe('resampleSums(columns, resamples, rng)', () => {
  test('draws the rows that the generator names, the same ones for every column', () => {
    const draws = [0, 0.34, 0.99, 0.5, 0.67, 0.1];
    const rng = (): number => draws.shift() as number;
    expect(
      resampleSums(
        [
          [1, 10, 100],
          [5, 6, 7],
        ],
        2,
        rng,
      ),
    ).toEqual([Float64Array.of(1 + 10 + 100, 10 + 100 + 1), Float64Array.of(5 + 6 + 7, 6 + 7 + 5)]);
  });

  test('draws as many rows as there are, and every row as often as any other', () => {
    const rows = 40;
    const columns = [upTo(rows).map(() => 1), ...upTo(rows).map((at) => upTo(rows).map((row) => (row === at ? 1 : 0)))];
    const [ones, ...each] = resampleSums(columns, 5_000, seedrandom.alea('rows'));
    expect(new Set(ones)).toEqual(new Set([rows]));
    // The mean count of a row over 5,000 resamples is 1 with a standard error of 0.014.
    for (const counts of each) expect(counts.reduce((a, b) => a + b) / 5_000).toBeCloseTo(1, 1);
  });

  test('gives the same for the same seed, and proportional columns for proportional ones', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (values, seed) => {
          const columns = [values, values.map((value) => 3 * value)];
          const [one, three] = resampleSums(columns, 20, seedrandom.alea(String(seed))) as [Float64Array, Float64Array];
          expect(three).toEqual(one.map((sum) => 3 * sum));
          expect(resampleSums(columns, 20, seedrandom.alea(String(seed)))[0]).toEqual(one);
        },
      ),
      { seed: 42, numRuns: 100 },
    );
  });

  test.each([
    ['no column', [], 10, 'at least one row'],
    ['no row', [[]], 10, 'at least one row'],
    ['columns of two lengths', [[1], [1, 2]], 10, 'columns of one length'],
    ['no resample', [[1]], 0, 'from 1, got 0'],
    ['half a resample', [[1]], 0.5, 'from 1, got 0.5'],
  ])('refuses %s', (_, columns, resamples, message) => {
    expect(() => resampleSums(columns, resamples, () => 0)).toThrow(message);
  });
});

describe('percentileInterval(values)', () => {
  test.each([
    [2000, 50, 1951],
    [1999, 50, 1950],
    [1000, 25, 976],
    [40, 1, 40],
    [39, 1, 39],
  ])('of 1 to %d is %d to %d, whatever their order', (n, low, high) => {
    expect(percentileInterval(upTo(n))).toEqual({ low, high });
    expect(percentileInterval(upTo(n).reverse())).toEqual({ low, high });
  });

  test('does not exist where the tails are below one value', () => {
    expect([percentileInterval(upTo(38)), percentileInterval([]), percentileInterval(upTo(38), 0.9)]).toEqual([
      null,
      null,
      { low: 1, high: 38 },
    ]);
  });

  test('refuses what is no confidence, and values that are not finite', () => {
    expect(() => percentileInterval(upTo(99), 1)).toThrow('0 < confidence < 1');
    expect(() => percentileInterval([...upTo(99), Number.NaN])).toThrow('finite');
  });
});

describe('the paired interval of a ratio', () => {
  test.each(reference.bootstraps.map((each) => [each.today.length, each] as const))(
    "of %d pairs meets scipy's within the noise of the draws",
    (_, { today, candidate, interval: [low, high] }) => {
      const [one, other] = resampleSums([today, candidate], 20_000, seedrandom.alea('scipy')) as [
        Float64Array,
        Float64Array,
      ];
      const ours = percentileInterval(one.map((sum, index) => (other[index] as number) / sum - 1));
      const width = high - low;
      expect(Math.abs((ours?.low ?? 9) - low)).toBeLessThan(0.02 * width);
      expect(Math.abs((ours?.high ?? 9) - high)).toBeLessThan(0.02 * width);
    },
  );

  test('holds the truth in about 95 of 100 samples', () => {
    const rng = seedrandom.alea('coverage');
    const draw = (): [number, number] => {
      const today = 1000 * (1 + Math.floor(20 * rng()));
      return [today, Math.min(today, 12_000)];
    };
    // Uniform on 1 to 20 thousand, cut at 12: the mean falls from 10.5 to (1 + … + 12 + 8 x 12) / 20 = 8.7.
    const truth = 8.7 / 10.5 - 1;
    let covered = 0;
    for (let sample = 0; sample < 400; sample++) {
      const pairs = upTo(80).map(draw);
      const [one, other] = resampleSums([pairs.map(([a]) => a), pairs.map(([, b]) => b)], 400, rng) as [
        Float64Array,
        Float64Array,
      ];
      const interval = percentileInterval(one.map((sum, index) => (other[index] as number) / sum - 1));
      if (interval !== null && interval.low <= truth && truth <= interval.high) covered++;
    }
    // 95 % of 400 are 380, with a standard error of 4.4.
    expect(covered).toBeGreaterThan(366);
    expect(covered).toBeLessThan(394);
  });
});
