import fc from 'fast-check';
import type { Json } from '../../../src/model/json.js';

/*
 * Traces in OTLP that nobody would record: any tree, any order of times, all conventions of attributes side by side,
 * figures that are missing or contradict each other, contents in several layouts, names that try to break out.
 */

type Attributes = { readonly [name: string]: Json };

const KINDS: readonly Attributes[] = [
  { 'gen_ai.operation.name': 'chat' },
  { 'gen_ai.operation.name': 'chat' },
  { 'openinference.span.kind': 'LLM' },
  { 'traceloop.span.kind': 'workflow', 'llm.request.type': 'chat' },
  { 'llm.request.type': 'completion' },
  { 'ai.operationId': 'ai.streamText.doStream' },
  { 'ai.operationId': 'ai.streamText' },
  { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' },
  { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'find' },
  { 'openinference.span.kind': 'TOOL', 'tool.name': 'sum' },
  { 'openinference.span.kind': 'tool' },
  { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' },
  { 'openinference.span.kind': 'AGENT', 'agent.name': 'fixer' },
  { 'openinference.span.kind': 'CHAIN' },
  { 'openinference.span.kind': 'GUARDRAIL' },
  { 'openinference.span.kind': 'EVALUATOR' },
  { 'openinference.span.kind': 'EMBEDDING' },
  { agent_name: 'old' },
  { 'http.method': 'GET' },
  {},
];
const USAGES: readonly Attributes[] = [
  {},
  {},
  { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 },
  { 'gen_ai.usage.prompt_tokens': '20', 'gen_ai.usage.completion_tokens': 7, 'gen_ai.usage.total_tokens': 30 },
  { 'llm.token_count.prompt': 100, 'llm.token_count.completion': 9, 'llm.token_count.prompt_details.cache_read': 80 },
  { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.cache_read.input_tokens': 50, 'gen_ai.usage.output_tokens': 2 },
  { 'gen_ai.usage.input_tokens': 0, 'gen_ai.usage.output_tokens': 0 },
  { 'gen_ai.usage.output_tokens': 4, 'gen_ai.usage.total_tokens': 12 },
  { 'ai.usage.promptTokens': 'NaN', 'ai.usage.completionTokens': 8 },
  {
    'ai.usage.inputTokens': 11,
    'ai.usage.outputTokens': 3,
    'ai.usage.cachedInputTokens': 5,
    'ai.response.providerMetadata': '{"anthropic": {"usage": {"input_tokens": 11, "cache_creation_input_tokens": 6}}}',
  },
];
const COSTS: readonly Attributes[] = [
  {},
  { 'gen_ai.usage.cost': 0.0125 },
  { 'llm.cost.total': 0.000_000_002_5, 'gen_ai.usage.cost': 3 },
  { 'llm.cost.total': 0, 'operation.cost': '0.1234567891' },
  { 'gen_ai.usage.cost': 1.5e-7 },
];
const CONTENTS: readonly Attributes[] = [
  {},
  { 'input.value': 'plain words', 'output.value': '' },
  { 'gen_ai.tool.call.arguments': '{"a": 1, "b": [1, {"y": 2.0, "x": "\\u00e9"}]}', 'gen_ai.tool.call.result': 'ok' },
  { 'gen_ai.tool.call.arguments': { b: [1, { x: 'é', y: 2 }], a: 1 }, 'gen_ai.tool.call.result': 'ok ' },
  { 'ai.toolCall.args': '{"q":"it\'s; DROP TABLE x --"}', 'ai.toolCall.result': ' [1, 2]' },
  { tool_arguments: '{broken', tool_response: '[1,2]' },
  { 'traceloop.entity.input': '5', 'traceloop.entity.output': ' 5 ' },
];
const ASKED: readonly Attributes[] = [
  {},
  {},
  {
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"text","content":"hm"},{"type":"tool_call","id":"c1","name":"look","arguments":{"q": 1}}]}]',
  },
  {
    'ai.response.toolCalls':
      '[{"toolCallId":"c2","toolName":"find","args":"{\\"n\\": 2}"},{"toolCallId":"c3","toolName":"find","input":{"n":2}}]',
  },
  {
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c4',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'sum',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"n":  [1]}',
    'llm.output_messages.0.message.tool_calls.1.tool_call.function.name': 'sum',
  },
  {
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.tool_calls.0.name': 'end',
    'gen_ai.completion.0.tool_calls.0.arguments': '{}',
  },
];
const TOLD: readonly Attributes[] = [
  {},
  {},
  {
    'gen_ai.input.messages':
      '[{"role":"user","parts":[]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"found"}]}]',
  },
  {
    'ai.prompt.messages':
      '[{"role":"tool","content":[{"type":"tool-result","toolCallId":"c2","output":{"type":"json","value":1}}]}]',
  },
  {
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'go',
    'llm.input_messages.1.message.role': 'tool',
    'llm.input_messages.1.message.tool_call_id': 'c4',
    'llm.input_messages.1.message.content': '{"s": 1}',
  },
];
const MORE: readonly Attributes[] = [
  {},
  {},
  { 'session.id': 's1', 'gen_ai.response.model': 'm-1', 'gen_ai.response.finish_reasons': ['stop', 'tool_calls'] },
  { 'gen_ai.request.model': 'm-2', task_id: 7, 'ai.response.finishReason': 'length' },
  { 'metadata.task_id': 'k2', 'gen_ai.conversation.id': 's2', 'gen_ai.response.finish_reasons': '["stop"]' },
  { 'ai.telemetry.functionId': 'helper' },
];
const STATUSES: readonly { readonly [name: string]: Json }[] = [
  {},
  {},
  { code: 1 },
  { code: 2, message: 'openai.APIError: no key' },
  { code: 2, message: 'no class' },
  { code: 'STATUS_CODE_ERROR', message: "GraphRecursionError('limit')" },
];
const EVENTS: readonly { readonly name: string; readonly attributes: Attributes }[] = [
  { name: 'exception', attributes: { 'exception.type': 'agents.exceptions.MaxTurnsExceeded' } },
  { name: 'exception', attributes: { 'exception.type': 'CancelledError' } },
  {
    name: 'gen_ai.evaluation.result',
    attributes: { 'gen_ai.evaluation.name': 'Task Success', 'gen_ai.evaluation.score.value': 1 },
  },
  {
    name: 'gen_ai.evaluation.result',
    attributes: { 'gen_ai.evaluation.name': 'correctness', 'gen_ai.evaluation.score.label': 'fail' },
  },
  {
    name: 'gen_ai.evaluation.result',
    attributes: { 'gen_ai.evaluation.name': 'toxicity', 'gen_ai.evaluation.score.value': 0 },
  },
];

