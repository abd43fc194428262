import { METRICS } from '../model/limits.js';
import type { Problem } from '../model/problem.js';
import { type Database, sqlFile, sqlName, sqlTable } from './duckdb.js';

/** A column of a Parquet file. */
export interface Column {
  readonly name: string;
  /** The database's word for the type of its values. */
  readonly type: string;
  /** Its name as SQL writes it. */
  readonly sql: string;
}

/** The columns of a file, by what they hold. */
export interface Columns {
  /** The column of that very name, `null`: none. */
  find(name: string): Column | null;
  /** The columns `label.NAME`, as NAME and column. */
  readonly labels: readonly (readonly [string, Column])[];
  /** The columns `recorded_under.NAME`, as NAME and column. */
  readonly recordedUnder: readonly (readonly [string, Column])[];
  /** All columns that say something of the run, its id first. */
  readonly ofRun: readonly Column[];
}

/** The columns without which a table of passes cannot be read. */
const REQUIRED = ['run_id', 'status', 'pass'];

export const LABEL = 'label.';
export const RECORDED_UNDER = 'recorded_under.';

/**
 * Columns that say something of the run. `labels` and `recorded_under` hold, as one JSON object, what cannot be a
 * column: SQL takes names for the same that differ in case only.
 */
export const RUN_COLUMNS: readonly string[] = [
  ...['run_id', 'status', 'check', 'claim', 'reason', 'started_at', 'blocker', 'evidence'],
  ...METRICS.map((metric) => `totals.${metric}`),
  ...['labels', 'recorded_under', 'passes_recorded'],
];

/** Amounts of a pass beside `seconds` and `usd`. */
export const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'steps'] as const;

export const CALL_COLUMNS = ['tool', 'args_digest', 'result_digest', 'error'] as const;

/** What the columns of a file are, or why the file cannot be read as passes. */
export async function columnsOf(database: Database, path: string): Promise<Columns | Problem> {
  const there = await readColumns(database, path);
  const missing = REQUIRED.filter((required) => there.every(({ name }) => name !== required));
  if (missing.length > 0) return missingColumns(path, missing, there);
  const empty = await emptyColumns(database, path);
  const all = there.filter(({ name }) => REQUIRED.includes(name) || !empty.has(name));
  const byName = new Map(all.map((column) => [column.name, column]));
  const group = (prefix: string): (readonly [string, Column])[] =>
    all.filter(({ name }) => name.startsWith(prefix)).map((column) => [column.name.slice(prefix.length), column]);
  const labels = group(LABEL);
  const recordedUnder = group(RECORDED_UNDER);
  const fixed = RUN_COLUMNS.map((name) => byName.get(name)).filter((column) => column !== undefined);
  const read = [...fixed, ...labels, ...recordedUnder].map((each) => ('name' in each ? each : each[1]));
  const others = ['pass', ...COUNTS, 'seconds', 'usd', 'model', ...CALL_COLUMNS];
  const nested = [...read, ...others.map((name) => byName.get(name))].find((each) => each && isNested(each));
  if (nested !== undefined) return nestedColumn(path, nested);
  return { find: (name) => byName.get(name) ?? null, labels, recordedUnder, ofRun: read };
}

async function readColumns(database: Database, path: string): Promise<Column[]> {
  const columns: Column[] = [];
  for await (const chunk of database.chunks(`SELECT column_name, column_type FROM (DESCRIBE FROM ${sqlTable(path)})`)) {
    const types = chunk.texts(1);
    for (const [index, name] of chunk.texts(0).entries()) {
      if (name !== null) columns.push({ name, type: types[index] ?? '', sql: sqlName(name) });
    }
  }
  return columns;
}

/** Columns that the file itself says to hold nothing: they are as good as absent, and cost nothing then. */
async function emptyColumns(database: Database, path: string): Promise<ReadonlySet<string | null>> {
  const names = new Set<string | null>();
  const isEmpty = 'bool_and(coalesce(stats_null_count = num_values, false))';
  const sql = `SELECT path_in_schema FROM parquet_metadata(${sqlFile(path)}) GROUP BY path_in_schema HAVING ${isEmpty}`;
  for await (const chunk of database.chunks(sql)) for (const name of chunk.texts(0)) names.add(name);
  return names;
}

function missingColumns(path: string, missing: readonly string[], all: readonly Column[]): Problem {
  const found = all
    .filter(({ name }) => name !== 'file_row_number')
    .slice(0, 40)
    .map(({ name }) => JSON.stringify(name));
  return problemOf(
    path,
    `no column ${missing.join(', ')}`,
    `add it; the table needs one row a pass, and the columns found are ${found.join(', ')}`,
  );
}

function nestedColumn(path: string, { name, type }: Column): Problem {
  return problemOf(
    path,
    `column ${JSON.stringify(name)} is of type ${type.length > 60 ? `${type.slice(0, 57)}…` : type}`,
    'a column must hold plain values: texts, numbers, true or false; labels stand in columns of their own, label.NAME',
  );
}

/** A bad record or file: Parquet has no lines, so the reason names the run. */
export function problemOf(path: string, reason: string, hint: string, raw: string | null = null): Problem {
  return { kind: 'problem', place: { file: path, line: null }, reason, hint, raw };
}

/** Whether values are made of others. */
function isNested({ type }: Column): boolean {
  return /^(?:STRUCT|MAP|UNION|VARIANT)\b|\]$/.test(type);
}

export function isWhole(column: Column): boolean {
  return /^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(column.type);
}

export function isBroken({ type }: Column): boolean {
  return type === 'DOUBLE' || type === 'FLOAT';
}

export function isNumber(column: Column): boolean {
  return isWhole(column) || isBroken(column) || column.type.startsWith('DECIMAL');
}

export function isText({ type }: Column): boolean {
  return type === 'VARCHAR' || type.startsWith('ENUM');
}

export function isTime({ type }: Column): boolean {
  return type === 'DATE' || type.startsWith('TIMESTAMP');
}
