import { describe, expect, it } from 'vitest';
import { whole } from '../../../src/engine/ask/words.js';

describe('a whole number in SQL', () => {
  it('is itself up to what 64 bits hold with room to spare, and beyond that above all figures', () => {
    expect(whole(0)).toBe('CAST(0 AS BIGINT)');
    expect(whole(10_750_966_920_000_000)).toBe('CAST(10750966920000000 AS BIGINT)');
    expect(whole(1e300)).toBe(whole(2 ** 60));
  });

  it('is nothing else', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => whole(value)).toThrow(RangeError);
  });
});
