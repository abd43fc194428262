import { parseJson } from '../model/json.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { type Database, sqlTable } from './duckdb.js';
import { COUNTS, type Columns, problemOf } from './parquet-columns.js';
import { callSql, passSql, restSql, textSql, timeSql } from './parquet-sql.js';
import type { MakeRun } from './run-facts.js';
import { finishRun, openRun, type Row, type RowsOfRun, takeRow } from './run-rows.js';

/**
 * Every run of a file that has the columns, one after the other in the order of their first rows, or what is wrong with
 * it. This is the reader whose word counts: the scan of plain files hands over to it wherever it is not sure.
 */
export async function* readRows(
  database: Database,
  path: string,
  columns: Columns,
  make: MakeRun,
): AsyncGenerator<Run | Problem> {
  const id = columns.find('run_id')?.sql as string;
  const { rows, named, runs, stretches } = await countRows(database, path, id);
  if (rows === 0) {
    yield { ...problemOf(path, 'the table has no rows', 'was the recording written to the end?'), isEmptySource: true };
    return;
  }
  if (named < rows) {
    yield problemOf(path, `run_id is not known in ${rows - named} of ${rows} rows`, 'name the run of every row');
    return;
  }
  // Sorted only where it must be: rows that stand together are read as they come, whatever the size of the file.
  const inOrder = runs === stretches ? '' : ` ORDER BY min(file_row_number) OVER (PARTITION BY ${id}), file_row_number`;
  const sql = `SELECT ${rowSql(columns)} FROM ${sqlTable(path)}${inOrder}`;
  let open: RowsOfRun | null = null;
  for await (const chunk of database.chunks(sql)) {
    const [ids, starts, rests] = [chunk.texts(0), chunk.texts(1), chunk.texts(2)];
    const [numbers, passes, calls] = [chunk.texts(3), chunk.texts(4), chunk.texts(5)];
    for (let at = 0; at < chunk.size; at++) {
      const row: Row = {
        id: ids[at] as string,
        started: starts[at] ?? null,
        rest: rests[at] as string,
        number: numbers[at] ?? null,
        pass: passes[at] as string,
        call: calls[at] as string,
      };
      if (open === null || open.first.id !== row.id) {
        if (open !== null) yield finishRun(open, path, make);
        open = openRun(row);
      }
      takeRow(open, row);
    }
  }
  if (open !== null) yield finishRun(open, path, make);
}

function rowSql(columns: Columns): string {
  return [
    textSql(columns.find('run_id')),
    timeSql(columns.find('started_at')),
    restSql(columns),
    textSql(columns.find('pass')),
    passSql(columns, [...COUNTS, 'seconds', 'usd']),
    callSql(columns),
  ].join(', ');
}

interface Counts {
  readonly rows: number;
  /** Rows that name a run. */
  readonly named: number;
  readonly runs: number;
  /** Stretches of rows of one run: as many as runs where the rows of each stand together. */
  readonly stretches: number;
}

async function countRows(database: Database, path: string, id: string): Promise<Counts> {
  const counts = `count(*), count(${id}), count(DISTINCT ${id}), count(*) FILTER (WHERE before IS DISTINCT FROM ${id})`;
  const sql = `SELECT CAST([${counts}] AS VARCHAR) FROM (SELECT ${id}, lag(${id}) OVER () AS before FROM ${sqlTable(path)})`;
  for await (const chunk of database.chunks(sql)) {
    const [rows, named, runs, stretches] = parseJson(chunk.texts(0)[0] as string) as number[];
    return { rows: rows ?? 0, named: named ?? 0, runs: runs ?? 0, stretches: stretches ?? 0 };
  }
  return { rows: 0, named: 0, runs: 0, stretches: 0 };
}
