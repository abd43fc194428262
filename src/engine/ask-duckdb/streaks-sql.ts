import { STEP } from '../ask/dialect.js';
import { numberSql } from './texts.js';

/** The place of a call as the pass in steps and its number. */
export const CALL_PLACE = `CAST(pass AS BIGINT) * ${STEP} + call`;

/** The calls that meet a condition. */
export function callsSql(condition: string): string {
  return `SELECT ord, ${CALL_PLACE} AS met, seq, tool, request, result FROM calls WHERE ${condition}`;
}

/** Along the table as it lies. */
export const SO_FAR = 'OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)';

/**
 * The first call of each run with which so many in a row meet a condition. Rows are numbered; the last one that breaks
 * the row is the largest number met so far, and the start of a run breaks it one before itself.
 */
export function inARowSql(flag: string, seen: string, count: number): string {
  return `SELECT ord, min(met) AS met FROM (
    SELECT ord, met, g - max(CASE WHEN flag THEN CASE WHEN before = ord THEN NULL ELSE g - 1 END ELSE g END) ${SO_FAR} AS streak
    FROM (
      SELECT ord, ${CALL_PLACE} AS met, ${flag} AS flag, row_number() OVER () AS g,
        lag(ord) OVER () AS before FROM calls WHERE ${seen})
    ) WHERE streak >= ${numberSql(count)} GROUP BY ord`;
}

/** The first pass of each run with which so many in a row make no call. */
export function idleSql(count: number): string {
  return `SELECT ord, min(CAST(pass AS BIGINT) * ${STEP}) AS met FROM (
    SELECT ord, pass, g - max(CASE WHEN calls > 0 THEN g WHEN pass = 1 THEN g - 1 END) ${SO_FAR} AS streak
    FROM (SELECT ord, pass, calls, row_number() OVER () AS g FROM passes)
    ) WHERE streak >= ${numberSql(count)} GROUP BY ord`;
}
