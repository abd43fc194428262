import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holmAdjusted } from '../../src/stats/holm.js';
import { normalUpperTail } from '../../src/stats/normal.js';
import { rankTest } from '../../src/stats/rank-test.js';
import { exceedanceTails, sharedShareTails, twoSided } from '../../src/stats/tails.js';

function choose(n: number, k: number): bigint {
  let value = 1n;
  for (let i = 0; i < k; i++) value = (value * BigInt(n - i)) / BigInt(i + 1);
  return k < 0 || k > n ? 0n : value;
}

function share(counts: readonly bigint[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0n);
  return counts.map((count) => Number((count * 10n ** 30n) / total) / 1e30);
}

/** Every order of m new among n old values is as likely: those with k new ones above the old one of that rank. */
function exceedances(m: number, n: number, rank: number): number[] {
  return share(
    Array.from({ length: m + 1 }, (_, k) => choose(m - k + rank - 1, rank - 1) * choose(k + n - rank, n - rank)),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe('exceedanceTails', () => {
  test('is the plain count of orders', () => {
    const sizes = fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }))
      .chain(([m, n]) =>
        fc.tuple(fc.integer({ min: 0, max: m }), fc.constant(m), fc.constant(n), fc.integer({ min: 1, max: n })),
      );
    const law = fc.property(sizes, ([above, m, n, rank]) => {
      const chances = exceedances(m, n, rank);
      const { atMost, atLeast } = exceedanceTails(above, m, n, rank);
      expect(atMost).toBeCloseTo(sum(chances.slice(0, above + 1)), 12);
      expect(atLeast).toBeCloseTo(sum(chances.slice(above)), 12);
    });
    fc.assert(law, { seed: 5, numRuns: 300 });
  });

  test('one new value lies above the largest of nine with one chance in ten', () => {
    expect(exceedanceTails(1, 1, 9, 9).atLeast).toBeCloseTo(0.1, 14);
    expect(exceedanceTails(0, 1, 9, 9)).toEqual({ atMost: expect.closeTo(0.9, 14), atLeast: 1 });
  });

  test('spreads wider than a binomial of the same mean: the old percentile is a draw itself', () => {
    // Nine or more of 310 above a fixed 1.29 % come 2.0 % of the time; above a p99 that was measured on 310, 7.1 %.
    expect(exceedanceTails(9, 310, 310, 307).atLeast).toBeCloseTo(0.07104103734200022, 12);
  });

  test('holds for a million, where plain products overflow', () => {
    const { atMost, atLeast } = exceedanceTails(10_000, 1_000_000, 1_000_000, 990_001);
    expect(atMost).toBeCloseTo(0.5, 2);
    expect(atMost + atLeast).toBeGreaterThan(1);
    expect(exceedanceTails(20_000, 1_000_000, 1_000_000, 990_001).atLeast).toBeLessThan(1e-100);
  });

  test.each([
    [-1, 5, 5, 1],
    [6, 5, 5, 1],
    [1, 0, 5, 1],
    [1, 5, 5, 0],
    [1, 5, 5, 6],
    [0.5, 5, 5, 1],
  ])('refuses %d of %d, n %d, rank %d', (above, m, n, rank) =>
    expect(() => exceedanceTails(above, m, n, rank)).toThrow(RangeError),
  );
});

describe('sharedShareTails', () => {
  test("is the plain hypergeometric sum, as in Fisher's tea", () => {
    // Eight cups, four of each, three called right: 17 of 70 orders are as good or better.
    expect(sharedShareTails(3, 4, 1, 4).atLeast).toBeCloseTo(17 / 70, 14);
    expect(sharedShareTails(3, 4, 1, 4).atMost).toBeCloseTo(69 / 70, 14);
  });

  test('against exact sums', () => {
    const law = fc.property(
      fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40)).filter(([a, b, c, d]) => a + b > 0 && c + d > 0),
      ([x, y, u, v]) => {
        const [n, m, total] = [x + y, u + v, x + u];
        const chances = share(Array.from({ length: n + 1 }, (_, k) => choose(n, k) * choose(m, total - k)));
        const { atMost, atLeast } = sharedShareTails(x, n, u, m);
        expect(atMost).toBeCloseTo(sum(chances.slice(0, x + 1)), 12);
        expect(atLeast).toBeCloseTo(sum(chances.slice(x)), 12);
      },
    );
    fc.assert(law, { seed: 6, numRuns: 300 });
  });

  test('refuses what is no count', () => {
    expect(() => sharedShareTails(5, 4, 1, 4)).toThrow(RangeError);
    expect(() => sharedShareTails(0, 0, 1, 4)).toThrow(RangeError);
  });
});

test('twoSided is twice the smaller tail, at most 1', () => {
  expect(twoSided({ atMost: 0.99, atLeast: 0.02 })).toBeCloseTo(0.04, 14);
  expect(twoSided({ atMost: 0.6, atLeast: 0.7 })).toBe(1);
});

describe('normalUpperTail', () => {
  test.each([
    [0, 0.5],
    [1, 0.15865525393145705],
    [1.959963984540054, 0.025],
    [2.9999, 0.0013503412829549248],
    [3, 0.0013498980316300957],
    [6, 9.865876450377018e-10],
    [10, 7.619853024160527e-24],
    [-1, 0.841344746068543],
  ])('above %d lies %d', (z, tail) => {
    expect(normalUpperTail(z) / tail).toBeCloseTo(1, 9);
  });
});

describe('rankTest', () => {
  test("agrees with R's wilcox.test, normal approximation with continuity correction, ties and all", () => {
    // wilcox.test(a, b, exact = FALSE)$p.value; W is 35.5.
    const a = [1.1, 2.2, 3, 4.4, 5.5, 6, 7.7, 8.8, 9.9, 11];
    const b = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13];
    expect(rankTest(a, b)).toEqual({ superiority: 0.355, p: expect.closeTo(0.2893738955949512, 12) });
  });

  test('counts pairs as the slow way does, whatever the ties', () => {
    const values = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 30 });
    const law = fc.property(values, values, (x, y) => {
      const [a, b] = [x.toSorted((p, q) => p - q), y.toSorted((p, q) => p - q)];
      const [there, back] = [rankTest(a, b), rankTest(b, a)];
      expect(there.superiority).toBeCloseTo(pairsWon(a, b) / (a.length * b.length), 12);
      expect(there.superiority + back.superiority).toBeCloseTo(1, 12);
      expect(there.p).toBeCloseTo(back.p, 12);
      expect(there.p).toBeGreaterThanOrEqual(0);
      expect(there.p).toBeLessThanOrEqual(1);
    });
    fc.assert(law, { seed: 7, numRuns: 300 });
  });

  test('equal values everywhere say nothing', () =>
    expect(rankTest([4, 4, 4], [4, 4])).toEqual({ superiority: 0.5, p: 1 }));

  test('refuses an empty side', () => expect(() => rankTest([], [1])).toThrow(RangeError));
});

function pairsWon(a: readonly number[], b: readonly number[]): number {
  return sum(a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0))));
}

describe('holmAdjusted', () => {
  test("is R's p.adjust", () => {
    // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02].map((p) => expect.closeTo(p, 14)));
    expect(holmAdjusted([0.6, 0.7])).toEqual([1, 1]);
    expect(holmAdjusted([])).toEqual([]);
  });
});
