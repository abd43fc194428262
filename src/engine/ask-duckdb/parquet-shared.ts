import { toAtoms } from '../../model/atoms.js';
import { LIMITS, METRICS } from '../../model/limits.js';
import type { Run } from '../../model/run.js';
import type { Database } from '../duckdb.js';
import { type MakeRun, membersOf, RowFault, saysPassesRecorded } from '../run-facts.js';
import type { Bulk, BulkType } from './bulk.js';

/** What runs of a file share, each read once by the reader of records. */
const SHARED: readonly (readonly [string, BulkType])[] = [
  ['code', 'INTEGER'],
  ['status', 'VARCHAR'],
  ['verdict', 'VARCHAR'],
  ['claim', 'VARCHAR'],
  ['reason', 'VARCHAR'],
  ['recorded', 'INTEGER'],
  ...METRICS.map((metric) => [`stated_${metric}`, 'BIGINT'] as const),
  ...LIMITS.map((limit) => [`under_${limit}`, 'BIGINT'] as const),
];
const LABELS: readonly (readonly [string, BulkType])[] = [
  ['code', 'INTEGER'],
  ['place', 'BIGINT'],
  ['label', 'VARCHAR'],
  ['value', 'VARCHAR'],
];
const PLACES = new Map(SHARED.map(([name], place) => [name, place]));

/** The statements that make the tables `file_shared` and `file_labels`. */
export function sharedTablesSql(): string[] {
  const made = (table: string, columns: typeof SHARED): string =>
    `CREATE TABLE ${table} (${columns.map((column) => column.join(' ')).join(', ')})`;
  return [made('file_shared', SHARED), made('file_labels', LABELS)];
}

/**
 * Reads what runs share into these tables, each under a code that `file_rests` keeps with its hash.
 *
 * @returns false where some of it is no part of a run record
 */
export async function readShared(database: Database, rests: string, path: string, make: MakeRun): Promise<boolean> {
  await database.run(`CREATE TABLE file_rests AS SELECT CAST(row_number() OVER () AS INTEGER) AS code, *
    FROM (${rests}) AS t(rest, json)`);
  const reading = await database.connect();
  const shared = database.bulk(
    'file_shared',
    SHARED.map(([, type]) => type),
  );
  const labels = database.bulk(
    'file_labels',
    LABELS.map(([, type]) => type),
  );
  try {
    for await (const chunk of reading.chunks('SELECT code, json FROM file_rests')) {
      const codes = chunk.ints(0);
      for (const [row, json] of chunk.texts(1).entries()) {
        const run = runOf(json as string, path, make);
        if (run === null) return false;
        append(run, codes[row] as number, saysPassesRecorded(json as string), shared, labels);
      }
    }
    return true;
  } finally {
    shared.close();
    labels.close();
    reading.close();
  }
}

function runOf(json: string, file: string, make: MakeRun): Run | null {
  try {
    const run = make({ ...membersOf(json), id: 'run', passes: null }, { file, line: null });
    return 'kind' in run ? null : run;
  } catch (error) {
    if (error instanceof RowFault) return null;
    throw error;
  }
}

function append(run: Run, code: number, isRecorded: boolean, shared: Bulk, labels: Bulk): void {
  const number = (name: string, value: number | null | undefined): void => {
    if (value !== null && value !== undefined) shared.number(PLACES.get(name) as number, value);
  };
  const text = (name: string, value: string | null): void => {
    if (value !== null) shared.text(PLACES.get(name) as number, value);
  };
  number('code', code);
  text('status', run.status);
  text('verdict', run.check);
  text('claim', run.claim);
  text('reason', run.reason);
  number('recorded', Number(isRecorded));
  for (const metric of METRICS) number(`stated_${metric}`, run.totals?.[metric]);
  for (const limit of LIMITS) {
    const cap = run.recordedUnder.get(limit);
    if (cap !== undefined) number(`under_${limit}`, toAtoms(limit, cap));
  }
  shared.endRow();
  let place = 0;
  for (const [label, value] of run.labels) {
    labels.number(0, code);
    labels.number(1, place++);
    labels.text(2, label);
    labels.text(3, value);
    labels.endRow();
  }
}
