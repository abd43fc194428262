import type { Depth } from '../model/depth.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { type Database, EngineError, openDatabase } from './duckdb.js';
import { type Columns, columnsOf, problemOf } from './parquet-columns.js';
import { readRows } from './parquet-rows.js';
import { type PlainSink, scanPlain } from './parquet-scan.js';
import { plainSql } from './plain-sql.js';
import type { MakeRun } from './run-facts.js';

/** Who takes what is read of a Parquet file, run by run in the order of their first rows. */
export interface ParquetSink extends PlainSink {
  /** A run that could not be taken in columns, with all that is kept of it, or a bad one. */
  takeItem(item: Run | Problem): void;
}

/**
 * Reads a Parquet file with one row a pass into columns: by a scan as long as the runs are in perfect order, then run by
 * run. What is read is the same either way.
 *
 * @param make makes the run of a run record
 * @param depth what is needed; what lies deeper is neither fetched nor looked over: contents of calls are then unknown
 * @throws EngineError where the client is not installed, or a row names no run; other faults are handed over
 */
export async function readParquet(
  path: string,
  make: MakeRun,
  sink: ParquetSink,
  depth: Depth = 'calls',
): Promise<void> {
  const database = await openDatabase();
  try {
    const columns = await columnsOf(database, path);
    if ('kind' in columns) sink.takeItem(columns);
    else await readAll(database, path, columns, make, sink, depth);
  } catch (error) {
    sink.takeItem(faultOf(error, path));
  } finally {
    database.close();
  }
}

/**
 * The whole runs of a Parquet file, one at a time, and bad ones as problems.
 *
 * @throws EngineError as `readParquet`
 */
export async function* runsOfParquet(path: string, make: MakeRun): AsyncGenerator<Run | Problem> {
  const database = await openDatabase();
  try {
    const columns = await columnsOf(database, path);
    if ('kind' in columns) yield columns;
    else yield* readRows(database, path, columns, make);
  } catch (error) {
    yield faultOf(error, path);
  } finally {
    database.close();
  }
}

async function readAll(
  database: Database,
  path: string,
  columns: Columns,
  make: MakeRun,
  sink: ParquetSink,
  depth: Depth,
): Promise<void> {
  const sql = plainSql(path, columns, depth);
  const { taken, isWhole } = sql === null ? NONE : await scanPlain(database, { path, sql, make, depth }, sink);
  if (isWhole && taken > 0) return;
  let passedOver = 0;
  for await (const item of readRows(database, path, columns, make)) {
    if (passedOver < taken) passedOver++;
    else sink.takeItem(item);
  }
}

const NONE = { taken: 0, isWhole: false };

/** What the database says of a file, as a fault of that file; what it says of itself is thrown on. */
function faultOf(error: unknown, path: string): Problem {
  if (!(error instanceof EngineError) || error.isMissing) throw error;
  return problemOf(
    path,
    `the file cannot be read as Parquet (${error.message})`,
    'was it copied whole? DuckDB can say more',
  );
}
