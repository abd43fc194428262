import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Database, openDatabase } from '../../src/engine/duckdb.js';
import { runsOfParquet } from '../../src/engine/parquet-read.js';
import type { MakeRun } from '../../src/engine/run-facts.js';
import { orProblem } from '../../src/formats/format.js';
import { runOfRecord } from '../../src/formats/record.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';

/** Whether DuckDB's Node client is there: it is optional, and what needs it is skipped where it is not installed. */
export const hasClient: boolean = await openDatabase().then(
  (database) => {
    database.close();
    return true;
  },
  () => false,
);
export const NEEDS_CLIENT = "skipped where DuckDB's Node client is not installed";

/** The reader of run records, as the commands hand it in. */
export const makeRun: MakeRun = (record, origin) =>
  orProblem(origin.file, origin.line, null, () => runOfRecord(record, origin));

/** A folder for the files of one test file, removed at its end. */
export function scratch(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-parquet-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Asks the database, as whoever makes files with it does. */
export async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase();
  try {
    await use(database);
  } finally {
    database.close();
  }
}

/** Makes a Parquet file of what a query selects. */
export async function makeFile(path: string, query: string): Promise<string> {
  await withDatabase((database) => database.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`));
  return path;
}

export async function readWhole(path: string): Promise<(Run | Problem)[]> {
  const items: (Run | Problem)[] = [];
  for await (const item of runsOfParquet(path, makeRun)) items.push(item);
  return items;
}
