import { isJsonObject, type Json, stringifyJson } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { quote, readObject, readText } from '../fields.js';
import {
  type Format,
  isProblem,
  orProblemValue,
  problem,
  type Reading,
  type ReadingOptions,
  type Source,
} from '../format.js';
import type { JsonObject } from '../lists.js';
import { type Span, spanOf } from '../spans/span.js';
import { runsOfSpans } from '../spans/spans.js';
import { ofAnyTrace } from '../spans/trace-notes.js';
import { readTopValues, type TopValue } from '../top-values.js';
import { type Outcome, outcomeOf } from './openai-agents-ending.js';
import { type AgentsSpan, readAgentsSpan } from './openai-agents-span.js';

/*
 * Traces of the OpenAI Agents SDK, Python and JavaScript: what trace.export() and span.export() (toJSON() there) give, one
 * a line, in a list, or as the {"data": […]} that is sent to the tracing endpoint, one document or one a line. Written from
 * github.com/openai/openai-agents-python @ 7f7a44f8 (src/agents/tracing/{traces,spans,span_data,processors}.py,
 * src/agents/{run,usage}.py) and github.com/openai/openai-agents-js @ 6d0c61a5 (packages/agents-core/src/tracing/spans.ts,
 * packages/agents-openai/src/openaiTracingExporter.ts); no recorded sample was at hand. Runs: spans.ts.
 *
 *   id          the id of the trace; a trace may hold several runs of the SDK, which are one run here
 *   passes      response and generation spans, leaves only
 *   tokens      span_data.usage: input_tokens (cached ones included), output_tokens (reasoning included),
 *               input_tokens_details. What is sent to the endpoint has no usage on response spans: then that of the turn span
 *               around it, if it is the turn's only model call, else of the task span as a total. Zeros are not known
 *   model       span_data.model of generation spans; response spans do not name it
 *   calls       function spans: input, output, error. Tools that the provider runs leave no span
 *   sub-agents  agents inside a function span (agent.as_tool) or a guardrail. A hand-off goes on in the same run
 *   status      error of the last agent span, the task span or the last model call: "Max turns exceeded" is stopped at
 *               `passes`, with data.max_turns as the cap it was recorded under (so is a stop that an error handler turned into
 *               an answer); a guardrail's tripwire is halted ("guardrail"); else the class of the error. No error: done.
 *               Spans whose parent never came, or a trace without spans: running
 *   seconds     started_at of the pass to started_at of the next, the last to the last ended_at
 *   labels      workflow, group (of the trace), agent, model; task_id, task_type, attempt and trial of its metadata
 *
 * Missing: verdicts, dollars. A span exported twice (at its start and at its end) counts once.
 */

