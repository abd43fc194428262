import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterSizes, foldsOf } from '../../src/stats/folds.js';
import { seededRng } from '../../src/stats/rng.js';

function counts(values: ArrayLike<number>): number[] {
  const found: number[] = [];
  for (const value of Array.from(values)) found[value] = (found[value] ?? 0) + 1;
  return found;
}

const single = (items: number): Uint32Array => Uint32Array.from({ length: items }, (_, item) => item);

describe('foldsOf', () => {
  test('splits single items as evenly as can be, otherwise each time, and the same again for the same seed', () => {
    const rng = seededRng(1);
    const first = foldsOf(single(103), 10, rng);
    expect(counts(first).sort()).toEqual([10, 10, 10, 10, 10, 10, 10, 11, 11, 11]);
    expect(foldsOf(single(103), 10, rng)).not.toEqual(first);
    expect(foldsOf(single(103), 10, seededRng(1))).toEqual(first);
  });

  test('keeps clusters whole, leaves no fold empty, and fills them about evenly', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 40 });
    const law = fc.property(sizes, fc.integer({ min: 2, max: 12 }), fc.integer(), (all, wanted, seed) => {
      const clusters = Uint32Array.from(all.flatMap((size, cluster) => new Array<number>(size).fill(cluster)));
      const folds = Math.min(wanted, all.length);
      const found = foldsOf(clusters, folds, seededRng(seed));
      const foldsByCluster = all.map((_, cluster) => new Set(found.filter((_, item) => clusters[item] === cluster)));
      expect(foldsByCluster.every(({ size }) => size === 1)).toBe(true);
      expect(counts(found).filter((count) => count > 0)).toHaveLength(folds);
      expect(Array.from(clusterSizes(clusters))).toEqual(all);
      const filled = counts(found);
      expect(Math.max(...filled) - Math.min(...filled)).toBeLessThanOrEqual(Math.max(...all));
    });
    fc.assert(law, { seed: 42 });
  });

  test('puts an item into each fold equally often', () => {
    const rng = seededRng(7);
    const seen = new Array<number>(5).fill(0);
    for (let round = 0; round < 5000; round++) {
      const fold = foldsOf(single(20), 5, rng)[3] as number;
      seen[fold] = (seen[fold] as number) + 1;
    }
    // Chi-squared with four degrees of freedom: 18.5 is passed once in a thousand.
    expect(seen.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(18.5);
  });

  test('refuses more folds than clusters, and a single fold', () => {
    expect(() => foldsOf(single(3), 4, seededRng(1))).toThrow(
      new RangeError('foldsOf requires folds in 2..3, the number of clusters, got 4'),
    );
    expect(() => foldsOf(single(3), 1, seededRng(1))).toThrow(RangeError);
    expect(() => foldsOf(new Uint32Array(0), 2, seededRng(1))).toThrow(RangeError);
  });
});
