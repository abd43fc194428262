import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import { growing } from '../../src/model/growing.js';
import type { Json } from '../../src/model/json.js';
import { createRunTable } from '../../src/model/table.js';
import { calibrate } from '../../src/replay/calibrate.js';
import { simulate } from '../../src/replay/simulate.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';

describe('growing()', () => {
  test('gives back what was pushed, whatever the size and the gaps', () => {
    const values = fc.oneof(
      fc.constant(null),
      fc.nat(9),
      fc.nat(300),
      fc.nat(),
      fc.constantFrom(0, 254, 255, 256, 65_534, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1),
    );
    fc.assert(
      fc.property(fc.array(values, { maxLength: 60 }), fc.nat({ max: 40_000 }), (pushed, gap) => {
        const column = growing();
        const expected = [...pushed, ...Array(gap).fill(null), ...pushed];
        for (const value of expected) column.push(value);
        expect(column.length).toBe(expected.length);
        for (const [index, value] of expected.entries())
          if (column.at(index) !== value) expect([index, column.at(index)]).toEqual([index, value]);
      }),
      { seed: 42, numRuns: 60 },
    );
  });
});

describe('RunTable', () => {
  test('runs out of a table count and replay like the runs put in', () => {
    fc.assert(
      fc.property(runRecords, policyRecords, (records, fields) => {
        const runs = records.map((record, index) =>
          runOfRecord(record as unknown as Json, { file: 'a', line: index + 1 }),
        );
        const table = createRunTable();
        for (const run of runs) table.add(run);
        expect([...table].map(({ passes: _, blocker: _b, evidence: _e, extra: _x, ...rest }) => rest)).toEqual(
          runs.map(({ passes: _, blocker: _b, evidence: _e, extra: _x, ...rest }) => rest),
        );
        const made = policy(fields);
        expect(simulate(table, made, { by: ['kind'] })).toEqual(simulate(runs, made, { by: ['kind'] }));
        expect(calibrate(table, { by: ['kind'] }).report).toEqual(calibrate(runs, { by: ['kind'] }).report);
      }),
      { seed: 42, numRuns: 60 },
    );
  });
});
