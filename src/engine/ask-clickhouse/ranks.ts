import { aliasesOf } from './layers.js';

/** Values at ranks, from the sorted array of each group: no window function is needed, nor a pass over it for each rank. */
export function ranksSql(
  relation: string,
  column: string,
  groups: readonly string[],
  ranks: readonly number[],
): string {
  const names = groups.map((_, index) => `r_${index}`);
  const keys = groups.map((group, index) => `${group} AS r_${index}`);
  const by = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`;
  const sorted = `SELECT ${[...keys, 'arraySort(groupArray(assumeNotNull(r_given))) AS r_sorted'].join(', ')} FROM (SELECT ${[...groups, `${column} AS r_given`].join(', ')} FROM ${relation}) WHERE r_given IS NOT NULL${by}`;
  const values = `[${ranks.map((rank) => `r_sorted[${rank}]`).join(', ')}]`;
  const picked = `SELECT ${[...names, 'toInt64(length(r_sorted)) AS r_size', `[${ranks.join(', ')}] AS r_ranks`, `${values} AS r_values`].join(', ')} FROM (${sorted})`;
  const named = names.map((name, index) => `${name} AS ${groups[index]}`);
  return `SELECT ${[...named, 'toInt64(r_rank) AS rank', 'r_value AS value'].join(', ')} FROM (${picked}) ARRAY JOIN r_ranks AS r_rank, r_values AS r_value WHERE r_rank <= r_size`;
}

/**
 * Sums of midranks. A value that t rows share, with b smaller ones before it, has the midrank b + (t + 1) / 2 for each of
 * them.
 */
export function rankSumsSql(relation: string, groups: readonly string[]): string {
  const own = `SELECT ${[...groups.map((group, i) => `${group} AS r_${i}`), 'toInt64(assumeNotNull(value)) AS r_value', 'toInt64(count()) AS r_own'].join(', ')} FROM ${relation} GROUP BY ${[...groups, 'value'].join(', ')}`;
  const names = groups.map((_, index) => `r_${index}`);
  const by = names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`;
  const sums = {
    n: 'toInt64(sum(r_own))',
    doubled: sumSql('r_own * (2 * r_before + r_tied + 1)'),
    ties: 'any(r_ties)',
  };
  const named = names.map((name, index) => `${name} AS ${groups[index]}`);
  const joined = `SELECT ${[...names, 'r_own', 'r_before', 'r_tied', 'r_ties'].join(', ')} FROM (${own}) AS r_left ANY LEFT JOIN (${tiesSql(relation)}) AS r_right USING (r_value)`;
  const answer = `SELECT ${[...named, ...aliasesOf(sums)].join(', ')} FROM (${joined})${by}`;
  return names.length === 0 ? `SELECT n, doubled, ties FROM (${answer}) WHERE n > 0` : answer;
}

/** Every value with how many rows have it, how many have a smaller one, and the ties of all of them. */
function tiesSql(relation: string): string {
  const counted = `SELECT toInt64(assumeNotNull(value)) AS r_each, toInt64(count()) AS r_count FROM ${relation} GROUP BY value`;
  const all = `SELECT arraySort(x -> tupleElement(x, 1), groupArray(tuple(r_each, r_count))) AS r_all, ${cubesSql('r_count')} AS r_ties FROM (${counted})`;
  const element = (index: number): string => `arrayMap(x -> tupleElement(x, ${index}), r_all)`;
  const before = `arrayMap((s, x) -> s - tupleElement(x, 2), arrayCumSum(${element(2)}), r_all)`;
  const arrays = `SELECT r_ties, ${element(1)} AS r_values, ${element(2)} AS r_counts, ${before} AS r_sums FROM (${all})`;
  return `SELECT r_value, r_tied, r_before, r_ties FROM (${arrays}) ARRAY JOIN r_values AS r_value, r_counts AS r_tied, r_sums AS r_before`;
}

/** Sums are kept in two parts, so that the upper one counts what no 64 bits hold. */
const PART = 10 ** 9;

/** An exact sum as text. Wide decimals would do on young servers, but old ones print them wrong. */
export function sumSql(expression: string): string {
  const whole = `toInt64(ifNull(${expression}, 0))`;
  const low = `((${whole} % ${PART} + ${PART}) % ${PART})`;
  return partsText(`sum(intDiv(${whole} - ${low}, ${PART}))`, `sum(${low})`);
}

/** The sum of t^3 - t: t times t^2 - 1, which is split before it is multiplied. */
function cubesSql(t: string): string {
  const square = `(${t} * ${t} - 1)`;
  const low = `(${t} * (${square} % ${PART}))`;
  return partsText(`sum(${t} * intDiv(${square}, ${PART}) + intDiv(${low}, ${PART}))`, `sum(${low} % ${PART})`);
}

/** Two sums as one number; of a negative one the lower part is what the upper one has too much. */
function partsText(high: string, low: string): string {
  const whole = `toInt64(${high}) + intDiv(toInt64(${low}), ${PART})`;
  const rest = `toInt64(${low}) % ${PART}`;
  const digits = (h: string, l: string): string =>
    `if(${h} = 0, toString(${l}), concat(toString(${h}), substring(toString(${PART} + ${l}), 2)))`;
  const negative = `concat('-', if(l = 0, ${digits('-h', 'l')}, ${digits('-h - 1', `${PART} - l`)}))`;
  return `arrayElement(arrayMap((h, l) -> if(h < 0, ${negative}, ${digits('h', 'l')}), [${whole}], [${rest}]), 1)`;
}
