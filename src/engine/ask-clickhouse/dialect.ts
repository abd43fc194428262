import type { RepeatRule } from '../../policy/policy.js';
import { type Dialect, type Mark, type RunsAsked, SUMMED_LIMITS, type SummedLimit } from '../ask/dialect.js';
import { addPart } from './calls.js';
import { chosen, layer } from './layers.js';
import { marksLayer } from './marks.js';
import { rankSumsSql, ranksSql, sumSql } from './ranks.js';
import { repeatSought, rulePartsOf } from './rules.js';
import { runColumns, runsLayer } from './runs.js';
import { tableSql, textSql } from './words.js';

/**
 * The words of ClickHouse over a pass table, or any view with its columns. The same text runs on servers from 18.16 on
 * and on chDB. Every run is gathered in one row, its passes as arrays in order, so that nothing is asked twice and no
 * passes leave the servers, however many of them hold rows of the run.
 *
 * @param table `table` or `database.table`
 */
export function clickHouseDialect(table: string): Dialect {
  const from = tableSql(table);
  return {
    name: 'ClickHouse',
    runs: (asked) => chosen(runsLayer(from, asked, new Set()), runColumns(asked)).sql,
    marks: (asked, marks: readonly Mark[]) => marksLayer(from, asked, marks).sql,
    withCounters: (relation) => `SELECT *, ${SUMMED_LIMITS.flatMap(countersOf).join(', ')} FROM ${relation}`,
    passes: (asked) => passesSql(from, asked),
    labels: (asked) => labelsSql(from, asked),
    reachedTools: (asked, rule) => reachedToolsSql(from, asked, rule),
    ranks: ranksSql,
    rankSums: rankSumsSql,
    sum: sumSql,
    divide: (a, b) => `intDiv(${a}, ${b})`,
    remainder: (a, b) => `((${a}) % (${b}))`,
    text: textSql,
  };
}

/** `after` may lie beyond the kept passes, where a total tells of more: an array has 0 there, which is not its counter. */
function countersOf(limit: SummedLimit): string[] {
  const at = (pass: string, hasIt: string): string =>
    `if(${hasIt} AND c_${limit}[${pass}] >= 0, c_${limit}[${pass}], NULL)`;
  const before = `c_${limit}[toInt64(after) - 1]`;
  return [
    `${at('toInt64(after)', 'after > 0 AND after <= kept')} AS at_${limit}`,
    `multiIf(after = 1, toInt64(0), after > 1 AND after <= kept + 1 AND ${before} >= 0, ${before}, NULL) AS before_${limit}`,
    `${at('1', 'kept > 0')} AS first_${limit}`,
  ];
}

function passesSql(table: string, asked: RunsAsked): string {
  const columns = runColumns(asked);
  const arrays = SUMMED_LIMITS.flatMap((limit) => [
    `arraySlice(arrayConcat([toInt64(0)], c_${limit}), 1, length(made)) AS q_${limit}`,
    `a_${limit}`,
  ]);
  const runs = runsLayer(table, asked, new Set());
  const inner = `SELECT ${[...columns, ...arrays].join(', ')}, arrayEnumerate(made) AS r_pass FROM (${runs.sql})`;
  const known = (column: string): string => `if(${column} < 0, NULL, ${column})`;
  const figures = SUMMED_LIMITS.flatMap((limit) => [
    `${known(`o_${limit}`)} AS before_${limit}`,
    `${known(`d_${limit}`)} AS add_${limit}`,
  ]);
  const joined = SUMMED_LIMITS.flatMap((limit) => [`q_${limit} AS o_${limit}`, `a_${limit} AS d_${limit}`]);
  return `SELECT ${columns.join(', ')}, toInt64(r_number) AS pass, ${figures.join(', ')} FROM (${inner}) ARRAY JOIN r_pass AS r_number, ${joined.join(', ')}`;
}

function labelsSql(table: string, asked: RunsAsked): string {
  const labels = { r_names: 'any(`labels.name`)', r_values: 'any(`labels.value`)' };
  const runs = chosen(runsLayer(table, asked, new Set(), labels), [...runColumns(asked), ...Object.keys(labels)], {
    r_places: 'arrayEnumerate(r_names)',
  });
  const own = 'r_name AS label, r_value AS value, toInt64(r_place) - 1 AS place';
  const each = 'r_names AS r_name, r_values AS r_value, r_places AS r_place';
  return `SELECT ${runColumns(asked).join(', ')}, ${own} FROM (${runs.sql}) ARRAY JOIN ${each}`;
}

function reachedToolsSql(table: string, asked: RunsAsked, rule: RepeatRule): string {
  const runs = layer(runsLayer(table, asked, new Set([...rulePartsOf(rule), 'tool'])), {
    f_place: 'arrayMap(i -> toInt64(i) - 1, arrayEnumerate(f_tool))',
  });
  const { layer: tools, column: tool } = addPart(runs, rule.exempt, 'tool');
  const { layer: places, column: place } = addPart(tools, rule.exempt, 'place');
  const { layer: found, flags } = repeatSought(places, rule);
  const columns = runColumns(asked);
  const reached = chosen(found, columns, {
    r_tools: `arrayFilter((t, f) -> f > 0, ${tool}, ${flags})`,
    r_places: `arrayFilter((p, f) -> f > 0, ${place}, ${flags})`,
  });
  const each = 'r_tools AS r_tool, r_places AS r_place, arrayEnumerateUniq(r_tools) AS r_time';
  return `SELECT ${columns.join(', ')}, r_tool AS tool, r_place AS place FROM (${reached.sql}) ARRAY JOIN ${each} WHERE r_time = 1`;
}
