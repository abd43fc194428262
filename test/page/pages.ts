import { runOfRecord } from '../../src/formats/record.js';
import type { Json } from '../../src/model/json.js';
import { createRunTable, type RunTable } from '../../src/model/table.js';
import { createReplayer, type HeldRun } from '../../src/page/replayer.js';

/** A table of the runs of these records. */
export function tableOf(records: readonly object[]): RunTable {
  const table = createRunTable();
  for (const [at, record] of records.entries())
    table.add(runOfRecord(JSON.parse(JSON.stringify(record)) as Json, { file: 'runs.jsonl', line: at + 1 }));
  return table;
}

/** The runs of these records as a page holds them. */
export function heldOf(records: readonly object[]): readonly HeldRun[] {
  return createReplayer(tableOf(records)).runs;
}

/** That many records of runs with so many passes each, all of one kind. */
export function recordsOf(sizes: readonly number[], kind: object = {}): object[] {
  return sizes.map((size, at) => ({
    ...{ id: `run-${size}-${at}`, status: 'done_verified', check: 'passed' },
    ...kind,
    passes: Array.from({ length: size }, () => ({ input_tokens: 90, output_tokens: 10, seconds: 0.5 })),
  }));
}