const FIRST_ITEM =
  /^\s*(?:\[\s*)?(?:\{\s*"data"\s*:\s*\[\s*)?\{(?:\s*"\w+"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null)\s*,)*\s*"object"\s*:\s*"trace(?:\.span)?"\s*[,}]/;

/** Traces of the OpenAI Agents SDK. */
export const openaiAgents: Format = {
  id: 'openai-agents',
  description: 'traces of the OpenAI Agents SDK, JSON or JSON lines',
  detect: (head) => FIRST_ITEM.test(head) && /"(?:workflow_name|span_data)"\s*:/.test(head),
  read: readOpenaiAgents,
};

/** What was read of the traces of a source. */
interface Found {
  readonly spans: Map<string, AgentsSpan[]>;
  readonly labels: Map<string, { [name: string]: Json }>;
  /** Traces of which a span could not be read: they cannot be counted. */
  readonly refused: Set<string>;
  /** Whether something could not be read that may have been a span of any trace. */
  isDamaged: boolean;
}

async function* readOpenaiAgents(source: Source, options: ReadingOptions): Reading {
  const found: Found = { spans: new Map(), labels: new Map(), refused: new Set(), isDamaged: false };
  for await (const top of readTopValues(source)) {
    if (isProblem(top)) yield ofAnyTrace(top, found);
    else for (const item of itemsIn(top.value, top.path)) yield* takeItem(source, top, item, found);
  }
  for (const [traceId, spans] of found.spans) {
    if (!found.refused.has(traceId)) yield* runsOf(traceId, unique(spans), found, source, options);
    spans.length = 0;
  }
}

interface Item {
  readonly value: Json;
  readonly path: string;
}

/** The exported items in a value: itself, those of a list, or those of a payload. */
function* itemsIn(value: Json, path: string): Generator<Item> {
  const list = isJsonObject(value) && Array.isArray(value.data) && !Object.hasOwn(value, 'object') ? value.data : value;
  if (!Array.isArray(list)) yield { value: list, path };
  else {
    const name = list === value ? path : `${path}.data`;
    for (const [index, each] of (list as readonly Json[]).entries()) {
      // A list of payloads, as a log of requests is.
      if (list === value && isJsonObject(each) && Array.isArray(each.data)) yield* itemsIn(each, `${name}[${index}]`);
      else yield { value: each, path: `${name}[${index}]` };
    }
  }
}

function* takeItem(source: Source, top: TopValue, { value, path }: Item, found: Found): Generator<Problem> {
  const name = path.replace(/^\./, '') || 'the item';
  const { line, text } = top;
  if (!isJsonObject(value) || (value.object !== 'trace' && value.object !== 'trace.span')) {
    const reason = `${name} is ${quote(value)}`;
    const hint = 'each item must be an exported trace or span, with its `object`';
    yield ofAnyTrace(problem(source.name, line, text, reason, hint), found);
    return;
  }
  const isSpan = value.object === 'trace.span';
  const taken = orProblemValue(source.name, line, text, () => {
    if (isSpan) takeSpan(readAgentsSpan(value, name, line), found);
    else takeTrace(value, name, found);
    return { isTaken: true };
  });
  if (isProblem(taken)) yield leftOut(taken, value, isSpan, found);
}

function takeSpan(read: AgentsSpan, found: Found): void {
  const spans = found.spans.get(read.span.traceId);
  if (spans === undefined) found.spans.set(read.span.traceId, [read]);
  else spans.push(read);
}

const TOLD = ['task_id', 'task_type', 'attempt', 'trial'];

function takeTrace(trace: JsonObject, path: string, found: Found): void {
  const id = readText(trace, 'id', `${path}.id`) ?? '';
  if (id === '') return;
  const labels: { [name: string]: Json } = {
    workflow: readText(trace, 'workflow_name', `${path}.workflow_name`),
    group: readText(trace, 'group_id', `${path}.group_id`),
  };
  const metadata = readObject(trace, 'metadata', `${path}.metadata`) ?? {};
  for (const name of TOLD) {
    const told = Object.hasOwn(metadata, name) ? metadata[name] : null;
    if (typeof told === 'string' || typeof told === 'number') labels[name] = told;
  }
  found.labels.set(id, labels);
  if (!found.spans.has(id)) found.spans.set(id, []);
}

/** A span that could not be read takes its trace with it. */
function leftOut(read: Problem, item: JsonObject, isSpan: boolean, found: Found): Problem {
  const traceId = isSpan ? item.trace_id : item.id;
  const raw = read.raw ?? rawOf(item);
  if (typeof traceId !== 'string') return ofAnyTrace({ ...read, raw }, found);
  found.refused.add(traceId);
  return { ...read, hint: `${read.hint}; the run of its trace is left out`, raw };
}

function rawOf(item: JsonObject): string | null {
  try {
    return stringifyJson(item);
  } catch {
    // Nested too deeply to be written, which may be what was found.
    return null;
  }
}

/** The last copy of each span, at the place of the first. */
function unique(spans: readonly AgentsSpan[]): AgentsSpan[] {
  return [...new Map(spans.map((each) => [each.span.spanId, each])).values()];
}

function* runsOf(
  traceId: string,
  spans: readonly AgentsSpan[],
  found: Found,
  source: Source,
  options: ReadingOptions,
): Generator<Run | Problem> {
  const outcome = outcomeOf(spans);
  const labels = found.labels.get(traceId) ?? {};
  const list: Span[] = withTurnUsage(spans);
  // A trace whose first span never ended is a run all the same.
  if (list.length === 0) list.push(spanOf({ traceId, spanId: traceId, kind: 'chain' }));
  const factsOf = () => ({ ...outcome.facts, labels });
  for (const run of runsOfSpans(list, options, { file: source.name, isDamaged: found.isDamaged, factsOf })) {
    yield isProblem(run) || run.id !== traceId ? run : withOutcome(run, outcome);
  }
}

function withOutcome(run: Run, { rawReason, maxTurns }: Outcome): Run {
  const labels = new Map(run.labels);
  if (rawReason !== null) labels.set('raw_reason', rawReason);
  return { ...run, labels, recordedUnder: maxTurns === null ? run.recordedUnder : new Map([['passes', maxTurns]]) };
}

/** Gives model calls without usage that of the turn they are the only model call of. */
function withTurnUsage(spans: readonly AgentsSpan[]): Span[] {
  const byId = new Map(spans.map((each) => [each.span.spanId, each]));
  const turnOf = new Map<AgentsSpan, AgentsSpan>();
  const callsIn = new Map<AgentsSpan, number>();
  for (const each of spans.filter(({ span }) => span.kind === 'llm')) {
    const seen = new Set<AgentsSpan>();
    for (let at = byId.get(each.span.parentId ?? ''); at !== undefined && !seen.has(at); ) {
      seen.add(at);
      if (at.isTurn) {
        if (!turnOf.has(each)) turnOf.set(each, at);
        callsIn.set(at, (callsIn.get(at) ?? 0) + 1);
      }
      at = byId.get(at.span.parentId ?? '');
    }
  }
  return spans.map((each) => {
    const turn = each.span.usage === null ? turnOf.get(each) : undefined;
    return turn === undefined || callsIn.get(turn) !== 1 ? each.span : { ...each.span, usage: turn.span.usage };
  });
}
