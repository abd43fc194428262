import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Mark } from '../../../src/engine/ask/dialect.js';
import type { Run } from '../../../src/model/run.js';
import { passes, run } from '../../builders.js';
import { expectAnswers, expectRules } from './answers.js';
import { asked, EVERY_RULE, longExempt, manyRuns, marks, repeatingRuns } from './cases.js';
import { closeChdb, hasChdb, NEEDS_CHDB, openChdbLink } from './chdb.js';
import { expectFigures } from './figures.js';

const CASES = 20;
const SEED = 20261130;

afterAll(closeChdb);

describe.skipIf(!hasChdb)(`the dialect on chDB (${NEEDS_CHDB})`, () => {
  it('answers what the runs themselves say', async () => {
    await fc.assert(
      fc.asyncProperty(
        manyRuns,
        fc.array(fc.tuple(asked, marks), { minLength: 1, maxLength: 2 }),
        async (runs, cases) => {
          const link = await openChdbLink(runs);
          try {
            for (const [wanted, given] of cases) await expectAnswers(link, runs, wanted, given);
          } finally {
            await link.close();
          }
        },
      ),
      { numRuns: CASES, seed: SEED },
    );
  }, 600_000);

  it('finds where rules of every kind are reached', async () => {
    const [runs] = fc.sample(repeatingRuns, { numRuns: 1, seed: 20261130 }) as [Run[]];
    const link = await openChdbLink(runs);
    await expectRules(link, runs, EVERY_RULE);
    await link.close();
  }, 100_000);

  it('takes rules that leave out many tools', async () => {
    const [runs] = fc.sample(repeatingRuns, { numRuns: 1, seed: 20261130 }) as [Run[]];
    const link = await openChdbLink(runs);
    await expectRules(link, runs, longExempt('x'));
    await link.close();
  }, 100_000);

  it('ranks and adds up exactly', async () => {
    const link = await openChdbLink([]);
    await expectFigures(link, 15);
    await link.close();
  }, 100_000);

  it('takes a view whose columns are of other types of the same kind', async () => {
    const runs = fc.sample(manyRuns, { numRuns: 1, seed: SEED })[0]!;
    const [given] = fc.sample(marks, { numRuns: 1, seed: SEED }) as [Mark[]];
    const link = await openChdbLink(runs, (table) => viewSql('seen', table));
    await expectAnswers(link, runs, { by: ['kind'], where: [], calls: true }, given);
    await link.close();
  }, 60_000);

  it('tells runs apart that share a place in the order', async () => {
    const both = ['a', 'b'].map((id, index) => run({ id, passes: passes(index + 2) }, index));
    const link = await openChdbLink(
      both,
      (table) => `CREATE VIEW tied AS SELECT * REPLACE (0 AS run_order) FROM ${table}`,
    );
    const sql = link.dialect.runs({ by: [], where: [], calls: false });
    const rows: unknown[] = [];
    for await (const row of link.query(`SELECT ord, id, kept FROM (${sql}) ORDER BY ord, id`)) rows.push(row);
    expect(rows).toEqual([
      ['0', 'a', '2'],
      ['0', 'b', '3'],
    ]);
    await link.close();
  });
});

/** The pass table as somebody keeps it who packs texts that come again, and whose numbers have other widths. */
function viewSql(name: string, table: string): string {
  const packed = ['run_id', 'status', 'verdict'].map((column) => `${column}::LowCardinality(String) AS ${column}`);
  const absent = ['claim', 'reason'].map((column) => `nullIf(${column}, '') AS ${column}`);
  const arrays = ['labels.name', 'labels.value', 'calls.tool', 'calls.result'].map(
    (column) => `\`${column}\`::Array(LowCardinality(String)) AS \`${column}\``,
  );
  const others = ['pass::UInt16 AS pass', 'passes_recorded::Bool AS passes_recorded', 'run_order::Int64 AS run_order'];
  return `CREATE VIEW ${name} AS SELECT * REPLACE (${[...packed, ...absent, ...arrays, ...others].join(', ')}) FROM ${table}`;
}
