import fc from 'fast-check';
import type { Export } from './langfuse-tables.js';

/*
 * Traces that nobody would record, to find where the view and the reader part: any tree, any order of times, every kind,
 * figures that are missing or contradict each other, contents in several layouts, names that try to break out.
 */

const NAMES = [
  'chat',
  "it's; DROP TABLE x --",
  'héllo 🌍',
  'tool.look.start',
  'execute_tool find',
  'running tool: sum',
  'a\\b"c\nd',
];
const MESSAGES = [
  "GraphRecursionError('Recursion limit of 25 reached')",
  'openai.APIError: no key',
  'something broke: ValueError raised',
  'max_turns',
  'CancelledError',
  'MaxTurnsExceeded: 10',
  'langgraph.errors.TimeoutError(3)',
  'no class here',
];
const CONTENTS: readonly unknown[] = [
  null,
  'plain words ',
  'plain words',
  '{"a": 1, "b": [1, 2, {"z": 1.0, "y": "\\u00e9/"}]}',
  { b: [1, 2, { y: 'é/', z: 1 }], a: 1 },
  '{"b":[1,2,{"y":"é/","z":1}],"a":1}',
  '{"a": 1, "b": [1, 2, {"y": "é/", "z": 2}]}',
  '{broken',
  '[]',
  '{}',
  '[[1,  2],[3]]',
  ' [[1,2],[3] ] ',
  ' 5 ',
  '5',
  '1e2',
  '100',
  'true',
  '{"text": "a, b: {c} \\" [d]"}',
];
const ASKED: readonly unknown[] = [
  null,
  'an answer',
  {
    role: 'assistant',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"q": 1}' } }],
  },
  [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c2', name: 'find', input: { q: 'x', n: 2 } }] }],
  {
    choices: [
      {
        message: {
          tool_calls: [
            { id: 'c1', function: { name: 'look', arguments: '{"q":1}' } },
            { id: 'c1', function: { name: 'look', arguments: '{}' } },
          ],
        },
      },
    ],
  },
  { type: 'function_call', call_id: 'c3', name: 'end', arguments: 'null' },
];
const PROMPTS: readonly unknown[] = [
  null,
  'go',
  {
    messages: [
      { role: 'user', content: 'go' },
      { role: 'tool', tool_call_id: 'c1', content: '{"r":  1}' },
    ],
  },
  [
    { role: 'tool', tool_call_id: 'c1', content: 'old' },
    { role: 'assistant', content: 'hm' },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'found' }] }] },
  ],
];
const USAGES: readonly object[] = [
  {},
  { input: 10, output: 5, total: 15 },
  { input: 10, output: 5, total: 40 },
  { input: 10 },
  { output: 7, total: 19 },
  { input: 0, output: 0, total: 0 },
  { input: 100, output: 10, input_cached_tokens: 900, output_reasoning_tokens: 4, total: 1014 },
  { input: 1000, output: 10, cache_read_input_tokens: 900, total: 1010 },
  { prompt_tokens: 5, completion_tokens: 6, 'prompt_details.cache_read': 3 },
  { input: 5, output: 6, cache_creation_5m: 3, cache_creation_1h: 4, audio_input: 2, other_thing: 8, total: 20 },
  { input: 3, output: 1, input_cost: 2 },
];
const COSTS: readonly object[] = [
  {},
  { total: 0 },
  { total: 0.000_000_000_6 },
  { total: 0.000_000_001_4 },
  { total: 0.012_345_678_9 },
  { input: 0.001, output: 0.000_25 },
  { input: 0.001, total: 0.002 },
];
const ATTRIBUTES: readonly object[] = [
  {},
  { 'gen_ai.tool.name': 'sum' },
  { 'openinference.span.kind': 'TOOL', 'tool.parameters': '{"p": 1}' },
  { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'invocation [planner]' },
  { 'gen_ai.response.finish_reasons': '["stop", "x"]' },
  { 'ai.response.finishReason': 'length', agent_name: 'invoke_agent fixer' },
  { 'gen_ai.agent.name': 'a1b2c3d4-aaaa-bbbb-cccc-000000000000' },
];