const BASE = 1_793_700_000_000_000_000n;

const span = fc.record({
  up: fc.nat({ max: 100 }),
  start: fc.nat({ max: 12 }).map((n) => BigInt(n) * 500_000_500n),
  lasts: fc.option(
    fc.nat({ max: 9 }).map((n) => BigInt(n) * 333_333_500n),
    { freq: 6, nil: null },
  ),
  name: fc.constantFrom('chat', "it's; DROP TABLE x --", 'héllo 🌍', 'a\\b"c\nd', ''),
  parts: fc.tuple(...[KINDS, USAGES, COSTS, CONTENTS, ASKED, TOLD, MORE].map((list) => fc.constantFrom(...list))),
  thrown: fc.constantFrom({}, {}, {}, {}, { 'error.type': 'max_turns' }, { 'error.type': 'a.b:TimeoutError' }),
  status: fc.constantFrom(...STATUSES),
  events: fc.array(fc.constantFrom(...EVENTS), { maxLength: 2 }),
});
const trace = fc.record({
  spans: fc.array(span, { minLength: 1, maxLength: 14 }),
  withTools: fc.boolean(),
  service: fc.constantFrom('shop', 'unknown_service:node'),
});

/** An attribute value as OTLP writes it. */
function anyValue(value: Json): Json {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: listOf(value as Attributes) } };
}

const listOf = (attributes: Attributes): Json[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const isOfTool = (attributes: Attributes): boolean => /tool/i.test(JSON.stringify(attributes));

/** Some random traces, one export each, spans by start and id as the table knows no other order. */
export function randomExports(count: number, seed: number): Json[] {
  return fc.sample(trace, { numRuns: count, seed }).map(({ spans, withTools, service }, index) => {
    const traceId = (index + 1).toString(16).padStart(32, '0');
    const idAt = (at: number): string => (at + 1).toString(16).padStart(16, '0');
    const messages = spans.map(({ up, start, lasts, name, parts, thrown, status, events }, at) => {
      const [kind, ...rest] = parts as readonly Attributes[];
      const own = !withTools && isOfTool(kind as Attributes) ? {} : (kind as Attributes);
      const isTopmost = at === 0 || up % 9 === 0;
      return {
        traceId,
        spanId: idAt(at),
        parentSpanId: isTopmost ? '' : up % 13 === 0 ? 'ffffffffffffffff' : idAt(up % at),
        name,
        startTimeUnixNano: String(BASE + start),
        endTimeUnixNano: lasts === null ? '0' : String(BASE + start + lasts),
        status,
        attributes: listOf(Object.assign({}, own, ...rest, thrown) as Attributes),
        events: events.map((event) => ({ name: event.name, attributes: listOf(event.attributes) })),
      };
    });
    const keyOf = (message: { startTimeUnixNano: string; spanId: string }): string =>
      `${message.startTimeUnixNano} ${message.spanId}`;
    messages.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const resource = { attributes: listOf({ 'service.name': service }) };
    return { resourceSpans: [{ resource, scopeSpans: [{ spans: messages }] }] } as Json;
  });
}
