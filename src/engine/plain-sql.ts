import { sqlTable } from './duckdb.js';
import { CALL_COLUMNS, COUNTS, type Column, type Columns, isNumber, isText, isWhole } from './parquet-columns.js';
import { restSql, textSql, timeSql } from './parquet-sql.js';

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
  /** Every stretch of rows with the same run fields: hash of those, id, start, and the rest as JSON. */
  readonly parts: string;
  /** The hash and name of every tool; without a name: the hash of what is not known. */
  readonly tools: string;
  readonly rows: string;
  readonly at: Readonly<Record<RowColumn, number | null>>;
}

const ROW_COLUMNS = [
  'part',
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
type RowColumn = (typeof ROW_COLUMNS)[number];

/**
 * The questions for a file whose columns have the types that passes are kept in; `null` for another.
 *
 * @param contents whether calls are told apart by their arguments and results
 */
export function plainSql(path: string, columns: Columns, contents: boolean): PlainSql | null {
  if (!isPlain(columns)) return null;
  const table = sqlTable(path);
  const part = `hash(${columns.ofRun.map(({ sql }) => sql).join(', ')})`;
  const asked = rowColumns(columns, part, contents).filter(([, sql]) => sql !== null);
  const places = new Map(asked.map(([name], place) => [name, place]));
  const tool = columns.find('tool');
  const tools =
    tool === null
      ? ''
      : ` UNION ALL SELECT hash(tool), tool FROM (SELECT DISTINCT ${textSql(tool)} AS tool FROM ${table} WHERE ${tool.sql} IS NOT NULL)`;
  return {
    parts: `SELECT capfit_part, ${textSql(columns.find('run_id'))}, ${timeSql(columns.find('started_at'))}, ${restSql(columns)}
      FROM (SELECT *, lag(capfit_part) OVER () AS capfit_before FROM (SELECT *, ${part} AS capfit_part FROM ${table}))
      WHERE capfit_before IS DISTINCT FROM capfit_part`,
    tools: `SELECT hash(CAST(NULL AS VARCHAR)), CAST(NULL AS VARCHAR)${tools}`,
    rows: `SELECT ${asked.map(([, sql]) => sql).join(', ')} FROM ${table}`,
    at: Object.fromEntries(ROW_COLUMNS.map((name) => [name, places.get(name) ?? null])) as PlainSql['at'],
  };
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

function rowColumns(
  columns: Columns,
  part: string,
  contents: boolean,
): readonly (readonly [RowColumn, string | null])[] {
  const amount = (name: string): string | null => {
    const column = columns.find(name);
    return column === null ? null : `coalesce(CAST(${column.sql} AS DOUBLE), 'NaN'::DOUBLE)`;
  };
  const hash = (name: string): string | null => {
    const column = columns.find(name);
    return column === null ? null : `hash(${textSql(column)})`;
  };
  const others = ['cache_read_tokens', 'cache_write_tokens', 'model'].map((name) => columns.find(name)?.sql);
  const told = others.filter((sql) => sql !== undefined);
  return [
    ['part', part],
    ['pass', passSql(columns)],
    ['state', stateSql(columns, contents)],
    ['input', amount('input_tokens')],
    ['output', amount('output_tokens')],
    ['seconds', amount('seconds')],
    ['usd', amount('usd')],
    ['steps', amount('steps')],
    ['others', told.length === 0 ? null : `hash(${told.join(', ')})`],
    ['tool', contents ? hash('tool') : null],
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
  const [tool, error, pass] = [sql('tool'), sql('error'), sql('pass')];
  const looked = contents ? CALL_COLUMNS : (['tool', 'error'] as const);
  const ofCall = looked
    .filter((name) => name !== 'tool')
    .map(sql)
    .filter((name) => name !== undefined);
  const odd = [
    ...['tool', 'model', ...(contents ? ['args_digest', 'result_digest'] : [])]
      .map(sql)
      .filter((name) => name !== undefined)
      .map((name) => `CAST(${name} AS VARCHAR) = ''`),
    ...ofCall.map((name) => (tool === undefined ? `${name} IS NOT NULL` : `${tool} IS NULL AND ${name} IS NOT NULL`)),
    ...['cache_read_tokens', 'cache_write_tokens']
      .map((name) => columns.find(name))
      .filter((column) => column !== null)
      .flatMap((column) => oddCounts(column, pass)),
  ];
  return `CAST(${[
    error === undefined
      ? String(ERROR_UNKNOWN)
      : `CASE WHEN ${error} THEN ${FAILED} WHEN ${error} IS NULL THEN ${ERROR_UNKNOWN} ELSE 0 END`,
    odd.length === 0 ? '0' : `CASE WHEN ${odd.map((each) => `(${each})`).join(' OR ')} THEN ${ODD} ELSE 0 END`,
    tool === undefined ? String(NO_CALL) : `CASE WHEN ${tool} IS NULL THEN ${NO_CALL} ELSE 0 END`,
  ].join(' + ')} AS INTEGER)`;
}

/** Counts that are looked at only to see that they are in order. */
function oddCounts(column: Column, pass: string | undefined): string[] {
  const { sql } = column;
  const known = isWhole(column) ? sql : `nullif(CAST(${sql} AS DOUBLE), 'NaN'::DOUBLE)`;
  const odd = [`${known} < 0`, `${known} > 9007199254740991`, `${pass} IS NULL AND ${known} IS NOT NULL`];
  return isWhole(column) ? odd : [...odd, `${known} <> floor(${known})`];
}
