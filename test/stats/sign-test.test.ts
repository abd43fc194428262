import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { signTest } from '../../src/stats/sign-test.js';

/** What scipy says; made by scripts/reference-bootstrap.py. */
const { signs } = JSON.parse(readFileSync(new URL('../reference/bootstrap.json', import.meta.url), 'utf8')) as {
  readonly signs: readonly { one: number; other: number; p: number }[];
};

describe('signTest(one, other)', () => {
  test.each(signs.map(({ one, other, p }) => [one, other, p] as const))(
    'of %d and %d is %d, as scipy says',
    (one, other, p) => {
      expect(signTest(one, other)).toBeCloseTo(p, 12);
      expect(signTest(other, one)).toBe(signTest(one, other));
    },
  );

  test('equals the sum over all splits at least as uneven', () => {
    for (let pairs = 1; pairs <= 16; pairs++) {
      const ways = Array.from({ length: pairs + 1 }, (_, k) => choose(pairs, k));
      for (let one = 0; one <= pairs; one++) {
        const uneven = ways.reduce(
          (sum, count, k) => (Math.abs(2 * k - pairs) >= Math.abs(2 * one - pairs) ? sum + count : sum),
          0,
        );
        expect(signTest(one, pairs - one)).toBeCloseTo(uneven / 2 ** pairs, 12);
      }
    }
  });

  test('of nothing does not exist, and refuses what is no count', () => {
    expect(signTest(0, 0)).toBeNull();
    for (const count of [-1, 0.5, Number.NaN]) expect(() => signTest(count, 1)).toThrow('whole counts');
  });
});

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k;
}
