import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ascendingOf, countAbove, middleOf } from '../../src/stats/ascending.js';
import { median } from '../../src/stats/summary.js';

const someValues = fc.array(fc.nat(12), { maxLength: 40 });

describe('Ascending', () => {
  test('counts of values stand for the sorted values themselves', () => {
    fc.assert(
      fc.property(someValues, (values) => {
        const counts = new Map<number, number>();
        for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
        const ascending = ascendingOf(counts);
        const sorted = Float64Array.from(values).sort();
        expect(ascending.length).toBe(sorted.length);
        expect(Array.from({ length: sorted.length + 2 }, (_, index) => ascending.at(index))).toStrictEqual(
          Array.from({ length: sorted.length + 2 }, (_, index) => sorted[index]),
        );
      }),
    );
  });

  test('values above a limit and the middle are those of the plain list', () => {
    fc.assert(
      fc.property(someValues, fc.nat(13), (values, limit) => {
        const sorted = Float64Array.from(values).sort();
        expect(countAbove(sorted, limit)).toBe(values.filter((value) => value > limit).length);
        expect(middleOf(sorted)).toBe(median(values));
      }),
    );
  });

  test('what knows how many lie above is asked, not searched', () => {
    const values = { length: 3, at: () => undefined, above: () => 2 };
    expect(countAbove(values, 5)).toBe(2);
  });
});
