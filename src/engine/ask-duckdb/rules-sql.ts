import type { RepeatKey, RepeatRule, Rule } from '../../policy/policy.js';
import { CALL_PLACE, callsSql, idleSql, inARowSql, SO_FAR } from './streaks-sql.js';
import { numberSql } from './texts.js';

/*
 * Where rules reach their count. What looks back along a run is put as windows without any order of their own: they go
 * along the table as it lies, which is the order of the recording, and neither sort nor hold anything. That holds as
 * long as nothing is joined below them.
 */

/** Where a rule's count is reached, and what keeps it from judging. */
export interface RuleSql {
  /** A SELECT of `ord` and `met`, of the runs in which the count is reached: the pass in steps, and the call. */
  readonly hits: string;
  /** The same of the first call that cannot be judged; `null`: there is none. */
  readonly blinds: string | null;
}

/** The codes under which calls keep a tool; none: no call is of it. */
export type CodesOfTool = (tool: string) => readonly number[];

/** @param codesOfTool codes of the tools that there are */
export function ruleSql(rule: Rule, codesOfTool: CodesOfTool): RuleSql {
  if (rule.rule === 'idle') return { hits: idleSql(rule.count), blinds: null };
  const seen = seenSql(rule.exempt, codesOfTool) ?? 'true';
  const blinds = (lacking: string): string => firstSql(callsSql(`${lacking} IS NULL AND ${seen}`));
  switch (rule.rule) {
    case 'errors':
      return { hits: inARowSql('failed = 1', seen, rule.count), blinds: blinds('failed') };
    case 'stale':
      return { hits: staleSql(seen, rule.count), blinds: blinds('result') };
    case 'repeat':
      return {
        hits: firstSql(repeatedSql(rule, codesOfTool)),
        blinds: rule.key === 'request' ? null : blinds('result'),
      };
  }
}

/** What is asked of calls that the rule sees; `null`: it sees all. */
function seenSql(exempt: readonly string[], codesOfTool: CodesOfTool): string | null {
  const codes = exempt.flatMap(codesOfTool);
  return codes.length === 0 ? null : `tool NOT IN (${codes.join(', ')})`;
}

/** The first of some calls in each run. */
function firstSql(calls: string): string {
  return `SELECT ord, min(met) AS met FROM (${calls}) GROUP BY ord`;
}

/** A SELECT of `ord`, `met`, `seq` and `tool`: all calls at which the count of a repeat rule is at its own or above. */
export function repeatedSql(rule: RepeatRule, codesOfTool: CodesOfTool): string {
  const { key, count, scope } = rule;
  const exempting = seenSql(rule.exempt, codesOfTool);
  const seen = exempting ?? 'true';
  if (scope !== 'consecutive') {
    if (count === 1) return callsSql(seen);
    return scope === 'run' ? inRunSql(key, seen, count) : inWindowSql(key, exempting, count, rule.window ?? count);
  }
  if (count === 1) return fromNthSql(exempting, rule.minPeriod);
  // Rows of identical calls were counted when the runs were staged.
  if (key === 'call' && rule.period === 1 && exempting === null) return callsSql(`streak >= ${numberSql(count)}`);
  return inBlocksSql(rule, seen);
}

/** The calls from that number on in each run. */
function fromNthSql(exempting: string | null, number: number): string {
  if (number === 1 || exempting === null) return callsSql(`seq >= ${numberSql(number)} AND ${exempting ?? 'true'}`);
  return `SELECT ord, met, seq, tool FROM (
    SELECT ord, met, seq, tool, row_number() OVER (PARTITION BY ord ORDER BY seq) AS n FROM (${callsSql(exempting)})
    ) WHERE n >= ${numberSql(number)}`;
}

/** What two calls must share to be the same. */
const KEYS: Readonly<Record<RepeatKey, readonly string[]>> = {
  call: ['request', 'result'],
  request: ['request'],
  result: ['result'],
};

/** Calls continue blocks of p events as long as each equals the one p before it: c blocks take (c - 1) p such calls. */
function inBlocksSql({ key, count, minPeriod, period }: RepeatRule, seen: string): string {
  const periods = Array.from({ length: period - minPeriod + 1 }, (_, index) => minPeriod + index);
  const continues = (each: number): string =>
    ['ord', ...KEYS[key]].map((column) => `${column} = lag(${column}, ${each}) OVER ()`).join(' AND ');
  const last = (each: number): string => `max(CASE WHEN same_${each} THEN NULL ELSE g END) ${SO_FAR} AS last_${each}`;
  const reached = periods.map((each) => `g - last_${each} >= ${numberSql((count - 1) * each)}`);
  return `SELECT ord, met, seq, tool FROM (
    SELECT ord, met, seq, tool, g, ${periods.map(last).join(', ')} FROM (
      SELECT ord, ${CALL_PLACE} AS met, seq, tool, row_number() OVER () AS g,
        ${periods.map((each) => `${continues(each)} AS same_${each}`).join(', ')}
      FROM calls WHERE ${seen})) WHERE ${reached.join(' OR ')}`;
}

/** Calls that lack what is compared equal none. */
function comparable(key: RepeatKey): string {
  return key === 'request' ? 'true' : 'result IS NOT NULL';
}

function alike(key: RepeatKey): string {
  return `PARTITION BY ${['ord', ...KEYS[key]].join(', ')} ORDER BY seq`;
}

function inRunSql(key: RepeatKey, seen: string, count: number): string {
  return `SELECT ord, met, seq, tool FROM (
    SELECT ord, met, seq, tool, row_number() OVER (${alike(key)}) AS n
    FROM (${callsSql(`${seen} AND ${comparable(key)}`)})) WHERE n >= ${numberSql(count)}`;
}

/** The call `count - 1` of its kind before lies among the last calls. */
function inWindowSql(key: RepeatKey, exempting: string | null, count: number, window: number): string {
  const number = exempting === null ? 'seq' : 'row_number() OVER (PARTITION BY ord ORDER BY seq)';
  return `SELECT ord, met, seq, tool FROM (
    SELECT ord, met, seq, tool, n - lag(n, ${numberSql(count - 1)}) OVER (${alike(key)}) AS span FROM (
      SELECT *, ${number} AS n FROM (${callsSql(exempting ?? 'true')})) WHERE ${comparable(key)}
    ) WHERE span < ${numberSql(window)}`;
}

/** Where so many calls in a row each brought what an earlier one had brought. */
function staleSql(seen: string, count: number): string {
  const inOrder = 'PARTITION BY ord ORDER BY seq';
  return `SELECT ord, min(met) AS met FROM (
    SELECT ord, met, n - coalesce(max(CASE WHEN again THEN NULL ELSE n END) OVER (
      ${inOrder} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 0) AS streak FROM (
      SELECT ord, met, seq, row_number() OVER (${inOrder}) AS n,
        result IS NOT NULL AND row_number() OVER (PARTITION BY ord, result ORDER BY seq) > 1 AS again
      FROM (${callsSql(seen)}))) WHERE streak >= ${numberSql(count)} GROUP BY ord`;
}
