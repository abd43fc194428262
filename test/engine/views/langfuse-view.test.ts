import { beforeEach, describe, expect, it } from 'vitest';
import { langfuse } from '../../../src/formats/spans/langfuse.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, viewSql, warehouseOf } from './chdb.js';
import { type Export, LANGFUSE_TABLES, observationRow, rowsOfExports, scoreRow, traceRow } from './langfuse-tables.js';
import { type PassRow, type RunShape, readShapes, shapesOfRows } from './shape.js';

type Fields = { readonly [name: string]: unknown };

const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 3, 10) + seconds * 1000).toISOString();

const span = (id: string, type: string, from: number, to: number | null, parent: string | null, more: Fields = {}) => ({
  id,
  type,
  startTime: at(from),
  endTime: to === null ? null : at(to),
  parentObservationId: parent,
  name: id,
  level: 'DEFAULT',
  ...more,
});

const usage = (input: number, output: number, more: Fields = {}): Fields => ({
  usageDetails: { input, output, total: input + output },
  model: 'm-1',
  ...more,
});

const traceOf = (id: string, from: number, more: Fields = {}): Fields => ({
  id,
  projectId: 'p',
  name: 'fix a bug',
  timestamp: at(from),
  environment: 'default',
  ...more,
});

/** One agent: a wrapped call, two tools at once in other layouts of one content, a call that was not metered, a last one. */
const STORY: Export = {
  trace: traceOf('story', 0, {
    tags: ['b', 'a'],
    metadata: { task_id: 't-7' },
    scores: [{ name: 'tests_passed', source: 'API', dataType: 'BOOLEAN', value: 1, stringValue: 'True' }],
  }),
  observations: [
    span('agent', 'AGENT', 0, 20, null),
    span('wrap', 'GENERATION', 1, 4, 'agent', usage(900, 90)),
    span('call', 'GENERATION', 2, 4, 'wrap', usage(100, 10, { costDetails: { total: 0.000_000_002_5 } })),
    span('look', 'TOOL', 5, 6, 'agent', { input: { b: [1, 2], a: 'x' }, output: 'not found', level: 'ERROR' }),
    span('look', 'TOOL', 5, 7, 'agent', { id: 'look2', input: '{"a": "x",  "b": [1, 2]}', output: 'found' }),
    span('c2', 'GENERATION', 8, 11, 'agent', { model: 'm-1' }),
    span('c3', 'GENERATION', 12, 19, 'agent', usage(300, 30, { costDetails: { input: 0.001, output: 0.000_25 } })),
  ],
};
const HOSTILE: Export = {
  trace: traceOf("it's; DROP TABLE traces --", -5, { name: '名前 🌍 "\\' }),
  observations: [
    span('h1', 'GENERATION', -5, -3, null, { ...usage(1, 2), name: "'; --" }),
    span('h2', 'TOOL', -4, -3, 'h1', { name: "tab\there 'x' \\", input: '{"ключ": "значение"}', output: '' }),
  ],
};
const SILENT: Export = {
  trace: traceOf('silent', 3),
  observations: [span('s1', 'SPAN', 3, 4, null, { level: 'ERROR', statusMessage: 'ValueError: no' })],
};
const EMPTY: Export = { trace: traceOf('empty', 2), observations: [] };
const STOPPED: Export = {
  trace: traceOf('stopped', 1),
  observations: [
    span('r', 'CHAIN', 1, 9, null, { level: 'ERROR', statusMessage: "GraphRecursionError('Recursion limit of 25')" }),
    span('r1', 'GENERATION', 2, 3, 'r', usage(5, 5)),
  ],
};
const ALL = [STORY, SILENT, STOPPED, HOSTILE, EMPTY];

