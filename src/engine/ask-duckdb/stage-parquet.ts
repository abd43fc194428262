import { type Database, EngineError } from '../duckdb.js';
import { columnsOf } from '../parquet-columns.js';
import { plainSql } from '../plain-sql.js';
import type { MakeRun } from '../run-facts.js';
import { askedOf } from './faults.js';
import { readShared, sharedTablesSql } from './parquet-shared.js';
import {
  callsOfFileSql,
  countsSql,
  NOT_PLAIN,
  type ParquetSource,
  partsSql,
  passesOfFileSql,
  runsOfFileSql,
  toolsOfFileSql,
} from './parquet-sql.js';
import type { Stage } from './stage.js';

/**
 * Puts the runs of a Parquet file with one row a pass behind those of the stage, by statements alone.
 *
 * @param path as the database takes it: a file, or an address that it can read from
 * @param make makes the run of a run record
 * @returns false where the file is to be read by the reader of records, which says what is wrong with it if anything is;
 * nothing of it has been put in then
 * @throws EngineError where the database cannot go on
 */
export async function stageParquet(stage: Stage, path: string, make: MakeRun): Promise<boolean> {
  const { database } = stage;
  try {
    const columns = await columnsOf(database, path);
    const sql = 'kind' in columns ? null : plainSql(path, columns, 'calls');
    if ('kind' in columns || sql === null) return false;
    const known = { sql, columns, runsBefore: stage.runs };
    const [calls = 0, ...lacks] = await numbersOf(database, countsSql(known));
    const lacking = new Set((['tokens', 'seconds', 'usd'] as const).filter((_, at) => lacks[at] !== 0));
    const source = { ...known, calls, lacking };
    return await inTurn(stage, source, path, make);
  } catch (error) {
    if (error instanceof EngineError && error.message.includes(NOT_PLAIN)) return false;
    throw error instanceof EngineError ? askedOf(error) : error;
  }
}

/**
 * An id that two runs of the stage share, `null`: none does. Those that were put in by statements are in no reader's
 * list of ids, so that this is to be asked when runs have come both ways.
 *
 * @throws EngineError
 */
export async function repeatedIdIn({ database }: Stage): Promise<string | null> {
  try {
    const sql = 'SELECT id FROM runs GROUP BY id HAVING count(*) > 1 ORDER BY min(ord) LIMIT 1';
    for await (const chunk of database.chunks(sql)) return chunk.texts(0)[0] ?? null;
    return null;
  } catch (error) {
    throw error instanceof EngineError ? askedOf(error) : error;
  }
}

async function inTurn(stage: Stage, source: ParquetSource, path: string, make: MakeRun): Promise<boolean> {
  const { database } = stage;
  try {
    for (const sql of sharedTablesSql()) await database.run(sql);
    await database.run(`CREATE TABLE file_parts AS ${partsSql(source)}`);
    const runs = await numberOf(database, 'SELECT count(*) FROM file_parts');
    if (runs === 0 || !(await areInOrder(database)) || !(await haveTimes(database))) return false;
    if (!(await readShared(database, source.sql.rests, path, make))) return false;
    const tools = await toolsOf(stage, source);
    if (tools === null) return false;
    await fill(database, source);
    stage.note(runs, tools);
    return true;
  } finally {
    for (const table of ['file_parts', 'file_rests', 'file_shared', 'file_labels', 'file_runs']) {
      await database.run(`DROP TABLE IF EXISTS ${table}`);
    }
  }
}

/** Passes and calls each go along the file on one core, and so at the same time. */
async function fill(database: Database, source: ParquetSource): Promise<void> {
  await database.run(`CREATE TABLE file_runs AS SELECT p.ord, p.id, r.code FROM file_parts AS p
    JOIN file_rests AS r ON r.rest = p.rest`);
  const other = await database.connect();
  try {
    await insert([
      [database, [`INSERT INTO passes ${passesOfFileSql(source)}`]],
      [other, [`INSERT INTO calls ${callsOfFileSql(source)}`]],
    ]);
  } finally {
    other.close();
  }
  const own = [
    `INSERT INTO tools SELECT * FROM (${toolsOfFileSql(source)}) AS t(code, tool)
      WHERE code NOT IN (SELECT code FROM tools)`,
    `INSERT INTO labels SELECT f.ord, l.place, l.label, l.value FROM file_runs AS f
      JOIN file_labels AS l ON l.code = f.code`,
    `INSERT INTO runs ${runsOfFileSql(source.runsBefore)}`,
  ];
  await insert([[database, own]]);
}

/** Runs the statements of each connection beside those of the others: all of them or none. */
async function insert(all: readonly (readonly [Database, readonly string[]])[]): Promise<void> {
  const ended = await Promise.allSettled(
    all.map(async ([database, statements]) => {
      await database.run('BEGIN TRANSACTION');
      for (const sql of statements) await database.run(sql);
    }),
  );
  const failed = ended.find((each) => each.status === 'rejected');
  for (const [database] of all) {
    if (failed === undefined) await database.run('COMMIT');
    else await database.run('ROLLBACK').catch(() => undefined);
  }
  if (failed !== undefined) throw failed.reason;
}

/** Whether the rows of each run stand together and agree, and no id is missing or was there before. */
async function areInOrder(database: Database): Promise<boolean> {
  const odd = `SELECT count(*) FROM file_parts WHERE made = 0 OR id IS NULL OR id = ''`;
  const twice = 'SELECT count(*) FROM file_parts WHERE id IN (SELECT id FROM runs)';
  return (await numberOf(database, odd)) === 0 && (await numberOf(database, twice)) === 0;
}

/** Whether all starts are times; those that the database does not read as we do are looked at one by one. */
async function haveTimes(database: Database): Promise<boolean> {
  const sql = 'SELECT DISTINCT started FROM file_parts WHERE isnan(millis) AND started IS NOT NULL';
  for await (const chunk of database.chunks(sql)) {
    if (chunk.texts(0).some((text) => Number.isNaN(Date.parse(text ?? '')))) return false;
  }
  return true;
}

/** The codes of the tools; `null` where two tools would share one, or another tool of the stage has it. */
async function toolsOf({ database }: Stage, source: ParquetSource): Promise<Map<string, number> | null> {
  const codes = new Map<number, string>();
  const tools = new Map<string, number>();
  const known = 'SELECT code, tool FROM tools WHERE code >= 1073741824';
  for (const sql of [known, toolsOfFileSql(source)]) {
    for await (const chunk of database.chunks(sql)) {
      const numbers = chunk.ints(0);
      for (const [row, tool] of chunk.texts(1).entries()) {
        const code = numbers[row] as number;
        if (tool === null || (codes.get(code) ?? tool) !== tool) return null;
        codes.set(code, tool);
        tools.set(tool, code);
      }
    }
  }
  return tools;
}

async function numberOf(database: Database, sql: string): Promise<number> {
  return (await numbersOf(database, sql))[0] ?? 0;
}

/** The numbers of the one row of an answer. */
async function numbersOf(database: Database, sql: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const chunk of database.chunks(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`)) {
    for (let column = 0; column < chunk.width; column++) numbers.push(Number(chunk.texts(column)[0]));
  }
  return numbers;
}
