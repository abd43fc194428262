import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdColumn, cutIds, hashesOf, hashOf, type IdText } from '../../src/model/id-column.js';

function textOf(ids: readonly string[]): IdText {
  return { text: ids.join(''), lengths: Uint32Array.from(ids, ({ length }) => length) };
}

describe('a column of ids', () => {
  it('is a list of texts, however they came', () => {
    const id = fc.string({ maxLength: 5, unit: fc.constantFrom('a', 'b', 'é', '\u{1f600}') });
    const step = fc.oneof(
      fc.record({ push: id }),
      fc.record({ append: fc.array(id, { maxLength: 20 }), from: fc.nat({ max: 20 }), to: fc.nat({ max: 20 }) }),
      fc.record({ shrink: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.constant('pack' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (steps, places) => {
        const column = createIdColumn();
        let expected: string[] = [];
        for (const each of steps) {
          if (each === 'pack') {
            const packed = column.pack();
            expect(cutIds(packed)).toEqual(expected);
            expect([...hashesOf(packed)]).toEqual(expected.map((text) => hashOf(text)));
            column.append(packed, 0, expected.length);
          } else if ('push' in each) {
            column.push(each.push);
            expected.push(each.push);
          } else if ('append' in each) {
            const to = Math.min(each.to, each.append.length);
            const from = Math.min(each.from, to);
            column.append(textOf(each.append), from, to);
            expected.push(...each.append.slice(from, to));
          } else {
            const kept = Math.floor(each.shrink * expected.length);
            column.shrinkTo(kept);
            expected = expected.slice(0, kept);
          }
          expect(column.length).toBe(expected.length);
          const at = expected.length === 0 ? 0 : (places.next().value as number) % expected.length;
          if (expected.length > 0) expect(column.at(at)).toBe(expected[at]);
        }
        expect(expected.map((_, index) => column.at(index))).toEqual(expected);
      }),
      { numRuns: 300, seed: 21 },
    );
  });
});
