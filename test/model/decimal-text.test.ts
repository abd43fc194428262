import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText, numberText } from '../../src/model/decimal-text.js';

test('figures are written as Intl.NumberFormat writes them', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e7, max: 1e7, noNaN: true }),
    fc.integer(),
    fc
      .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.nat({ max: 6 }))
      .map(([n, places]) => n / 10 ** places),
    fc.constantFrom(0, -0, 0.5, 1.5, 2.5, 0.05, 0.005, -0.004, 999.995, 999_999.5, 1e21, 5e-7, 1.005, 8.345),
  );
  const places = fc
    .tuple(fc.nat({ max: 3 }), fc.nat({ max: 6 }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(value, places, (number, [least, most]) => {
      const options = { minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: 'negative' } as const;
      expect(decimalText(number, least, most)).toBe(new Intl.NumberFormat('en-US', options).format(number));
    }),
    { seed: 11, numRuns: 3000 },
  );
});

test('a number in a sentence is what toLocaleString writes, but for the sign of zero', () => {
  const value = fc.oneof(
    fc.nat(),
    fc.maxSafeInteger(),
    fc.double({ min: 0, max: 1e7, noNaN: true }),
    fc.constantFrom(0, 999, 1000, 999_999, 1_000_000, 1e21, 1234.5675, Number.POSITIVE_INFINITY, Number.NaN),
  );
  fc.assert(
    fc.property(value, (number) => {
      expect(numberText(number)).toBe(number.toLocaleString('en-US'));
    }),
    { seed: 12, numRuns: 3000 },
  );
});
