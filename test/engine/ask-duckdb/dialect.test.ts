import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunCondition } from '../../../src/calibrate/questions.js';
import { meets } from '../../../src/cli/where.js';
import { type Mark, type RunsAsked, SUMMED_LIMITS } from '../../../src/engine/ask/dialect.js';
import type { Run } from '../../../src/model/run.js';
import type { RepeatRule } from '../../../src/policy/policy.js';
import { hasClient, NEEDS_CLIENT } from '../client.js';
import { marks, runs, texts } from './made.js';
import { counterRow, keptOf, markRow, passRows, RUN_COLUMNS, reachedTools, runRow } from './oracle.js';
import { rowsOf } from './rows.js';
import { openDuckDbLink } from './stage-runs.js';

const SEED = { seed: 7, numRuns: 40 };
const BY = ['kind', "o'er"];
const ALL: RunsAsked = { by: BY, where: [], calls: true };
const COLUMNS = [...RUN_COLUMNS, 'l0', 'l1', 'streak', 'lacks'];

const conditions: fc.Arbitrary<RunCondition[]> = fc.array(
  fc.record({
    name: fc.oneof(fc.constantFrom('kind', 'status', 'check', 'id', 'reason', 'claim'), texts),
    value: fc.oneof(fc.constantFrom('x', 'y', '', 'passed', 'running', 'run-0', 'completed', 'passes'), texts),
    negated: fc.boolean(),
  }),
  { maxLength: 2 },
);

describe.skipIf(!hasClient)(`what DuckDB says to staged runs (${NEEDS_CLIENT})`, () => {
  it('tells all runs, and those that meet conditions', async () => {
    await fc.assert(
      fc.asyncProperty(runs, conditions, async (made, where) => {
        const link = await openDuckDbLink(made);
        const expected = made.flatMap((run, ord) => (meets(run, where) ? [runRow(run, ord, BY)] : []));
        const found = await rowsOf(link, COLUMNS, link.dialect.runs({ ...ALL, where }), ' ORDER BY ord');
        await link.close();
        expect(found).toEqual(expected);
      }),
      SEED,
    );
  }, 120_000);

  it('tells where marks are reached, and counters around any boundary', async () => {
    await fc.assert(
      fc.asyncProperty(runs, marks, fc.nat(9), async (made, asked, boundary) => {
        const link = await openDuckDbLink(made);
        const rows = made.map((run, ord) => ({
          ...runRow(run, ord, BY),
          ...Object.assign({}, ...asked.map((mark, at) => markRow(run, mark, at))),
        }));
        const sql = link.dialect.marks(ALL, asked);
        const columns = [...COLUMNS, ...asked.flatMap(columnsOfMark)];
        expect(await rowsOf(link, columns, sql, ' ORDER BY ord')).toEqual(rows);

        const kept = await link.keep(`SELECT *, greatest(0, least(${boundary}, kept)) AS after FROM (${sql})`);
        const counters = SUMMED_LIMITS.flatMap((limit) => [`at_${limit}`, `before_${limit}`, `first_${limit}`]);
        const around = await rowsOf(
          link,
          [...columns, ...counters],
          link.dialect.withCounters(kept.relation),
          ' ORDER BY ord',
        );
        await kept.release();
        await link.close();
        expect(around).toEqual(
          rows.map((row, ord) => {
            const run = made[ord] as Run;
            return { ...row, ...counterRow(run, Math.max(0, Math.min(boundary, keptOf(run)))) };
          }),
        );
      }),
      { ...SEED, numRuns: 90 },
    );
  }, 240_000);

  it('tells passes, labels, and tools at which a repeat is reached', async () => {
    await fc.assert(
      fc.asyncProperty(runs, marks, async (made, asked) => {
        const link = await openDuckDbLink(made);
        const { dialect } = link;
        const ofPass = SUMMED_LIMITS.flatMap((limit) => [`before_${limit}`, `add_${limit}`]);
        const passes = await rowsOf(link, [...COLUMNS, 'pass', ...ofPass], dialect.passes(ALL), ' ORDER BY ord, pass');
        const labels = await rowsOf(
          link,
          [...COLUMNS, 'label', 'value', 'place'],
          dialect.labels(ALL),
          ' ORDER BY ord, place',
        );
        const tools = [];
        const rules = asked.flatMap((mark) => (mark.kind === 'rule' && mark.rule.rule === 'repeat' ? [mark.rule] : []));
        for (const rule of rules) {
          const sql = dialect.reachedTools(ALL, rule);
          tools.push(await rowsOf(link, [...COLUMNS, 'tool', 'place'], sql, ' ORDER BY ord, place'));
        }
        await link.close();
        const row = (run: Run, ord: number) => runRow(run, ord, BY);
        expect(passes).toEqual(
          made.flatMap((run, ord) => passRows(run).map((pass) => ({ ...row(run, ord), ...pass }))),
        );
        expect(labels).toEqual(
          made.flatMap((run, ord) =>
            [...run.labels].map(([label, value], place) => ({ ...row(run, ord), label, value, place: String(place) })),
          ),
        );
        expect(tools).toEqual(
          rules.map((rule: RepeatRule) =>
            made.flatMap((run, ord) =>
              [...reachedTools(run, rule)].map(([tool, place]) => ({ ...row(run, ord), tool, place: String(place) })),
            ),
          ),
        );
      }),
      { ...SEED, numRuns: 60 },
    );
  }, 240_000);
});

function columnsOfMark(mark: Mark, at: number): string[] {
  return mark.kind === 'cap' ? [`p${at}`, `b${at}`] : [`p${at}`, `b${at}`, `e${at}`];
}
