import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chiSquareUpperTail } from '../../src/stats/chi-square.js';
import { kruskalTest } from '../../src/stats/kruskal.js';
import { rankTest } from '../../src/stats/rank-test.js';
import { worstRelativeError } from './reference.js';

/** What scipy says; made by scripts/reference-groups.py. */
const reference = JSON.parse(readFileSync(new URL('../reference/groups.json', import.meta.url), 'utf8')) as {
  readonly kruskal: readonly { readonly samples: number[][]; readonly h: number; readonly p: number }[];
  readonly chiSquare: readonly { readonly x: number; readonly df: number; readonly upper: number }[];
};

const samplesOf = (most: number): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 9 }), { minLength: 2, maxLength: 5 });

describe('chiSquareUpperTail', () => {
  test('equals scipy from the middle to far out, for few and many degrees of freedom', () => {
    expect(reference.chiSquare.length).toBeGreaterThan(90);
    const pairs = reference.chiSquare.map(({ x, df, upper }) => [chiSquareUpperTail(x, df), upper] as const);
    expect(worstRelativeError(pairs)).toBeLessThan(1e-11);
  });

  test('is 1 at nothing, and never below 0 or above 1', () => {
    expect([1, 2, 9].map((df) => chiSquareUpperTail(0, df))).toEqual([1, 1, 1]);
    expect(chiSquareUpperTail(1e6, 3)).toBe(0);
    expect(chiSquareUpperTail(1e-300, 4)).toBe(1);
  });

  test('falls in x and rises in df', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 300, noNaN: true }),
        fc.double({ min: 0, max: 9, noNaN: true }),
        fc.integer({ min: 1, max: 80 }),
        (x, more, df) => {
          const here = chiSquareUpperTail(x, df);
          expect(chiSquareUpperTail(x + more, df)).toBeLessThanOrEqual(here * (1 + 1e-12));
          expect(chiSquareUpperTail(x, df + 1)).toBeGreaterThanOrEqual(here * (1 - 1e-12));
        },
      ),
      { seed: 42 },
    );
  });

  test.each([
    [-1, 2],
    [Number.NaN, 2],
    [Number.POSITIVE_INFINITY, 2],
    [1, 0],
    [1, 1.5],
  ])('refuses x = %d, df = %d', (x, df) => {
    expect(() => chiSquareUpperTail(x, df)).toThrow(RangeError);
  });
});

describe('kruskalTest', () => {
  test('equals scipy, with ties and without', () => {
    const found = reference.kruskal.map(({ samples }) => kruskalTest(samples));
    expect(worstRelativeError(found.map(({ h }, i) => [h, reference.kruskal[i]?.h ?? 0]))).toBeLessThan(1e-11);
    expect(worstRelativeError(found.map(({ p }, i) => [p, reference.kruskal[i]?.p ?? 0]))).toBeLessThan(1e-11);
  });

  test('equals the formula of the paper, written out', () => {
    fc.assert(
      fc.property(samplesOf(6), (samples) => {
        const all = samples.flat();
        const n = all.length;
        const rank = (value: number): number =>
          all.filter((each) => each < value).length + (all.filter((each) => each === value).length + 1) / 2;
        const ties = [...new Set(all)].map((value) => all.filter((each) => each === value).length);
        const correction = 1 - ties.reduce((sum, t) => sum + t ** 3 - t, 0) / (n ** 3 - n);
        const raw =
          (12 / (n * (n + 1))) *
            samples.reduce((sum, each) => sum + each.map(rank).reduce((a, b) => a + b, 0) ** 2 / each.length, 0) -
          3 * (n + 1);
        const { h, df, epsilonSquared } = kruskalTest(samples);
        expect(df).toBe(samples.length - 1);
        expect(h).toBeCloseTo(correction === 0 ? 0 : raw / correction, 9);
        expect(epsilonSquared).toBeCloseTo(h / (n - 1), 12);
      }),
      { seed: 42 },
    );
  });

  test('depends on the order of the values only, and not on the order of samples', () => {
    fc.assert(
      fc.property(samplesOf(20), (samples) => {
        const { h } = kruskalTest(samples);
        expect(kruskalTest(samples.map((each) => each.map((value) => value ** 3 + 7))).h).toBeCloseTo(h, 9);
        expect(kruskalTest([...samples].reverse()).h).toBeCloseTo(h, 9);
      }),
      { seed: 43 },
    );
  });

  test('of two samples is the rank test without its correction for continuity', () => {
    const [a, b] = [
      [1, 2, 2, 5, 7, 9, 11, 15, 15, 20],
      [3, 4, 8, 12, 16, 16, 21, 25, 30, 31],
    ];
    expect(kruskalTest([a as number[], b as number[]]).p).toBeLessThan(rankTest(a as number[], b as number[]).p);
  });

  test('the ends: all equal, all apart', () => {
    expect(kruskalTest([[4, 4], [4], [4, 4, 4]])).toEqual({ h: 0, df: 2, p: 1, epsilonSquared: 0 });
    expect(kruskalTest([[1], [2]])).toMatchObject({ h: 1, epsilonSquared: 1 });
    expect(
      kruskalTest([
        [5, 5, 5],
        [9, 9],
      ]).epsilonSquared,
    ).toBe(1);
  });

  test('with ten values a sample a level of 5 % alarms in about 5 % of sets that are alike', () => {
    let alarms = 0;
    let state = 1;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    };
    for (let set = 0; set < 2_000; set++) {
      const samples = [10, 10, 10, 10].map((size) => Array.from({ length: size }, () => next() % 40));
      if (kruskalTest(samples).p <= 0.05) alarms++;
    }
    expect(alarms / 2_000).toBeGreaterThan(0.03);
    expect(alarms / 2_000).toBeLessThan(0.06);
  });

  test('refuses one sample, an empty one, and what is no number', () => {
    expect(() => kruskalTest([[1, 2]])).toThrow(RangeError);
    expect(() => kruskalTest([[1], []])).toThrow(RangeError);
    expect(() => kruskalTest([[1], [Number.NaN]])).toThrow(RangeError);
  });
});