const TYPES = [
  'GENERATION',
  'GENERATION',
  'GENERATION',
  'TOOL',
  'TOOL',
  'AGENT',
  'CHAIN',
  'SPAN',
  'SPAN',
  'EVENT',
  'GUARDRAIL',
  'EVALUATOR',
  'RETRIEVER',
];

const momentOf = (millis: number): string => new Date(Date.UTC(2026, 10, 3, 10) + millis).toISOString();

const observation = fc.record({
  type: fc.constantFrom(...TYPES),
  up: fc.nat({ max: 100 }),
  start: fc.nat({ max: 12 }).map((n) => n * 500),
  lasts: fc.option(
    fc.nat({ max: 9 }).map((n) => n * 333),
    { freq: 6, nil: null },
  ),
  name: fc.constantFrom(...NAMES),
  level: fc.constantFrom('DEFAULT', 'DEFAULT', 'DEFAULT', 'WARNING', 'ERROR'),
  statusMessage: fc.option(fc.constantFrom(...MESSAGES), { nil: null }),
  input: fc.constantFrom(...CONTENTS),
  output: fc.constantFrom(...CONTENTS),
  asked: fc.constantFrom(...ASKED),
  prompt: fc.constantFrom(...PROMPTS),
  model: fc.constantFrom(null, 'm-1', 'm-1', 'projects/p/models/m-2'),
  usageDetails: fc.constantFrom(...USAGES),
  providedUsageDetails: fc.constantFrom({}, {}, { input: 2, output: 2 }),
  costDetails: fc.constantFrom(...COSTS),
  attributes: fc.constantFrom(...ATTRIBUTES),
});

type Draft = typeof observation extends fc.Arbitrary<infer Value> ? Value : never;

function observationOf(draft: Draft, index: number, traceId: string, withTools: boolean): { [name: string]: unknown } {
  const { type, up, start, lasts, asked, prompt, attributes, input, output, ...rest } = draft;
  const isModel = type === 'GENERATION';
  const idAt = (at: number): string => `${traceId}-o${String(at).padStart(2, '0')}`;
  const parent = index === 0 || up % 9 === 0 ? null : up % 13 === 0 ? 'elsewhere' : idAt(up % index);
  return {
    ...rest,
    id: idAt(index),
    traceId,
    type: withTools || type !== 'TOOL' ? type : 'CHAIN',
    parentObservationId: parent,
    startTime: momentOf(start),
    endTime: lasts === null ? null : momentOf(start + lasts),
    metadata: { attributes: withTools ? attributes : {} },
    input: isModel ? prompt : input,
    output: isModel ? asked : output,
  };
}

const SCORES: readonly object[] = [
  { name: 'tests_passed', source: 'API', dataType: 'BOOLEAN', value: 1, stringValue: 'True' },
  { name: 'Tests Passed', source: 'API', dataType: 'NUMERIC', value: 0.5, stringValue: null },
  { name: 'correctness', source: 'EVAL', dataType: 'NUMERIC', value: 1, stringValue: null },
  { name: 'correctness', source: 'ANNOTATION', dataType: 'NUMERIC', value: 0, stringValue: null },
  { name: 'toxicity', source: 'API', dataType: 'NUMERIC', value: 1, stringValue: null },
  { name: 'passed', source: 'API', dataType: 'NUMERIC', value: 1, stringValue: null, observationId: 'x' },
];

const trace = fc.record({
  drafts: fc.array(observation, { maxLength: 14 }),
  withTools: fc.boolean(),
  at: fc.nat({ max: 3 }),
  tags: fc.constantFrom([], ['b', 'a'], ['ünï, "x"']),
  scores: fc.subarray([...SCORES]),
  release: fc.constantFrom(null, 'r1'),
});

/** Some random traces of Langfuse, observations by start and id as the tables know no other order. */
export function randomExports(count: number, seed: number): Export[] {
  return fc.sample(trace, { numRuns: count, seed }).map(({ drafts, withTools, at, ...rest }, index) => {
    const id = `t${String(index).padStart(3, '0')}`;
    const observations = drafts.map((draft, place) => observationOf(draft, place, id, withTools));
    const keyOf = (each: { [name: string]: unknown }): string => `${each.startTime} ${each.id}`;
    return {
      trace: { ...rest, id, projectId: 'p', name: 'story', timestamp: momentOf(at * 500), metadata: { task_id: 'k1' } },
      observations: observations.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    };
  });
}
