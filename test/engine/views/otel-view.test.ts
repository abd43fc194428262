import { beforeEach, describe, expect, it } from 'vitest';
import { otlp } from '../../../src/formats/spans/otlp.js';
import type { Json } from '../../../src/model/json.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, viewSql, warehouseOf } from './chdb.js';
import { OTEL_TABLES, rowsOfExport } from './otel-tables.js';
import { type PassRow, type RunShape, readShapes, shapesOfRows } from './shape.js';

const BASE = 1_793_700_000_000_000_000n;
const TRACE = 'a'.repeat(32);

type Fields = { readonly [name: string]: Json };

const nanosAt = (seconds: number): string => String(BASE + BigInt(seconds * 1000) * 1_000_000n);
const listOf = (attributes: Fields): Json[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? Number.isInteger(value)
          ? { intValue: value }
          : { doubleValue: value }
        : { stringValue: value },
  }));

function span(
  id: number,
  parent: number | null,
  from: number,
  to: number | null,
  attributes: Fields,
  more: Fields = {},
): Fields {
  return {
    traceId: TRACE,
    spanId: id.toString(16).padStart(16, '0'),
    parentSpanId: parent === null ? '' : parent.toString(16).padStart(16, '0'),
    name: `span ${id}`,
    startTimeUnixNano: nanosAt(from),
    endTimeUnixNano: to === null ? '0' : nanosAt(to),
    attributes: listOf(attributes),
    ...more,
  };
}

const chat = (input: number, output: number): Fields => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.response.model': 'm-1',
});
const look = (args: string, result: string): Fields => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': "look '; DROP TABLE x --",
  'gen_ai.tool.call.arguments': args,
  'gen_ai.tool.call.result': result,
});

const exportOf = (spans: readonly Fields[], service = 'shop 🌍'): Json => ({
  resourceSpans: [
    { resource: { attributes: listOf({ 'service.name': service }) }, scopeSpans: [{ spans: [...spans] }] },
  ],
});

const STORY: readonly Fields[] = [
  span(
    1,
    null,
    0,
    20,
    { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'fixer' },
    { status: { code: 1 } },
  ),
  span(2, 1, 1, 4, { ...chat(100, 10), 'gen_ai.usage.cost': 0.000_000_002_5 }),
  span(3, 1, 5, 6, look('{"b": [1, 2], "a": "x"}', 'not found'), { status: { code: 2, message: 'KeyError: x' } }),
  span(4, 1, 5, 7, look('{"a":"x","b":[1,2]}', 'found')),
  span(5, 1, 8, 9, { 'gen_ai.operation.name': 'chat' }),
  span(6, 1, 10, 19, chat(300, 30)),
];

describe.skipIf(!hasChdb)(`the view over the exporter's table (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(OTEL_TABLES, 'otel-view.sql');
  const shapes = (view = 'capfit_otel'): RunShape[] =>
    shapesOfRows(warehouse.select<PassRow>(`SELECT * FROM ${view} ORDER BY run_order, pass`));

  beforeEach(() => warehouse.run('TRUNCATE TABLE otel_traces'));

  it('counts model calls as passes, joins parallel tools to theirs and rounds half nanodollars to even', async () => {
    warehouse.insert('otel_traces', rowsOfExport(exportOf([...STORY].reverse())));
    expect(shapes()).toEqual([
      {
        id: TRACE,
        status: 'done_claimed',
        verdict: 'none',
        claim: 'completed',
        reason: null,
        startedAt: '2026-11-03T10:00:00.000000Z',
        labels: { agent: 'fixer', model: 'm-1', root: 'span 1', service: 'shop 🌍' },
        totalTokens: null,
        passes: [
          {
            input: 100,
            output: 10,
            micros: 7_000_000,
            nanos: 2,
            calls: [
              { tool: "look '; DROP TABLE x --", args: 1, result: 1, failed: true },
              { tool: "look '; DROP TABLE x --", args: 1, result: 2, failed: null },
            ],
          },
          { input: null, output: null, micros: 2_000_000, nanos: null, calls: [] },
          { input: 300, output: 30, micros: 10_000_000, nanos: null, calls: [] },
        ],
      },
    ]);
    expect(shapes()).toEqual(await readShapes(otlp, JSON.stringify(exportOf(STORY))));
  });

  it('counts once what a collector wrote twice', () => {
    for (let time = 0; time < 2; time++) warehouse.insert('otel_traces', rowsOfExport(exportOf(STORY)));
    expect(shapes().map(({ passes }) => passes?.map(({ calls }) => calls.length))).toEqual([[2, 0, 0]]);
  });

  it('has no pass in a trace without a model call, and knows a span that never ended', async () => {
    const web = exportOf([span(1, null, 0, 1, { 'http.method': 'GET' })]);
    const open = exportOf([{ ...(span(2, null, 5, null, chat(1, 2)) as Fields), traceId: 'b'.repeat(32) }]);
    warehouse.insert('otel_traces', rowsOfExport([web, open]));
    const runs = shapes();
    expect(runs.map(({ status, passes }) => [status, passes?.length])).toEqual([
      ['done_claimed', 0],
      ['running', 1],
    ]);
    expect(runs).toEqual(await readShapes(otlp, `${JSON.stringify(web)}\n${JSON.stringify(open)}`));
  });

  it('verifies by an attribute of your own', () => {
    const own = viewSql('otel-view.sql').replace('capfit_otel AS', 'own_view AS');
    warehouse.run(own.replace("'' AS check_attribute", "'tests.passed' AS check_attribute"));
    const words = ['true', '1', 'FAILED', '0', 'perhaps'];
    for (const [index, word] of words.entries()) {
      const spans = [...STORY, span(7, 1, 19, 20, { 'tests.passed': word })];
      warehouse.insert('otel_traces', rowsOfExport(exportOf(spans), `${index}-`));
    }
    expect(shapes('own_view').map(({ status, verdict }) => `${status} ${verdict}`)).toEqual([
      'done_verified passed',
      'done_verified passed',
      'done_claimed failed',
      'done_claimed failed',
      'done_claimed none',
    ]);
  });

  it('finds contents alike by what they say, not by how they are written', () => {
    const texts = [
      '{"a":1,"b":"x/y"}',
      ' { "b" : "x\\/y", "a" : 1.0 } ',
      '{"\\u0061":1e0,"b":"x/y"}',
      '{"a":2,"b":"x/y"}',
      '{"a":"1","b":"x/y"}',
      'a b',
      'a  b',
      `[${'{"k": [1, 2, "long"]},'.repeat(400)}0]`,
      `[${'{"k":[1,2,"long"]},'.repeat(400)}0]`,
      `[${'{"k":[1,2,"long"]},'.repeat(400)}1]`,
    ];
    const tools = texts.map((text, index) => span(index + 2, 1, index + 2, index + 3, look(text, 'ok')));
    warehouse.insert('otel_traces', rowsOfExport(exportOf([span(1, null, 0, 30, chat(1, 1)), ...tools])));
    const [run] = shapes();
    expect(run?.passes?.[0]?.calls.map(({ args }) => args)).toEqual([1, 1, 1, 2, 3, 4, 5, 6, 6, 7]);
  });
});
