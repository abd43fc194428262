import { type Mark, NO_PLACE, type RunsAsked, STEP, SUMMED_LIMITS, type SummedLimit } from '../ask/dialect.js';
import { type CodesOfTool, ruleSql } from './rules-sql.js';
import { runsSql } from './runs-sql.js';
import { named, numberSql } from './texts.js';

type Cap = Extract<Mark, { kind: 'cap' }>;
/** With all its digits, which the number does not print. */
const NOWHERE = numberSql(NO_PLACE);

type RuleMark = Extract<Mark, { kind: 'rule' }>;

/** The runs that are asked for with the places of all marks. */
export function marksSql(asked: RunsAsked, marks: readonly Mark[], codesOfTool: CodesOfTool): string {
  const columns: string[] = [];
  const joins: string[] = [];
  const aggregates: string[] = [];
  for (const [at, mark] of marks.entries()) {
    if (mark.kind === 'cap') {
      aggregates.push(...capAggregates(mark, at));
      columns.push(...capColumns(mark, at));
    } else {
      const { hits, blinds } = ruleSql(mark.rule, codesOfTool);
      joins.push(`LEFT JOIN (${hits}) AS h${at} ON h${at}.ord = r.ord`);
      if (blinds !== null) joins.push(`LEFT JOIN (${blinds}) AS v${at} ON v${at}.ord = r.ord`);
      columns.push(...ruleColumns(mark, at, blinds !== null));
    }
  }
  if (aggregates.length > 0) joins.unshift(`LEFT JOIN (${capsSql(marks, aggregates)}) AS c ON c.ord = r.ord`);
  return `SELECT ${['r.*', ...columns].join(', ')} FROM (${runsSql(asked)}) AS r ${joins.join(' ')}`;
}

function capsSql(marks: readonly Mark[], aggregates: readonly string[]): string {
  // The window costs a pass over the table on one core, and is asked for rarely.
  const looksBack = marks.some((mark) => mark.kind === 'cap' && mark.atDispatch);
  const passes = looksBack ? `(SELECT *, ${beforeSql('steps')} AS before_steps FROM passes)` : 'passes';
  return `SELECT ord, ${aggregates.join(', ')} FROM ${passes} GROUP BY ord`;
}

/** A counter before the pass of the row, of a table that lies in the order of the recording. */
function beforeSql(limit: SummedLimit): string {
  return `CASE WHEN pass = 1 THEN 0 ELSE lag(${limit}) OVER () END`;
}

/** Counters never fall and are unknown from some pass on, so that first passes are smallest ones. */
function capAggregates({ limit, cap, atDispatch }: Cap, at: number): string[] {
  const atCap = numberSql(cap);
  return [
    `min(pass) FILTER (WHERE ${limit} >= ${atCap}) AS k${at}`,
    `min(pass) FILTER (WHERE ${limit} IS NULL) AS u${at}`,
    ...(atDispatch
      ? [
          `min(${insideSql('pass', `greatest(1, (${atCap} - before_steps + 1) // 2)`)})
            FILTER (WHERE calls > 0 AND before_steps + 2 * calls >= ${atCap}) AS d${at}`,
        ]
      : []),
  ];
}

function capColumns({ atDispatch }: Cap, at: number): string[] {
  const boundary = `CASE WHEN c.k${at} < r.kept THEN ${boundarySql(`c.k${at}`)} ELSE ${NOWHERE} END`;
  const first = atDispatch ? `least(${boundary}, coalesce(c.d${at}, ${NOWHERE}))` : boundary;
  return [`${first} AS p${at}`, `coalesce(${boundarySql(`c.u${at}`)}, ${NOWHERE}) AS b${at}`];
}

function ruleColumns({ rule }: RuleMark, at: number, canBeBlind: boolean): string[] {
  const pass = (alias: string): string => `${alias}${at}.met // ${STEP}`;
  const inside = (alias: string): string => insideSql(pass(alias), `${alias}${at}.met % ${STEP}`);
  const place =
    rule.when === 'before_dispatch'
      ? `coalesce(${inside('h')}, ${NOWHERE})`
      : `CASE WHEN ${pass('h')} < r.kept THEN ${boundarySql(pass('h'))} ELSE ${NOWHERE} END`;
  const isUnseen = `v${at}.met IS NULL OR ${pass('v')} > ${pass('h')}`;
  const blind = canBeBlind ? `CASE WHEN ${isUnseen} THEN ${NOWHERE} ELSE ${inside('v')} END` : NOWHERE;
  const isReached = `CASE WHEN h${at}.met IS NULL THEN 0 ELSE 1 END`;
  return [`${place} AS p${at}`, `CAST(${blind} AS BIGINT) AS b${at}`, `CAST(${isReached} AS BIGINT) AS e${at}`];
}

/** The place of the boundary after a pass. */
function boundarySql(pass: string): string {
  return `CAST(${pass} AS BIGINT) * ${2 * STEP}`;
}

/** The place before a call of a pass. */
function insideSql(pass: string, call: string): string {
  return `(2 * CAST(${pass} AS BIGINT) - 1) * ${STEP} + ${call}`;
}

/** A relation of marks with the counters around the boundary after `after` passes. */
export function countersSql(relation: string): string {
  const found = (limit: string, pass: string): string => `max(CASE WHEN p.pass = ${pass} THEN p.${limit} END)`;
  const counters = SUMMED_LIMITS.flatMap((limit) => [
    `${found(limit, 't.after')} AS at_${limit}`,
    `${found(limit, 't.after - 1')} AS before_${limit}`,
    `${found(limit, '1')} AS first_${limit}`,
  ]);
  const columns = SUMMED_LIMITS.flatMap((limit) => [
    `k.at_${limit}`,
    `CASE WHEN m.after = 1 THEN 0 ELSE k.before_${limit} END AS before_${limit}`,
    `k.first_${limit}`,
  ]);
  // One look at the passes for all of them; a join for each place took twice the time.
  return `SELECT * FROM (WITH m AS MATERIALIZED (SELECT * FROM ${named(relation, 'x')}),
    k AS (SELECT p.ord, ${counters.join(', ')} FROM passes AS p
      JOIN (SELECT ord, after FROM m) AS t ON t.ord = p.ord
      WHERE p.pass = 1 OR p.pass = t.after OR p.pass = t.after - 1 GROUP BY p.ord)
    SELECT m.*, ${columns.join(', ')} FROM m LEFT JOIN k ON k.ord = m.ord) AS counted`;
}

/** Every kept pass of the runs that are asked for, with the counters before it and what it used. */
export function passesSql(asked: RunsAsked): string {
  const befores = SUMMED_LIMITS.map((limit) => `${beforeSql(limit)} AS before_${limit}`);
  const columns = SUMMED_LIMITS.flatMap((limit) => [
    `p.before_${limit}`,
    `p.${limit} - p.before_${limit} AS add_${limit}`,
  ]);
  return `SELECT r.*, CAST(p.pass AS BIGINT) AS pass, ${columns.join(', ')} FROM (${runsSql(asked)}) AS r
    JOIN (SELECT *, ${befores.join(', ')} FROM passes) AS p ON p.ord = r.ord`;
}
