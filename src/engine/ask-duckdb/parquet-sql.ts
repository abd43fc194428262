import { LIMITS, METRICS } from '../../model/limits.js';
import { SUMMED_LIMITS, type SummedLimit } from '../ask/dialect.js';
import type { Column, Columns } from '../parquet-columns.js';
import { ERROR_UNKNOWN, FAILED, NO_CALL, NO_PASS, NOT_RECORDED, ODD, type PlainSql } from '../plain-sql.js';
import { SO_FAR } from './streaks-sql.js';

/*
 * A plain Parquet file into the staged tables by statements alone. What looks back along the rows are windows without
 * an order of their own, which go along the file as it lies. Whatever the scan of plain files is not sure of raises
 * `NOT_PLAIN` here, so that nothing bad is taken.
 */

/** What a statement says that met a row which is not in perfect order. */
export const NOT_PLAIN = 'capfit: this file is to be read with more care';

/** From here on the double nearest to a decimal may be that of another. */
const LARGEST_SURE = 2 ** 49;
/** Below this, products are so near to what they stand for that all but ties round as they should. */
const LARGEST_CLOSE = 2 ** 40;

/** A file whose rows are put in behind the runs that are there. */
export interface ParquetSource {
  readonly sql: PlainSql;
  readonly columns: Columns;
  /** How many runs and calls lie before the file's, and in it. */
  readonly runsBefore: number;
  readonly calls: number;
  /** Counters that some pass of the file lacks: what none lacks need not be looked after. */
  readonly lacking: ReadonlySet<SummedLimit>;
}

/** The rows of the file: which run they are of, and what is asked of them by name; a column that it lacks is NULL. */
function rowsSql(
  { sql, columns }: Pick<ParquetSource, 'sql' | 'columns'>,
  asked: readonly (keyof PlainSql['at'])[],
): string {
  const run = (columns.find('run_id') as Column).sql;
  const names = Object.entries(sql.at)
    .filter(([, place]) => place !== null)
    .sort(([, one], [, other]) => (one as number) - (other as number))
    .map(([name]) => name);
  const rows = `SELECT ${run}, ${sql.rows.slice('SELECT '.length)}`;
  const wanted = asked.map((name) => (sql.at[name] === null ? `NULL AS ${name}` : name));
  return `SELECT run, ${wanted.join(', ')} FROM (${rows}) AS t(run, ${names.join(', ')})`;
}

/** Runs in the order of their first rows, each with the hash of what it shares with others. */
export function partsSql({ sql, runsBefore }: ParquetSource): string {
  return `SELECT row_number() OVER () - 1 + ${runsBefore} AS ord, * FROM (${sql.parts})
    AS t(made, rest, id, millis, started)`;
}

/** The passes of the file. */
export function passesOfFileSql(source: ParquetSource): string {
  const unknown = (name: string): string => `nullif(CAST(${name} AS DOUBLE), 'NaN'::DOUBLE) AS ${name}`;
  const figures = ['input', 'output', 'seconds', 'usd', 'steps'];
  const others = source.sql.at.others === null ? '' : ', others';
  const rows = `SELECT run, pass, state, ${figures.map(unknown).join(', ')}${others}
    FROM (${rowsSql(source, ['pass', 'state', 'input', 'output', 'seconds', 'usd', 'steps', 'others'])})`;
  const seen = `SELECT *, state & ${NO_CALL} = 0 AS has_call, run IS DISTINCT FROM lag(run) OVER () AS is_new,
      lag(pass) OVER () AS last_pass, lag(state & ${NO_CALL} = 0) OVER () AS last_had_call,
      hash(${figures.join(', ')}${others}) AS figures,
      lag(hash(${figures.join(', ')}${others})) OVER () AS last_figures,
      count(CASE WHEN state & ${NO_CALL} = 0 THEN 1 END) ${SO_FAR} AS so_many
    FROM (${rows})`;
  const firsts = `SELECT pass, is_new, so_many - CASE WHEN has_call THEN 1 ELSE 0 END AS calls_before,
      input + output AS tokens, CAST(round(seconds * 1e6) AS BIGINT) AS seconds, CAST(round(usd * 1e9) AS BIGINT) AS usd,
      CAST(steps AS BIGINT) AS steps
    FROM (${seen})
    WHERE CASE WHEN ${isOdd()} THEN error('${NOT_PLAIN}') ELSE is_new OR pass <> last_pass END`;
  const counted = `SELECT *, sum(CASE WHEN is_new THEN 1 ELSE 0 END) ${SO_FAR} - 1 + ${source.runsBefore} AS ord,
      lead(calls_before, 1, ${source.calls}) OVER () - calls_before AS calls, row_number() OVER () AS g
    FROM (${firsts})`;
  const whole = `SELECT ord, pass, calls, g, CAST(tokens AS BIGINT) AS tokens, seconds, usd,
      coalesce(steps, CASE WHEN calls = 0 THEN 2 ELSE 1 + 2 * calls END) AS steps
    FROM (${counted}) WHERE pass > 0`;
  return totalsSql(whole, source);
}

