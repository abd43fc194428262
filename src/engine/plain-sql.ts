import type { Depth } from '../model/depth.js';
import { sqlTable } from './duckdb.js';
import { COUNTS, type Column, type Columns, isNumber, isText, isWhole } from './parquet-columns.js';
import { millisSql, restSql, textSql, timeSql } from './parquet-sql.js';

/** What stands in the pass column of an answer beside the numbers of passes. */
export const NO_PASS = 0;
export const NOT_RECORDED = -1;

/** Bits of the state of a row. */
export const FAILED = 1;
export const ERROR_UNKNOWN = 2;
/** Holds what a run record must not. */
export const ODD = 4;
export const NO_CALL = 8;

/** The questions that the rows of a plain file are asked, and where in the answer each column stands. */
export interface PlainSql {
  /**
   * Every run in the order of their first rows: how many rows it has (0 where they do not stand together or do not
   * agree), the hash of what it shares, its id, and its start as milliseconds or, where those are NaN, as text.
   */
  readonly parts: string;
  /** Every rest of run fields: its hash, and itself as JSON. */
  readonly rests: string;
  /** The same of some rows, by their places in the file. */
  restsAt(rows: readonly number[]): string;
  /** The hash and name of every tool; without a name: the hash of what is not known. */
  readonly tools: string;
  readonly rows: string;
  readonly at: Readonly<Record<RowColumn, number | null>>;
}

const ROW_COLUMNS = [
  'pass',
  'state',
  'input',
  'output',
  'seconds',
  'usd',
  'steps',
  'others',
  'tool',
  'args',
  'result',
] as const;
/** What a pass says beside its counters. */
const UNCOUNTED = ['cache_read_tokens', 'cache_write_tokens', 'model'];

type RowColumn = (typeof ROW_COLUMNS)[number];

/**
 * The questions for a file whose columns have the types that passes are kept in; `null` for another.
 */
export function plainSql(path: string, columns: Columns, depth: Depth): PlainSql | null {
  if (!isPlain(columns)) return null;
  const asked = rowColumns(columns, depth).filter(([, sql]) => sql !== null);
  const places = new Map(asked.map(([name], place) => [name, place]));
  const table = sqlTable(path);
  return {
    parts: partsSql(columns, table, depth),
    rests: restsSql(columns, table),
    restsAt: (rows) =>
      `SELECT ${restHash(columns)}, ${restSql(columns)} FROM ${table} WHERE file_row_number IN (${rows.join(', ')})`,
    tools: toolsSql(depth === 'figures' ? null : columns.find('tool'), table),
    rows: `SELECT ${asked.map(([, sql]) => sql).join(', ')} FROM ${table}`,
    at: Object.fromEntries(ROW_COLUMNS.map((name) => [name, places.get(name) ?? null])) as PlainSql['at'],
  };
}

/** Grouped by the id alone, and whatever else is asked compared by one hash: that all rows agree costs little more. */
function partsSql(columns: Columns, table: string, depth: Depth): string {
  const id = columns.find('run_id') as Column;
  const started = depth === 'figures' ? null : columns.find('started_at');
  const isTogether = 'max(file_row_number) - min(file_row_number) + 1 = count(*)';
  const all = started === null ? 'capfit_rest' : `hash(capfit_rest, ${started.sql})`;
  const millis = millisSql(started);
  return `SELECT capfit_rows, capfit_rest, ${textSql(id)}, coalesce(CAST(${millis} AS DOUBLE), 'NaN'::DOUBLE),
    CASE WHEN ${millis} IS NULL THEN ${timeSql(started)} END FROM (
    SELECT ${id.sql}, any_value(capfit_rest) AS capfit_rest, min(file_row_number) AS capfit_first,
      ${started === null ? '' : `any_value(${started.sql}) AS ${started.sql},`}
      CAST(CASE WHEN ${isTogether} AND min(${all}) = max(${all}) THEN count(*) ELSE 0 END AS INTEGER) AS capfit_rows
    FROM (SELECT *, ${restHash(columns)} AS capfit_rest FROM ${table})
    GROUP BY ${id.sql}) ORDER BY capfit_first`;
}

/** Taken from first rows only, since parts tell whether the others agree. */
function restsSql(columns: Columns, table: string): string {
  const names = restNames(columns);
  const pass = columns.find('pass')?.sql;
  return `SELECT capfit_rest, ${restSql(columns)} FROM (
    SELECT capfit_rest, ${names.map((name) => `any_value(${name}) AS ${name}`).join(', ')}
    FROM (SELECT *, ${restHash(columns)} AS capfit_rest FROM ${table} WHERE ${pass} = 1 OR ${pass} IS NULL)
    GROUP BY capfit_rest)`;
}

function restHash(columns: Columns): string {
  return `hash(${restNames(columns).join(', ')})`;
}

/** The columns of the run fields that runs share: all but its id and start. */
function restNames(columns: Columns): string[] {
  const own = ['run_id', 'started_at'];
  return columns.ofRun.filter(({ name }) => !own.includes(name)).map(({ sql }) => sql);
}

