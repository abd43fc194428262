import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlaces, type PlacedIds } from '../../src/cli/places.js';
import { createIdColumn, hashesOf } from '../../src/model/id-column.js';
import type { Place } from '../../src/model/problem.js';

function placed(names: readonly string[]): PlacedIds {
  const column = createIdColumn();
  for (const name of names) column.push(name);
  const ids = column.pack();
  return { ids, hashes: hashesOf(ids), file: 'c', lineOf: (at) => (at === 0 ? null : at) };
}

describe('the places of run ids', () => {
  it('are those of a map that keeps the first', () => {
    const id = fc.oneof(fc.nat({ max: 3000 }).map(String), fc.string({ maxLength: 3 }));
    const step = fc.oneof(
      {
        weight: 50,
        arbitrary: fc.record({ id, file: fc.constantFrom('a', 'b'), line: fc.option(fc.integer({ min: 1 })) }),
      },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
      { weight: 3, arbitrary: fc.uniqueArray(id, { maxLength: 200 }) },
      { weight: 1, arbitrary: fc.array(id, { maxLength: 200 }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), (steps) => {
        const places = createPlaces();
        let expected: [string, Place][] = [];
        let known = new Map<string, Place>();
        for (const each of steps) {
          if (typeof each === 'number') {
            expected = expected.slice(0, Math.floor(each * expected.length));
            known = new Map(expected);
            places.shrinkTo(expected.length);
            continue;
          }
          if (Array.isArray(each)) {
            const first = each.findIndex((name, at) => known.has(name) || each.indexOf(name) < at);
            const those = each.slice(0, first === -1 ? each.length : first);
            expect(places.claimAll(placed(each), 0, each.length)).toBe(those.length);
            for (const [at, name] of those.entries()) {
              const place = { file: 'c', line: at === 0 ? null : at };
              known.set(name, place);
              expected.push([name, place]);
            }
            continue;
          }
          const place = { file: each.file, line: each.line };
          expect(places.claim(each.id, place.file, place.line)).toEqual(known.get(each.id) ?? null);
          if (!known.has(each.id)) {
            known.set(each.id, place);
            expected.push([each.id, place]);
          }
        }
        expect(places.size).toBe(known.size);
        for (const [each, place] of known) expect(places.get(each)).toEqual(place);
        expect(places.get('no such id')).toBeNull();
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});
