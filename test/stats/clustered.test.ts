import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clusteredInterval } from '../../src/stats/clustered.js';
import { clopperPearson } from '../../src/stats/interval.js';
import { worstRelativeError } from './reference.js';

interface Reference {
  readonly intervals: readonly {
    readonly hits: number[];
    readonly sizes: number[];
    readonly confidence: number;
    readonly low: number;
    readonly high: number;
  }[];
}

/** What scipy says; made by scripts/reference-clustered.py. */
const { intervals } = JSON.parse(
  readFileSync(new URL('../reference/clustered.json', import.meta.url), 'utf8'),
) as Reference;

describe('clusteredInterval', () => {
  test('agrees with scipy at the effective size', () => {
    const pairs = intervals.flatMap(({ hits, sizes, confidence, low, high }) => {
      const ours = clusteredInterval(hits, sizes, confidence);
      return [[ours.low, low] as const, [ours.high, high] as const];
    });
    expect(pairs).toHaveLength(48);
    expect(worstRelativeError(pairs)).toBeLessThan(1e-10);
  });

  test('is about Clopper and Pearson where every item is its own cluster, and never narrower', () => {
    const hits = Array.from({ length: 310 }, (_, index) => (index < 3 ? 1 : 0));
    const ours = clusteredInterval(
      hits,
      hits.map(() => 1),
    );
    const exact = clopperPearson(3, 310);
    expect(ours.low).toBeLessThanOrEqual(exact.low);
    expect(ours.high).toBeGreaterThanOrEqual(exact.high);
    expect(ours.high / exact.high).toBeLessThan(1.002);
  });

  test('is wider where all that is counted lies in few clusters', () => {
    const spread = clusteredInterval([1, 1, 1, 1, 1, 1, 0, 0, 0, 0], new Array(10).fill(20));
    const heaped = clusteredInterval([6, 0, 0, 0, 0, 0, 0, 0, 0, 0], new Array(10).fill(20));
    expect(heaped.high).toBeGreaterThan(1.5 * spread.high);
    expect(heaped.low).toBeLessThan(spread.low);
  });

  test('with nothing counted the clusters are the sample', () => {
    expect(clusteredInterval([0, 0, 0], [9, 9, 9])).toEqual(clopperPearson(0, 3));
    expect(clusteredInterval([9, 9, 9], [9, 9, 9])).toEqual(clopperPearson(3, 3));
  });

  test('refuses counts that cannot be', () => {
    expect(() => clusteredInterval([], [])).toThrow(RangeError);
    expect(() => clusteredInterval([2], [1])).toThrow(
      new RangeError('clusteredInterval requires counts within clusters, got 2 of 1'),
    );
    expect(() => clusteredInterval([Number.NaN], [1])).toThrow(RangeError);
    expect(() => clusteredInterval([1, 1], [1])).toThrow(RangeError);
  });
});
