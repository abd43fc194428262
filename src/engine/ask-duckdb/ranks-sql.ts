import { named, numberSql } from './texts.js';

/** The values of a column at some ranks of each group. */
export function ranksSql(
  relation: string,
  column: string,
  groups: readonly string[],
  ranks: readonly number[],
): string {
  const wanted = ranks.length === 0 ? 'false' : `"rank" IN (${ranks.map(numberSql).join(', ')})`;
  return `SELECT ${listed(groups)}"rank", "value" FROM (
    SELECT ${listed(groups)}${column} AS "value", row_number() OVER (${partition(groups)}ORDER BY ${column}) AS "rank"
    FROM ${named(relation, 'x')} WHERE ${column} IS NOT NULL) AS ranked WHERE ${wanted}`;
}

/** Twice the sum of midranks of each group: with `less` smaller values, t equal ones have the midrank less + (t + 1) / 2. */
export function rankSumsSql(relation: string, groups: readonly string[]): string {
  const times = 'CAST(t AS HUGEINT)';
  return `SELECT ${listed(groups)}count(*) AS n, CAST(sum(doubled) AS VARCHAR) AS doubled,
      CAST(any_value(ties) AS VARCHAR) AS ties
    FROM ${named(relation, 'x')} JOIN (
      SELECT "value", 2 * (sum(t) OVER (ORDER BY "value" ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - t) + t + 1
          AS doubled,
        sum(${times} * ${times} * ${times} - t) OVER () AS ties
      FROM (SELECT "value", count(*) AS t FROM ${named(relation, 'y')} GROUP BY "value") AS tied) AS midranks
      ON midranks."value" = x."value"
    ${groups.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${groups.join(', ')}`}`;
}

function listed(groups: readonly string[]): string {
  return groups.map((group) => `${group}, `).join('');
}

function partition(groups: readonly string[]): string {
  return groups.length === 0 ? '' : `PARTITION BY ${groups.join(', ')} `;
}
