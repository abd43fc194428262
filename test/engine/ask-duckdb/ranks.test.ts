import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Link } from '../../../src/engine/ask/dialect.js';
import { hasClient, NEEDS_CLIENT } from '../client.js';
import { texts } from './made.js';
import { rowsOf } from './rows.js';
import { openDuckDbLink } from './stage-runs.js';

interface Item {
  readonly group: string | null;
  readonly value: number | null;
}

const items = fc.array(
  fc.record({
    group: fc.constantFrom('a', 'b', "c'", null),
    value: fc.oneof(fc.nat(5), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.constant(null)),
  }),
  { minLength: 1, maxLength: 30 },
);

function relationOf(link: Link, made: readonly Item[]): string {
  const rows = made.map(
    ({ group, value }) => `(${group === null ? 'NULL' : link.dialect.text(group)}, ${value === null ? 'NULL' : value})`,
  );
  return `SELECT CAST(l0 AS VARCHAR) AS l0, CAST("value" AS BIGINT) AS "value" FROM (VALUES ${rows.join(', ')}) AS t(l0, "value")`;
}

const ORDER = ' ORDER BY l0 NULLS FIRST';
const GROUPS = [null, 'a', 'b', "c'"];

function valuesIn(made: readonly Item[], group: string | null): number[] {
  const values = made.filter((item) => item.group === group).map(({ value }) => value);
  return values.filter((value) => value !== null).sort((one, other) => one - other);
}

describe.skipIf(!hasClient)(`ranks, sums and texts in DuckDB (${NEEDS_CLIENT})`, () => {
  let link: Link;
  beforeAll(async () => {
    link = await openDuckDbLink([]);
  });
  afterAll(() => link.close());

  it('gives the values at ranks of each group', async () => {
    const ranks = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(items, ranks, async (made, wanted) => {
        const sorted = [...wanted].sort((one, other) => one - other);
        const sql = link.dialect.ranks(relationOf(link, made), '"value"', ['l0'], sorted);
        const expected = GROUPS.flatMap((l0) => {
          const values = valuesIn(made, l0);
          return sorted
            .filter((rank) => rank <= values.length)
            .map((rank) => ({ l0, rank: String(rank), value: String(values[rank - 1]) }));
        });
        expect(await rowsOf(link, ['l0', 'rank', 'value'], sql, `${ORDER}, rank`)).toEqual(expected);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it.each([{ groups: ['l0'] }, { groups: [] }])('sums midranks by $groups', async ({ groups }) => {
    await fc.assert(
      fc.asyncProperty(items, async (made) => {
        const known = made.filter(({ value }) => value !== null);
        fc.pre(known.length > 0);
        const all = known.map(({ value }) => value as number);
        const doubledRank = (value: number): bigint => {
          const less = all.filter((each) => each < value).length;
          return BigInt(2 * less + all.filter((each) => each === value).length + 1);
        };
        const ties = [...new Set(all)].reduce((sum, value) => {
          const t = BigInt(all.filter((each) => each === value).length);
          return sum + t ** 3n - t;
        }, 0n);
        const keys = groups.length === 0 ? [null] : GROUPS;
        const expected = keys.flatMap((l0) => {
          const values = groups.length === 0 ? all : valuesIn(known, l0);
          if (values.length === 0) return [];
          const doubled = values.reduce((sum, value) => sum + doubledRank(value), 0n);
          const own = { n: String(values.length), doubled: String(doubled), ties: String(ties) };
          return [groups.length === 0 ? own : { l0, ...own }];
        });
        const sql = link.dialect.rankSums(relationOf(link, known), groups);
        const order = groups.length === 0 ? '' : ORDER;
        expect(await rowsOf(link, [...groups, 'n', 'doubled', 'ties'], sql, order)).toEqual(expected);
      }),
      { seed: 2, numRuns: 40 },
    );
  });

  it('sums beyond 64 bits, divides whole numbers, and keeps texts as they are', async () => {
    const largest = `CAST(${Number.MAX_SAFE_INTEGER} AS BIGINT)`;
    const many = `SELECT ${link.dialect.sum('x')} AS s, ${link.dialect.sum('CASE WHEN x < 0 THEN x END')} AS none FROM (SELECT ${largest} AS x FROM range(5000))`;
    expect(await rowsOf(link, ['s', 'none'], many)).toEqual([
      { s: String(5000n * BigInt(Number.MAX_SAFE_INTEGER)), none: '0' },
    ]);
    const divided = `SELECT ${link.dialect.divide('a + 1', 'b')} AS q, ${link.dialect.remainder('a + 1', 'b')} AS r FROM (SELECT 16 AS a, 5 AS b)`;
    expect(await rowsOf(link, ['q', 'r'], divided)).toEqual([{ q: '3', r: '2' }]);
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await rowsOf(link, ['t'], `SELECT ${link.dialect.text(text)} AS t`)).toEqual([{ t: text }]);
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});
