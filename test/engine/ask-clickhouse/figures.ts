import fc from 'fast-check';
import { expect } from 'vitest';
import type { Link } from '../../../src/engine/ask/dialect.js';
import { HOSTILE } from './cases.js';

interface Valued {
  readonly group: string | null;
  readonly value: number | null;
}

const rows: fc.Arbitrary<Valued[]> = fc.array(
  fc.record({
    group: fc.constantFrom(null, 'a', "b'", ''),
    value: fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.constantFrom(null, 9_007_199_254_740_991, 1_000_000_000, 999_999_999),
    ),
  }),
  { maxLength: 12 },
);

/** Order statistics, rank sums, sums and texts against what plain loops say. */
export async function expectFigures(link: Link, cases: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), async (given, isGrouped) => {
      const groups = isGrouped ? ['l0'] : [];
      const keyed = isGrouped ? given : given.map((row) => ({ ...row, group: null }));
      await expectRanks(link, relationOf(link, keyed, 'v'), groups, keyed);
      const whole = keyed.filter((row): row is Known => row.value !== null);
      if (whole.length > 0) await expectRankSums(link, relationOf(link, whole, 'value'), groups, whole);
      await expectSum(link, relationOf(link, keyed, 'v'), keyed);
    }),
    { numRuns: cases, seed: 20261130 },
  );
  await expectWords(link);
}

type Known = { readonly group: string | null; readonly value: number };

/** No rows are a relation as well. */
function relationOf({ dialect }: Link, given: readonly Valued[], name: string): string {
  const row = ({ group, value }: Valued): string =>
    `SELECT CAST(${group === null ? 'NULL' : dialect.text(group)} AS Nullable(String)) AS l0, CAST(${value} AS Nullable(Int64)) AS ${name}, 1 AS used`;
  const none = `${row({ group: null, value: null }).replace('1 AS used', '0 AS used')}`;
  return `(SELECT l0, ${name} FROM (${[none, ...given.map(row)].join(' UNION ALL ')}) WHERE used = 1)`;
}

async function collected(link: Link, sql: string): Promise<string[]> {
  const found: string[] = [];
  for await (const row of link.query(sql)) found.push(JSON.stringify(row));
  return found.sort();
}

function byGroup(given: readonly Known[], isGrouped: boolean): Map<string | null, number[]> {
  const groups = new Map<string | null, number[]>();
  for (const { group, value } of given) {
    const key = isGrouped ? group : null;
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

async function expectRanks(
  link: Link,
  relation: string,
  groups: readonly string[],
  given: readonly Valued[],
): Promise<void> {
  const wanted = [1, 2, 3, 7];
  const sql = link.dialect.ranks(relation, 'v', groups, wanted);
  const known = given.filter((row): row is Known => row.value !== null);
  const expected = [...byGroup(known, groups.length > 0)].flatMap(([group, values]) => {
    const sorted = [...values].sort((a, b) => a - b);
    return wanted
      .filter((rank) => rank <= sorted.length)
      .map((rank) => [...(groups.length > 0 ? [group] : []), String(rank), String(sorted[rank - 1])]);
  });
  const found = await collected(link, `SELECT ${[...groups, 'rank', 'value'].join(', ')} FROM (${sql})`);
  expect(found).toEqual(expected.map((row) => JSON.stringify(row)).sort());
}

async function expectRankSums(
  link: Link,
  relation: string,
  groups: readonly string[],
  given: readonly Known[],
): Promise<void> {
  const all = given.map(({ value }) => value);
  const smaller = (value: number): number => all.filter((each) => each < value).length;
  const tied = (value: number): number => all.filter((each) => each === value).length;
  const ties = [...new Set(all)].reduce((sum, value) => sum + tied(value) ** 3 - tied(value), 0);
  const expected = [...byGroup(given, groups.length > 0)].map(([group, values]) => {
    const doubled = values.reduce((sum, value) => sum + 2 * smaller(value) + tied(value) + 1, 0);
    return [...(groups.length > 0 ? [group] : []), String(values.length), String(doubled), String(ties)];
  });
  const sql = link.dialect.rankSums(relation, groups);
  const found = await collected(link, `SELECT ${[...groups, 'n', 'doubled', 'ties'].join(', ')} FROM (${sql})`);
  expect(found).toEqual(expected.map((row) => JSON.stringify(row)).sort());
}

async function expectSum(link: Link, relation: string, given: readonly Valued[]): Promise<void> {
  const { dialect } = link;
  const sum = given.reduce((so, { value }) => so + BigInt(value ?? 0), 0n);
  const sql = `SELECT ${dialect.sum('v')}, ${dialect.sum('v * 1000')}, ${dialect.sum('0 - v')} FROM ${relation}`;
  expect(await collected(link, sql)).toEqual([JSON.stringify([sum, sum * 1000n, -sum].map(String))]);
}

async function expectWords(link: Link): Promise<void> {
  const { dialect } = link;
  const texts = [...HOSTILE, '', '\b\f\x01\x7F', 'a'.repeat(5000), '\uDFFF', 'a\uD800\uDC00'];
  for (const text of texts) {
    const clean = text.replace(/\p{Surrogate}/gu, '\uFFFD');
    expect(await collected(link, `SELECT ${dialect.text(text)} AS x`)).toEqual([JSON.stringify([clean])]);
  }
  const big = '9007199254740993';
  const sql = `SELECT ${dialect.divide(big, '2')} AS d, ${dialect.remainder(big, '1000')} AS r, toInt64(${big}) AS n, NULL AS x`;
  expect(await collected(link, sql)).toEqual([JSON.stringify(['4503599627370496', '993', big, null])]);
  // More than 64 bits hold.
  const many = `(SELECT toInt64(9007199254740991) AS v FROM numbers(100000))`;
  expect(await collected(link, `SELECT ${dialect.sum('v')} AS s FROM ${many}`)).toEqual(['["900719925474099100000"]']);
  const ties = `(SELECT toInt64(1) AS value FROM numbers(3000000))`;
  const cubed = 3_000_000n ** 3n - 3_000_000n;
  expect(await collected(link, `SELECT ties FROM (${dialect.rankSums(ties, [])})`)).toEqual([
    JSON.stringify([String(cubed)]),
  ]);
}
