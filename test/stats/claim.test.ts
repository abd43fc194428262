import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sampleSizeAtRate } from '../../src/stats/claim.js';
import { sampleSizeForMaximum, sampleSizeForShare, upperLimit } from '../../src/stats/interval.js';
import { worstRelativeError } from './reference.js';

interface Reference {
  readonly sizes: readonly { above: number; share: number; confidence: number; n: number }[];
  readonly limits: readonly { above: number; n: number; limit: number }[];
  readonly rates: readonly { part: number; fixed: number; share: number; confidence: number; n: number }[];
}

/** What scipy says; made by scripts/reference-claims.py. */
const reference = JSON.parse(readFileSync(new URL('../reference/claims.json', import.meta.url), 'utf8')) as Reference;

describe('how many runs a claim takes', () => {
  test('agrees with the binomial distribution of scipy, run by run', () => {
    const ours = reference.sizes.map((each) => ({
      ...each,
      n: sampleSizeForShare(each.above, each.share, each.confidence),
    }));
    expect(ours).toEqual(reference.sizes);
  });

  test('holds the published sizes of tolerance limits', () => {
    const published = [
      [0.1, 29],
      [0.05, 59],
      [0.02, 149],
      [0.01, 299],
    ] as const;
    expect(published.map(([share]) => [share, sampleSizeForShare(0, share)])).toEqual(published);
    expect(published.map(([share]) => [share, sampleSizeForMaximum(1 - share)])).toEqual(published);
  });

  test('agrees on the limits', () => {
    const pairs = reference.limits.map(({ above, n, limit }) => [upperLimit(above, n), limit] as const);
    expect(worstRelativeError(pairs)).toBeLessThan(1e-11);
  });
});

describe('sampleSizeAtRate', () => {
  test('agrees with scipy', () => {
    const ours = reference.rates.map((each) => ({
      ...each,
      n: sampleSizeAtRate(each.part, each.fixed, each.share, each.confidence),
    }));
    expect(ours).toEqual(reference.rates);
  });

  test('with no part it is the size for the fixed number', () => {
    for (const fixed of [0, 1, 5])
      for (const share of [0.2, 0.01]) expect(sampleSizeAtRate(0, fixed, share)).toBe(sampleSizeForShare(fixed, share));
  });

  test('has no answer where the rate is the share already, or so near that nobody records so many', () => {
    expect(sampleSizeAtRate(0.01, 0, 0.01)).toBeNull();
    expect(sampleSizeAtRate(0.02, 0, 0.01)).toBeNull();
    expect(sampleSizeAtRate(0.01 - 1e-7, 0, 0.01)).toBeNull();
  });

  test('refuses what is no share', () => {
    expect(() => sampleSizeAtRate(0, 0, 0)).toThrow(new RangeError('sampleSizeAtRate requires 0 < share < 1, got 0'));
    expect(() => sampleSizeAtRate(0, 0, 0.1, 1)).toThrow(RangeError);
    expect(() => sampleSizeAtRate(-1, 0, 0.1)).toThrow(RangeError);
    expect(() => sampleSizeAtRate(0, Number.NaN, 0.1)).toThrow(RangeError);
  });
});
