import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDecimals,
  ceilToMultiple,
  compare,
  decimalOf,
  type Fraction,
  multiply,
  parseDecimal,
  roundHalfEven,
  toDecimalText,
  toNumber,
} from '../../src/model/decimal.js';

const whole = (n: number): Fraction => ({ num: BigInt(n), den: 1n });

describe('parseDecimal(text)', () => {
  test.each([
    ['0.99', { num: 99n, den: 100n }],
    ['1.20', { num: 120n, den: 100n }],
    ['5e-7', { num: 5n, den: 10_000_000n }],
    ['1.5e3', { num: 1500n, den: 1n }],
    ['-3', { num: -3n, den: 1n }],
    ['.5', { num: 5n, den: 10n }],
    ['5.', { num: 5n, den: 1n }],
  ])('%s', (text, expected) => {
    expect(compare(parseDecimal(text) as Fraction, expected)).toBe(0);
  });

  test.each([
    [0.1, 0.2, 0.3],
    [0.00525, 5e-10, 0.0052500005],
    [1e-9, 1, 1.000000001],
    [0, 0, 0],
  ])('%d and %d are %d', (a, b, sum) => {
    expect(addDecimals(a, b)).toBe(sum);
  });

  test.each(['', '.', '1,5', 'NaN', 'Infinity', '0x10', '1e99999', '--1', '1 2'])('%j is no decimal', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });
});

describe('ceilToMultiple(value, unit)', () => {
  test('10 x 1.1 is 11, not 12', () => {
    expect(toNumber(ceilToMultiple(multiply(whole(10), decimalOf(1.1)), whole(1)))).toBe(11);
  });

  test('rounds every value of 1..2000 by every usual padding as exact arithmetic does', () => {
    for (const [padding, hundredths] of [
      ['1.0', 100],
      ['1.05', 105],
      ['1.1', 110],
      ['1.15', 115],
      ['1.2', 120],
      ['1.25', 125],
      ['1.3', 130],
      ['1.5', 150],
    ] as const) {
      const factor = parseDecimal(padding) as Fraction;
      for (let value = 1; value <= 2000; value++) {
        // Whole hundredths are exact in doubles at this size: this is the arithmetic of paper and pencil.
        const product = value * hundredths;
        const expected = product % 100 === 0 ? product / 100 : (product - (product % 100)) / 100 + 1;
        const rounded = toNumber(ceilToMultiple(multiply(whole(value), factor), whole(1)));
        if (rounded !== expected) expect({ value, padding, rounded }).toEqual({ value, padding, rounded: expected });
      }
    }
  });
});

describe('roundHalfEven(value)', () => {
  test('takes the nearest whole number, ties to the even one', () => {
    const values = [0, 0.4, 0.5, 0.6, 1.5, 2.5, 2.51, 3.5].map((value) => Number(roundHalfEven(decimalOf(value))));
    expect(values).toEqual([0, 0, 0, 1, 2, 2, 3, 4]);
  });
});

describe('toDecimalText(value)', () => {
  test('gives back what was parsed, for any decimal', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat({ max: 12 }), (digits, places) => {
        const value = { num: digits, den: 10n ** BigInt(places) };
        const text = toDecimalText(value) as string;
        expect(compare(parseDecimal(text) as Fraction, value)).toBe(0);
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  test('is null where the expansion does not end', () => {
    expect(toDecimalText({ num: 1n, den: 3n })).toBeNull();
  });
});