/** Running totals inside each run out of the amounts of passes: what was summed so far, less what it was at the start. */
function totalsSql(passes: string, { sql: { at }, lacking }: ParquetSource): string {
  const isThere = {
    tokens: at.input !== null && at.output !== null,
    seconds: at.seconds !== null,
    usd: at.usd !== null,
    steps: true,
  };
  const summed = SUMMED_LIMITS.filter((limit) => isThere[limit]);
  const partly = summed.filter((limit) => lacking.has(limit));
  const amount = (limit: SummedLimit): string => (lacking.has(limit) ? `coalesce(${limit}, 0)` : limit);
  const windows = [
    ...summed.map((limit) => `sum(${amount(limit)}) ${SO_FAR} AS ${limit}_so_far`),
    ...partly.map((limit) => `max(CASE WHEN ${limit} IS NULL THEN g END) ${SO_FAR} AS ${limit}_unknown`),
    ...(partly.length === 0 ? [] : [`max(CASE WHEN pass = 1 THEN g END) ${SO_FAR} AS start`]),
  ];
  const bases = summed.map(
    (limit) => `max(CASE WHEN pass = 1 THEN ${limit}_so_far - ${amount(limit)} END) ${SO_FAR} AS ${limit}_base`,
  );
  const total = (limit: SummedLimit): string =>
    `CASE ${lacking.has(limit) ? `WHEN ${limit}_unknown >= start THEN NULL` : ''}
      WHEN ${limit}_so_far - ${limit}_base > ${Number.MAX_SAFE_INTEGER} THEN error('${NOT_PLAIN}')
      ELSE CAST(${limit}_so_far - ${limit}_base AS BIGINT) END`;
  const totals = SUMMED_LIMITS.map((limit) => (isThere[limit] ? total(limit) : 'NULL'));
  return `SELECT ord, pass, ${totals.join(', ')}, calls
    FROM (SELECT *, ${bases.join(', ')} FROM (SELECT *, ${windows.join(', ')} FROM (${passes})))`;
}

/** What of the file is counted before it is read: its calls, and the passes that lack a part, limit by limit. */
export function countsSql(source: Omit<ParquetSource, 'calls' | 'lacking'>): string {
  const isUnknown = (name: string): string => `coalesce(isnan(CAST(${name} AS DOUBLE)), true)`;
  const lacking = {
    tokens: `${isUnknown('input')} OR ${isUnknown('output')}`,
    seconds: isUnknown('seconds'),
    usd: isUnknown('usd'),
  };
  const counts = Object.entries(lacking).map(
    ([limit, lacks]) => `count(CASE WHEN pass > 0 AND (${lacks}) THEN 1 END) AS ${limit}`,
  );
  return `SELECT count(CASE WHEN state & ${NO_CALL} = 0 THEN 1 END), ${counts.join(', ')}
    FROM (${rowsSql(source, ['pass', 'state', 'input', 'output', 'seconds', 'usd'])})`;
}

/** Whether a row, seen with the one before it, is not what the scan of plain files takes. */
function isOdd(): string {
  const whole = (name: string): string =>
    `${name} < 0 OR ${name} > ${Number.MAX_SAFE_INTEGER} OR ${name} <> floor(${name})`;
  const atoms = (name: string, scale: string): string => {
    const product = `${name} * ${scale}`;
    const off = `abs(${product} - round(${product}))`;
    return `${name} < 0 OR isinf(${name}) OR ${product} > ${LARGEST_SURE}
      OR (${off} >= 0.25 AND (${product} >= ${LARGEST_CLOSE} OR ${off} >= 0.499))`;
  };
  const isKnown = ['input', 'output', 'seconds', 'usd', 'steps'].map((name) => `${name} IS NOT NULL`).join(' OR ');
  const isBad = [
    `state & ${ODD} <> 0`,
    `pass < ${NOT_RECORDED}`,
    `pass <= ${NO_PASS} AND (has_call OR ${isKnown})`,
    'is_new AND pass > 1',
    `NOT is_new AND (last_pass <= ${NO_PASS} OR pass <= ${NO_PASS})`,
    'NOT is_new AND pass = last_pass AND NOT (has_call AND last_had_call AND figures = last_figures)',
    'NOT is_new AND pass <> last_pass AND pass <> last_pass + 1',
    ...['input', 'output', 'steps'].map(whole),
    atoms('seconds', '1e6'),
    atoms('usd', '1e9'),
  ];
  return `coalesce(${isBad.map((each) => `(${each})`).join(', false) OR coalesce(')}, false)`;
}

