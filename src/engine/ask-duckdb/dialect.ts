import type { Dialect } from '../ask/dialect.js';
import { countersSql, marksSql, passesSql } from './marks-sql.js';
import { rankSumsSql, ranksSql } from './ranks-sql.js';
import { type CodesOfTool, repeatedSql } from './rules-sql.js';
import { runsSql } from './runs-sql.js';
import { textSql } from './texts.js';

/** What DuckDB says to runs that are staged. @param codesOfTool codes of the tools that there are */
export function createDuckDbDialect(codesOfTool: CodesOfTool): Dialect {
  return {
    name: 'DuckDB',
    runs: runsSql,
    marks: (asked, marks) => marksSql(asked, marks, codesOfTool),
    withCounters: countersSql,
    passes: passesSql,
    labels: (asked) =>
      `SELECT r.*, x.label, x.value, x.place FROM (${runsSql(asked)}) AS r JOIN labels AS x ON x.ord = r.ord`,
    reachedTools: (asked, rule) =>
      `SELECT r.*, t.tool, h.place FROM (${runsSql(asked)}) AS r JOIN (
        SELECT ord, tool, CAST(min(seq) AS BIGINT) - 1 AS place FROM (${repeatedSql(rule, codesOfTool)}) GROUP BY ord, tool
      ) AS h ON h.ord = r.ord JOIN tools AS t ON t.code = h.tool`,
    ranks: ranksSql,
    rankSums: rankSumsSql,
    // Sums of whole numbers are 128 bits wide.
    sum: (expression) => `CAST(coalesce(sum(${expression}), 0) AS VARCHAR)`,
    divide: (a, b) => `((${a}) // (${b}))`,
    remainder: (a, b) => `((${a}) % (${b}))`,
    text: textSql,
  };
}
