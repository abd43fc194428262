import { METRICS } from '../model/limits.js';
import { sqlText } from './duckdb.js';
import { type Column, type Columns, isBroken, isNumber, isTime } from './parquet-columns.js';

/*
 * What the rows of a Parquet file say, in the terms of the run record: texts and JSON that one reader of records takes,
 * wherever they come from. What is not known is NULL; NaN is how tables of floating point say so.
 */

const MISSING = 'NULL';

/** A text, whatever the column's type. */
export function textSql(column: Column | null): string {
  return column === null ? MISSING : `CAST(${column.sql} AS VARCHAR)`;
}

/** A point in time as ISO 8601 text: as recorded where it is a text, else in UTC with the digits that say something. */
export function timeSql(column: Column | null): string {
  if (column === null || !isTime(column)) return textSql(column);
  return `regexp_replace(strftime(${momentSql(column)}, '%Y-%m-%dT%H:%M:%S.%fZ'), '\\.?0+Z$', 'Z')`;
}

function momentSql({ type, sql }: Column): string {
  return `make_timestamp(epoch_us(${type === 'DATE' ? `CAST(${sql} AS TIMESTAMP)` : sql}))`;
}

/** Times as they are mostly written; the database and JavaScript read these alike. */
const COMMON_TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z`;

/** A point in time in milliseconds since 1970, `NULL` where there is none or its text must be read with more care. */
export function millisSql(column: Column | null): string {
  if (column === null) return MISSING;
  if (isTime(column)) return `epoch_us(${momentSql(column)}) // 1000`;
  const text = textSql(column);
  return `CASE WHEN regexp_full_match(${text}, '${COMMON_TIME}') THEN epoch_ms(TRY_CAST(${text} AS TIMESTAMP)) END`;
}

/** A value as a member of a JSON object: numbers with all their digits, true and false, else a text. */
function memberSql(column: Column | null): string {
  if (column === null) return MISSING;
  const { sql, type } = column;
  if (isBroken(column)) {
    return `CASE WHEN isnan(${sql}) THEN NULL WHEN isinf(${sql}) THEN to_json(CAST(${sql} AS VARCHAR)) ELSE to_json(${sql}) END`;
  }
  // As they are: numbers that are JSON already would be read, and lose what a double does not hold.
  return isNumber(column) || type === 'BOOLEAN' ? sql : textSql(column);
}

/** A flag as such a member; the words for true and false are taken for them. */
function flagSql(column: Column | null): string {
  if (column === null || isNumber(column) || column.type === 'BOOLEAN') return memberSql(column);
  const word = `lower(trim(${textSql(column)}))`;
  return `CASE ${word} WHEN 'true' THEN to_json(true) WHEN 'false' THEN to_json(false) WHEN '' THEN NULL ELSE to_json(${textSql(column)}) END`;
}

function objectSql(members: readonly (readonly [string, string])[]): string {
  return `json_object(${members.map(([key, value]) => `${sqlText(key)}, ${value}`).join(', ')})`;
}

/** Everything of the run but its id and start, as JSON: the same for most runs, so that it need not be read anew. */
export function restSql(columns: Columns): string {
  const text = (name: string): readonly [string, string] => [name, textSql(columns.find(name))];
  const group = (members: Columns['labels']): string =>
    objectSql(members.map(([name, each]) => [name, memberSql(each)]));
  const rest = objectSql([
    ...['status', 'check', 'claim', 'reason', 'blocker', 'evidence'].map(text),
    ['totals', objectSql(METRICS.map((metric) => [metric, memberSql(columns.find(`totals.${metric}`))]))],
    ['labels', group(columns.labels)],
    ['recorded_under', group(columns.recordedUnder)],
    ['more_labels', textSql(columns.find('labels'))],
    ['more_recorded_under', textSql(columns.find('recorded_under'))],
    ['passes_recorded', flagSql(columns.find('passes_recorded'))],
  ]);
  return `CAST(${rest} AS VARCHAR)`;
}

/** The figures of a pass, and the model that answered it, as JSON. */
export function passSql(columns: Columns, names: readonly string[]): string {
  const figures = names.map((name): [string, string] => [name, memberSql(columns.find(name))]);
  return `CAST(${objectSql([...figures, ['model', textSql(columns.find('model'))]])} AS VARCHAR)`;
}

/** The call on a row as JSON. */
export function callSql(columns: Columns): string {
  const texts = ['tool', 'args_digest', 'result_digest'].map((name): [string, string] => [
    name,
    textSql(columns.find(name)),
  ]);
  return `CAST(${objectSql([...texts, ['error', flagSql(columns.find('error'))]])} AS VARCHAR)`;
}
