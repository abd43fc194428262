import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { DERIVE_DEFAULTS } from '../../src/calibrate/options.js';
import { runOfRecord } from '../../src/formats/record.js';
import { figuresIn, wholeOf } from '../../src/model/figures.js';
import { growing } from '../../src/model/growing.js';
import type { Json } from '../../src/model/json.js';
import { createRunTable } from '../../src/model/table.js';
import { calibrate } from '../../src/replay/calibrate.js';
import { hidden } from '../../src/replay/hidden.js';
import { simulate } from '../../src/replay/simulate.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';
import { comparable } from '../formats/scan/comparable.js';

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

describe('a column that expects its chunks', () => {
  test('is the same as one that does not, whatever comes and however much', () => {
    const value = fc.oneof(
      fc.constant(-1),
      fc.nat(9),
      fc.nat(70_000),
      fc.constantFrom(2 ** 32 - 2, 2 ** 32 - 1, 2 ** 53 - 1),
    );
    const part = fc.array(value, { maxLength: 8 });
    const parts = fc.array(fc.record({ values: part, isPacked: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.nat({ max: 80 }), fc.nat(), (all, expected, at) => {
        const [column, other] = [growing(), growing()];
        column.expect(expected);
        const pushed: (number | null)[] = [];
        for (const { values, isPacked } of all) {
          const known = values.map((each) => (each < 0 ? null : each));
          for (const each of [column, other]) {
            if (isPacked) {
              const packed = growing();
              for (const one of known) packed.push(one);
              each.unpack(packed.pack());
            } else for (const one of known) each.push(one);
          }
          pushed.push(...known);
        }
        if (pushed.length > 0) expect(column.at(at % pushed.length)).toBe(pushed[at % pushed.length]);
        expect(column.length).toBe(pushed.length);
        const wide = column.sealWide();
        const told = other.sealWide();
        expect(wide === null ? null : Array.from(wide.values)).toEqual(told === null ? null : Array.from(told.values));
        expect(wide?.unknown).toBe(told?.unknown);
        expect(pushed.map((_, index) => column.at(index))).toEqual(pushed);
      }),
      { seed: 44, numRuns: 500 },
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

  test('of figures tells of whole runs what all their passes tell', () => {
    fc.assert(
      fc.property(runRecords, fc.nat(), (records, at) => {
        const runs = records.map((record, index) =>
          runOfRecord(record as unknown as Json, { file: 'a', line: index + 1 }),
        );
        const [table, part, packed] = [createRunTable('figures'), createRunTable('figures'), createRunTable('figures')];
        for (const run of runs) table.add(run);
        const cut = at % (runs.length + 1);
        part.addSpan(table, 0, cut);
        part.addSpan(table, cut, runs.length);
        packed.unpack(part.pack(), 0);
        for (const each of [table, packed]) {
          expect(each.columns().passes.length).toBe(runs.filter(({ passes }) => (passes?.length ?? 0) > 0).length);
          expect([...figuresIn(each)].map(({ id, whole, isZeroPass }) => ({ id, whole, isZeroPass }))).toEqual(
            [...figuresIn(runs)].map(({ id, whole, isZeroPass }) => ({ id, whole, isZeroPass })),
          );
          expect([...each].map((run) => wholeOf(run))).toEqual(runs.map((run) => wholeOf(run)));
          const derived = derive(runs);
          expect(derive(each)).toEqual(derived);
          expect(hidden(each, derived, DERIVE_DEFAULTS)).toEqual(hidden(runs, derived, DERIVE_DEFAULTS));
        }
      }),
      { seed: 43, numRuns: 100 },
    );
  });

  test('out of packed parts is the table of all runs, whichever part met a tool or a label first', () => {
    fc.assert(
      fc.property(runRecords, fc.nat(), fc.boolean(), (records, at, isPieced) => {
        const runs = records.map((record, index) =>
          runOfRecord(record as unknown as Json, { file: index % 2 === 0 ? 'a' : 'b', line: index + 1 }),
        );
        const cut = runs.length === 0 ? 0 : at % runs.length;
        const [whole, table, part] = [createRunTable(), createRunTable(), createRunTable()];
        for (const run of runs) whole.add(run);
        // The later runs first, so that their tools and labels are numbered in another order there.
        for (const run of runs.slice(cut)) part.add(run);
        const later = part.pack();
        for (const run of runs.slice(0, cut)) (isPieced ? part : table).add(run);
        if (isPieced) table.unpack(part.pack(), 0);
        table.unpack(later, 0);
        expect(comparable(table)).toEqual(comparable(whole));
      }),
      { seed: 43, numRuns: 300 },
    );
  });

  test('keeps apart more settings than are looked up', () => {
    const runs = Array.from({ length: 6000 }, (_, index) =>
      runOfRecord(
        { id: `run-${index}`, status: 'running', labels: { task: `t-${index % 5500}` }, passes: [] },
        { file: 'a', line: index + 1 },
      ),
    );
    const table = createRunTable();
    const part = createRunTable();
    for (const run of runs.slice(0, 100)) table.add(run);
    for (const run of runs.slice(100)) part.add(run);
    table.unpack(part.pack(), 0);
    expect([...table].map(({ labels }) => [...labels])).toEqual(runs.map(({ labels }) => [...labels]));
  });

  test('takes nothing more once its columns were asked for', () => {
    const run = runOfRecord({ id: 'a', status: 'running', passes: [{}] }, { file: 'a', line: 1 });
    const table = createRunTable();
    table.add(run);
    table.columns();
    expect(() => {
      for (let count = 0; count < 100; count++) table.add(run);
    }).toThrow('a sealed column cannot grow');
  });

  test('takes spans of another table as it takes their runs', () => {
    fc.assert(
      fc.property(runRecords, fc.array(fc.boolean(), { minLength: 1 }), (records, kept) => {
        const [other, table, expected] = [createRunTable(), createRunTable(), createRunTable()];
        expected.codeForTool('known before');
        table.codeForTool('known before');
        for (const [index, record] of records.entries())
          other.add(runOfRecord(record as unknown as Json, { file: 'a', line: index + 1 }));
        for (let run = 0; run < other.length; run++) {
          if (kept[run % kept.length] !== true) continue;
          table.addSpan(other, run, run + 1);
          expected.add(other.at(run));
        }
        table.addSpan(other, 0, other.length);
        for (const run of other) expected.add(run);
        expect(comparable(table)).toEqual(comparable(expected));
      }),
      { seed: 44, numRuns: 300 },
    );
  });
});