function toolsSql(tool: Column | null, table: string): string {
  const unknown = 'SELECT hash(CAST(NULL AS VARCHAR)), CAST(NULL AS VARCHAR)';
  if (tool === null) return unknown;
  const known = `SELECT DISTINCT ${textSql(tool)} AS tool FROM ${table} WHERE ${tool.sql} IS NOT NULL`;
  return `${unknown} UNION ALL SELECT hash(tool), tool FROM (${known})`;
}

function isPlain(columns: Columns): boolean {
  const may = (name: string, isGood: (column: Column) => boolean): boolean => {
    const column = columns.find(name);
    return column === null || isGood(column);
  };
  const isFlag = ({ type }: Column): boolean => type === 'BOOLEAN';
  return (
    may('pass', isWhole) &&
    [...COUNTS, 'seconds', 'usd'].every((name) => may(name, isNumber)) &&
    ['tool', 'args_digest', 'result_digest'].every((name) => may(name, isText)) &&
    ['error', 'passes_recorded'].every((name) => may(name, isFlag))
  );
}

function rowColumns(columns: Columns, depth: Depth): readonly (readonly [RowColumn, string | null])[] {
  const amount = (name: string): string | null => {
    const column = columns.find(name);
    return column === null ? null : `coalesce(CAST(${column.sql} AS DOUBLE), 'NaN'::DOUBLE)`;
  };
  const hash = (name: string): string | null => {
    const column = columns.find(name);
    return column === null ? null : `hash(${textSql(column)})`;
  };
  const contents = depth === 'calls';
  const told = UNCOUNTED.map((name) => columns.find(name)?.sql).filter((sql) => sql !== undefined);
  return [
    ['pass', passSql(columns)],
    ['state', stateSql(columns, contents)],
    ['input', amount('input_tokens')],
    ['output', amount('output_tokens')],
    ['seconds', amount('seconds')],
    ['usd', amount('usd')],
    ['steps', amount('steps')],
    ['others', !contents || told.length === 0 ? null : `hash(${told.join(', ')})`],
    ['tool', depth === 'figures' ? null : hash('tool')],
    ['args', contents ? hash('args_digest') : null],
    ['result', contents ? hash('result_digest') : null],
  ];
}

/** Numbers of passes from 1, else why there is none; what is neither is below all. */
function passSql(columns: Columns): string {
  const pass = columns.find('pass')?.sql;
  const recorded = columns.find('passes_recorded')?.sql;
  const none =
    recorded === undefined
      ? String(NO_PASS)
      : `CASE WHEN ${recorded} THEN ${NO_PASS} WHEN ${recorded} IS NULL THEN ${NO_PASS} ELSE ${NOT_RECORDED} END`;
  return `CAST(CASE WHEN ${pass} BETWEEN 1 AND 1000000000 THEN ${pass} WHEN ${pass} IS NULL THEN ${none} ELSE -9 END AS INTEGER)`;
}

/** What a row says beside its figures, and whether something in it is no part of a run record. */
function stateSql(columns: Columns, contents: boolean): string {
  const sql = (name: string): string | undefined => columns.find(name)?.sql;
  const [tool, error, pass] = [sql('tool'), sql('error'), sql('pass') as string];
  const failed = `CASE WHEN ${error} THEN ${FAILED} WHEN ${error} IS NULL THEN ${ERROR_UNKNOWN} ELSE 0 END`;
  const odd = contents ? oddSql(columns, pass) : tool === undefined ? [] : [`CAST(${tool} AS VARCHAR) = ''`];
  const state = [
    error === undefined || !contents ? String(ERROR_UNKNOWN) : failed,
    odd.length === 0 ? '0' : `CASE WHEN ${odd.map((each) => `(${each})`).join(' OR ')} THEN ${ODD} ELSE 0 END`,
    tool === undefined ? String(NO_CALL) : `CASE WHEN ${tool} IS NULL THEN ${NO_CALL} ELSE 0 END`,
  ];
  return `CAST(${state.join(' + ')} AS INTEGER)`;
}

/** What a run record may not hold. */
function oddSql(columns: Columns, pass: string): string[] {
  const sqls = (names: readonly string[]): string[] =>
    names.map((name) => columns.find(name)?.sql).filter((sql) => sql !== undefined);
  const [tool] = sqls(['tool']);
  return [
    ...sqls(['tool', 'model', 'args_digest', 'result_digest']).map((sql) => `CAST(${sql} AS VARCHAR) = ''`),
    ...sqls(['args_digest', 'result_digest', 'error']).map((sql) =>
      tool === undefined ? `${sql} IS NOT NULL` : `${tool} IS NULL AND ${sql} IS NOT NULL`,
    ),
    ...['cache_read_tokens', 'cache_write_tokens'].flatMap((name) => oddCounts(columns.find(name), pass)),
  ];
}

/** Counts that are looked at only to see that they are in order. */
function oddCounts(column: Column | null, pass: string): string[] {
  if (column === null) return [];
  const known = isWhole(column) ? column.sql : `nullif(CAST(${column.sql} AS DOUBLE), 'NaN'::DOUBLE)`;
  const odd = [`${known} NOT BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}`, `${pass} IS NULL AND ${known} IS NOT NULL`];
  return isWhole(column) ? odd : [...odd, `${known} <> floor(${known})`];
}