describe.skipIf(!hasChdb)(`the view over Langfuse's tables (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(LANGFUSE_TABLES, 'langfuse-view.sql');
  const shapes = (view = 'capfit_langfuse'): RunShape[] =>
    shapesOfRows(warehouse.select<PassRow>(`SELECT * FROM ${view} ORDER BY run_order, pass`));
  const readAll = (exports: readonly Export[]): Promise<RunShape[]> =>
    readShapes(langfuse, exports.map((each) => JSON.stringify(each)).join('\n'));
  const insert = (exports: readonly Export[]): void => {
    for (const [table, rows] of Object.entries(rowsOfExports(exports))) warehouse.insert(table, rows);
  };

  beforeEach(() => {
    for (const table of ['traces', 'observations', 'scores']) warehouse.run(`TRUNCATE TABLE ${table}`);
  });

  it('gives runs by their start, whatever the order of the rows, as the reader gives them', async () => {
    insert(ALL);
    const runs = shapes();
    expect(runs.map(({ id, status }) => [id, status])).toEqual([
      ["it's; DROP TABLE traces --", 'done_claimed'],
      ['story', 'done_verified'],
      ['stopped', 'stopped_budget'],
      ['empty', 'done_claimed'],
      ['silent', 'halted_error'],
    ]);
    expect(runs).toEqual(await readAll(ALL));
  });

  it('counts nested calls once, joins parallel tools to their pass and rounds half nanodollars to even', () => {
    insert([STORY]);
    const none = { input: null, output: null, nanos: null };
    expect(shapes()).toEqual([
      {
        id: 'story',
        status: 'done_verified',
        verdict: 'passed',
        claim: null,
        reason: null,
        startedAt: '2026-11-03T10:00:00.000000Z',
        labels: {
          agent: 'agent',
          environment: 'default',
          model: 'm-1',
          name: 'fix a bug',
          root: 'agent',
          tags: 'a,b',
          task_id: 't-7',
        },
        totalTokens: null,
        passes: [
          {
            input: 100,
            output: 10,
            micros: 6_000_000,
            nanos: 2,
            calls: [
              { tool: 'look', args: 1, result: 1, failed: true },
              { tool: 'look', args: 1, result: 2, failed: false },
            ],
          },
          { ...none, micros: 4_000_000, calls: [] },
          { input: 300, output: 30, micros: 8_000_000, nanos: 1_250_000, calls: [] },
        ],
      },
    ]);
  });

  it('takes the newest version of a row, also where its day or type has changed, and no deleted one', async () => {
    insert([STORY]);
    const later = { event_ts: '2026-11-02T00:00:00.000Z' };
    const gone = { ...later, is_deleted: 1 };
    const [agent, , call, , , c2] = STORY.observations as [Fields, Fields, Fields, Fields, Fields, Fields];
    const fixed = { ...c2, ...usage(200, 20), endTime: at(10) };
    const longer = { ...agent, type: 'CHAIN', endTime: at(25) };
    const fresh = { ...call, id: 'gone', startTime: at(15) };
    warehouse.insert('observations', [
      observationRow(fixed, 'story', later),
      observationRow(longer, 'story', later),
      observationRow(fresh, 'story'),
      observationRow(fresh, 'story', gone),
    ]);
    warehouse.insert('traces', [
      traceRow({ ...STORY.trace, name: 'renamed' }, later),
      traceRow(traceOf('gone', 1)),
      traceRow(traceOf('gone', 1), gone),
    ]);
    const doubt = { id: 'doubt', name: 'resolved', source: 'API', value: 0 };
    warehouse.insert('scores', [scoreRow(doubt, 'story', 9), scoreRow(doubt, 'story', 9, gone)]);
    const now = STORY.observations.map((each) => (each === agent ? longer : each === c2 ? fixed : each));
    const state = { trace: { ...STORY.trace, name: 'renamed' }, observations: now };
    expect(shapes()).toEqual(await readAll([state]));
    expect(shapes()[0]?.labels).toMatchObject({ name: 'renamed', root: 'agent' });
  });

  it('keeps traces of one id in two projects apart', () => {
    const inProject = (rows: Fields[], project: string) => rows.map((row) => ({ ...row, project_id: project }));
    for (const project of ['p', 'q']) {
      for (const [table, rows] of Object.entries(rowsOfExports([STORY]))) {
        warehouse.insert(table, inProject(rows, project));
      }
    }
    expect(shapes().map(({ id, passes }) => [id, passes?.length])).toEqual([
      ['story', 3],
      ['story', 3],
    ]);
  });

  it('has a run of observations without a trace, and takes the name of a score of your own', () => {
    const { observations, scores } = rowsOfExports([STORY]);
    warehouse.insert('observations', observations);
    warehouse.insert(
      'scores',
      scores.map((score) => ({ ...score, name: 'Grader says OK' })),
    );
    expect(shapes().map(({ status, labels }) => [status, labels.name])).toEqual([['done_claimed', undefined]]);
    const own = viewSql('langfuse-view.sql').replace('capfit_langfuse AS', 'own_view AS');
    warehouse.run(own.replace("['pass', 'passed',", "['grader_says_ok', 'passed',"));
    expect(shapes('own_view').map(({ status }) => status)).toEqual(['done_verified']);
  });
});
