import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import type { Json } from '../../src/model/json.js';
import { fromPlain, toPlain } from '../../src/model/plain.js';
import { createRunTable, type PackedTable, type RunTable } from '../../src/model/table.js';
import { runRecords } from '../arbitraries.js';

/** Texts, those that begin as the marks do among them. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string().map((text) => `\u0000${text}`),
  fc.constantFrom('\u0000u8:AAAA', '\u0000f64:', '\u0000inf', '\u0000s', '\u0000s\u0000s', '\ud800', '__proto__'),
);
const arrays = fc.oneof(
  fc.uint8Array(),
  fc.uint16Array(),
  fc.uint32Array(),
  fc.float64Array({ noNaN: true }),
  fc.integer({ min: 8_000, max: 30_000 }).map((length) => Uint8Array.from({ length }, (_, at) => at)),
);
const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e300 }), fc.constant(Number.POSITIVE_INFINITY));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(texts, arrays, numbers, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('plain text', () => {
  test('holds every value that a packed table is made of', () => {
    fc.assert(
      fc.property(values, (value) => {
        // JSON has one zero.
        expect(fromPlain(toPlain(value))).toEqual(positive(value));
      }),
      { numRuns: 300 },
    );
  });

  test('holds a part of a longer array as what it is', () => {
    const whole = Uint16Array.from([1, 2, 3, 65_535]);
    expect(fromPlain(toPlain(whole.subarray(1, 3)))).toEqual(Uint16Array.from([2, 3]));
  });

  test('refuses an array that it could not read back', () => {
    expect(() => toPlain(new Int8Array(2))).toThrow(new TypeError('no such array can be packed'));
  });

  test('is no more than JSON: a text that is none is refused', () => {
    expect(() => fromPlain('{')).toThrow(SyntaxError);
  });

  test('carries a table of runs: the same runs come out', () => {
    fc.assert(
      fc.property(runRecords, (records) => {
        const tableOf = (): RunTable => {
          const table = createRunTable();
          for (const [at, record] of records.entries())
            table.add(runOfRecord(record as unknown as Json, { file: 'a', line: at + 1 }));
          return table;
        };
        const read = createRunTable();
        read.unpack(fromPlain(toPlain(tableOf().pack())) as PackedTable, 0);
        expect([...read]).toEqual([...tableOf()]);
      }),
    );
  });
});

function positive(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(positive);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, positive(each)]));
}