/** The calls of the file. */
export function callsOfFileSql(source: ParquetSource): string {
  const { at } = source.sql;
  const known = (name: 'args' | 'result'): string =>
    at[name] === null ? 'false' : `${name} <> hash(CAST(NULL AS VARCHAR))`;
  const rows = `SELECT run, pass, state, tool, args, result, run IS DISTINCT FROM lag(run) OVER () AS is_new,
      pass IS DISTINCT FROM lag(pass) OVER () AS is_other
    FROM (${rowsSql(source, ['pass', 'state', 'tool', 'args', 'result'])})`;
  const numbered = `SELECT *, sum(CASE WHEN is_new THEN 1 ELSE 0 END) ${SO_FAR} - 1 + ${source.runsBefore} AS ord,
      count(CASE WHEN state & ${NO_CALL} = 0 THEN 1 END) ${SO_FAR} AS n FROM (${rows})`;
  const based = `SELECT *, max(CASE WHEN is_new THEN n - has END) ${SO_FAR} AS run_base,
      max(CASE WHEN is_new OR is_other THEN n - has END) ${SO_FAR} AS pass_base
    FROM (SELECT *, CASE WHEN state & ${NO_CALL} = 0 THEN 1 ELSE 0 END AS has FROM (${numbered}))`;
  const calls = `SELECT ord, pass, n - pass_base AS call, n - run_base AS seq, ${toolCodeSql('tool')} AS tool,
      ${signed(`hash(tool, ${at.args === null ? '0' : 'args'})`)} AS request,
      CASE WHEN ${known('args')} THEN 1 ELSE 0 END AS has_args,
      CASE WHEN ${known('result')} THEN ${signed('result')} END AS result,
      CASE WHEN state & ${ERROR_UNKNOWN} = 0 THEN state & ${FAILED} END AS failed
    FROM (${based}) WHERE has = 1`;
  const same = ['ord', 'request', 'result'].map((name) => `${name} = lag(${name}) OVER ()`).join(' AND ');
  return `SELECT ord, pass, call, seq, tool, request, has_args, result, failed,
      g - max(CASE WHEN same THEN NULL ELSE g END) ${SO_FAR} + 1 AS streak
    FROM (SELECT *, row_number() OVER () AS g, ${same} AS same FROM (${calls}))`;
}

/** The bits of a hash as a signed number. */
function signed(hash: string): string {
  return `CAST(CAST(${hash} AS HUGEINT) - 9223372036854775808 AS BIGINT)`;
}

/** Codes of tools by their hashes, beyond those that are given one by one. */
export function toolCodeSql(hash: string): string {
  return `CAST(1073741824 + (${hash} & 1073741823) AS INTEGER)`;
}

/** The tools of the file and their codes. */
export function toolsOfFileSql({ sql }: ParquetSource): string {
  return `SELECT ${toolCodeSql('hash')}, tool FROM (${sql.tools}) AS t(hash, tool) WHERE tool IS NOT NULL`;
}

/** The runs of the file, when their passes and calls are there and what they share has been looked up. */
export function runsOfFileSql(runsBefore: number): string {
  const sum = (limit: string): string => `CASE WHEN p.kept IS NULL THEN CASE WHEN s.recorded = 1 THEN 0 END
    WHEN p.known_${limit} = p.kept THEN p.sum_${limit} END`;
  const sums = SUMMED_LIMITS.map((limit) => `max(${limit}) AS sum_${limit}, count(${limit}) AS known_${limit}`);
  const passes = `SELECT ord, count(*) AS kept, ${sums.join(', ')} FROM passes WHERE ord >= ${runsBefore} GROUP BY ord`;
  const calls = `SELECT ord, max(streak) AS streak, max(has_args) AS has_args FROM calls WHERE ord >= ${runsBefore} GROUP BY ord`;
  const lacking = `SELECT ord FROM calls WHERE ord >= ${runsBefore} AND has_args = 0
    GROUP BY ord HAVING count(*) > count(DISTINCT tool)`;
  const shared = [
    ...METRICS.map((metric) => `s.stated_${metric}`),
    ...SUMMED_LIMITS.map(sum),
    ...LIMITS.map((limit) => `s.under_${limit}`),
  ];
  return `SELECT f.ord, f.id, s.status, s.verdict, s.claim, s.reason,
      coalesce(p.kept, CASE WHEN s.recorded = 1 THEN 0 ELSE -1 END), ${shared.join(', ')},
      CASE WHEN p.kept IS NULL AND s.recorded = 0 THEN NULL ELSE coalesce(c.streak, 0) END,
      CASE WHEN l.ord IS NOT NULL AND c.has_args = 0 THEN 1 ELSE 0 END
    FROM file_runs AS f JOIN file_shared AS s ON s.code = f.code
    LEFT JOIN (${passes}) AS p ON p.ord = f.ord
    LEFT JOIN (${calls}) AS c ON c.ord = f.ord
    LEFT JOIN (${lacking}) AS l ON l.ord = f.ord`;
}
