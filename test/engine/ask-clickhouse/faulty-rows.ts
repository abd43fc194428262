import { expect } from 'vitest';
import type { Row } from '../../../src/engine/ask/dialect.js';
import { rowFaultsSql, toldFaults } from '../../../src/engine/ask-clickhouse/check-rows.js';
import { passLines } from '../../../src/engine/ask-clickhouse/rows.js';
import { digestOf } from '../../../src/formats/csv/digest.js';
import type { Run } from '../../../src/model/run.js';
import { passes, run } from '../../builders.js';

/** A row by the names of its columns. */
export type PassRow = { readonly [column: string]: string | number | null | readonly (string | number)[] };

type Changes = Readonly<Record<string, PassRow[string]>>;
type Rows = (id: string) => PassRow[];

/** The rows of a sound run of three passes, with the same changes in each. */
export function sound(id: string, changes: Changes = {}): PassRow[] {
  const made = passes(3, { calls: [{ tool: 'read', args: 1, result: 2 }] });
  const whole = run({ id, status: 'done_verified', check: 'passed', labels: { kind: 'x', model: 'm' }, passes: made });
  return rowsOf(whole).map((row) => ({ ...row, ...changes }));
}

function rowsOf(whole: Run): PassRow[] {
  return passLines(whole, 0, digestOf).map((line) => JSON.parse(line) as PassRow);
}

/** The one row of a run without passes. */
function bare(id: string, changes: Changes = {}): PassRow {
  return { ...rowsOf(run({ id, labels: { kind: 'x', model: 'm' }, passes: [] }))[0], ...changes };
}

const every =
  (changes: Changes): Rows =>
  (id) =>
    sound(id, changes);

const second =
  (changes: Changes): Rows =>
  (id) =>
    sound(id).map((row, index) => (index === 1 ? { ...row, ...changes } : row));

const BEYOND = '9007199254740992';
const OF_PASS = ['input_tokens', 'output_tokens', 'microseconds', 'nanodollars', 'steps'];
const OF_RUN = [
  ...['total_passes', 'total_tokens', 'total_microseconds', 'total_nanodollars'],
  ...['passes', 'tokens', 'microseconds', 'nanodollars', 'steps'].map((limit) => `recorded_under_${limit}`),
];
const ENDING = 'has rows that disagree in status, verdict, claim or reason';
const LONG = 'x'.repeat(100);

/** What is said of rows that no recording has. */
const CASES: readonly (readonly [Rows, ...string[]])[] = [
  [(id) => [...sound(id), ...sound(id)], 'has pass 1 twice'],
  [(id) => [...sound(id), sound(id)[1]!], 'has pass 2 twice'],
  [(id) => [bare(id), bare(id)], 'has pass 0 twice'],
  [(id) => [bare(id), ...sound(id)], 'has pass 0 beside other passes'],
  [second({ pass: 4 }), 'has no pass 2'],
  [(id) => sound(id).slice(1), 'has no pass 1'],
  [second({ run_order: 9 }), 'has rows that disagree in run_order'],
  [second({ status: 'running' }), ENDING],
  [second({ claim: 'blocked' }), ENDING],
  [second({ reason: 'why' }), ENDING],
  [second({ 'labels.value': ['x', 'n'] }), 'has rows that disagree in labels'],
  [second({ 'labels.name': ['kind'], 'labels.value': ['x'] }), 'has rows that disagree in labels'],
  [second({ total_tokens: 1 }), 'has rows that disagree in totals'],
  [second({ recorded_under_steps: 1 }), 'has rows that disagree in recorded_under'],
  [second({ started_at: '2026-01-01' }), 'has rows that disagree in started_at'],
  [second({ passes_recorded: 0 }), 'has rows that disagree in passes_recorded', 'has passes, and passes_recorded = 0'],
  [every({ passes_recorded: 2 }), 'has a passes_recorded that is neither 0 nor 1'],
  [every({ run_order: BEYOND }), 'has no run_order from 0 to 2^53'],
  [every({ status: "done\n'" }), 'has the status "done\\n\'"'],
  [every({ verdict: '' }), 'has the verdict ""'],
  [every({ claim: LONG }), `has the claim "${LONG.slice(20)}…"`],
  [every({ verdict: 'failed' }), 'has status done_verified with verdict failed'],
  [every({ verdict: 'none' }), 'has status done_verified with verdict none'],
  [every({ status: 'done_claimed' }), 'has status done_claimed with verdict passed'],
  [every({ 'labels.name': ['kind', 'kind'] }), 'has a label twice'],
  [second({ 'calls.failed': [2] }), 'has a calls.failed that is neither 1 nor 0 nor -1'],
  ...OF_PASS.map((column): [Rows, string] => [second({ [column]: -1 }), `has negative ${column}`]),
  ...OF_RUN.map((column): [Rows, string] => [every({ [column]: -1 }), `has negative ${column}`]),
  ...OF_RUN.map((column): [Rows, string] => [
    every({ [column]: BEYOND }),
    `has ${column} above 2^53, which are not exact`,
  ]),
  ...OF_PASS.map((column): [Rows, ...string[]] => [
    second({ [column]: BEYOND }),
    `has ${column} above 2^53, which are not exact`,
    `has ${column.replace(/^.*_/, '')} that add up to more than 2^53, which is not exact`,
  ]),
  [every({ nanodollars: '9007199254740990' }), 'has nanodollars that add up to more than 2^53, which is not exact'],
];

/** Rows that look odd and are sound. */
export function oddRows(): PassRow[] {
  return [
    ...sound('reversed').reverse(),
    ...sound('swapped').map((row, index) =>
      index === 1 ? { ...row, 'labels.name': ['model', 'kind'], 'labels.value': ['m', 'x'] } : row,
    ),
    bare('none'),
    bare('unknown', { passes_recorded: 0, status: 'running', verdict: 'failed' }),
    ...sound('largest', { total_tokens: '9007199254740991', microseconds: '3002399751580330' }),
  ];
}

/** All of them, each as two runs but the first. */
export function faultyRows(): PassRow[] {
  return [
    ...CASES.flatMap(([rows], index) => idsOf(index).flatMap(rows)),
    ...oddRows(),
    ...sound('none', { run_id: '' }),
  ];
}

function idsOf(index: number): string[] {
  const id = `it's "${String(index).padStart(2, '0')}"`;
  return index === 0 ? [id] : [`${id} a`, `${id} b`];
}

/** Holds what is said of them against what should be. */
export async function expectFaults(query: (sql: string) => AsyncIterable<Row>, table: string): Promise<void> {
  const found: Row[] = [];
  for await (const row of query(rowFaultsSql(table))) found.push(row);
  const ids = new Map<string, string[]>([['has no run_id', ['']]]);
  for (const [index, [, ...said]] of CASES.entries())
    for (const each of said) ids.set(each, [...(ids.get(each) ?? []), ...idsOf(index)]);
  // Which pass is twice or not there is told of the run that is named only.
  const merged = new Map<string, { says: string; ids: string[] }>();
  for (const [says, each] of ids) {
    const kind = says.replace(/pass [1-9]/, 'pass N').replace(/^(has the \w+) .*/, '$1');
    const first = merged.get(kind) ?? { says, ids: [] };
    merged.set(kind, { says: first.says, ids: [...first.ids, ...each] });
  }
  const expected = [...merged.values()].map(({ says, ids: those }) => {
    const others = those.length === 1 ? '' : ` (${those.length} runs like that)`;
    return `run ${JSON.stringify(those[0])} ${says} in ${table}${others}`;
  });
  expect(
    toldFaults(table, found)
      .map(({ said }) => said)
      .sort(),
  ).toEqual(expected.sort());
}
