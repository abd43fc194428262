import { isJsonObject, type Json, stringifyJson } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import { quote } from '../fields.js';
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
import { readTopValues, type TopValue } from '../top-values.js';
import { attributeOf, wordOf } from './attributes.js';
import { readOtlpSpan } from './otlp-span.js';
import { attributesOf, idOf, messagesOf } from './otlp-value.js';
import type { Span } from './span.js';
import { runsOfSpans } from './spans.js';
import { factsIn, newNotes, noteLabels, noteVerdict, ofAnyTrace, type TraceNotes } from './trace-notes.js';

/*
 * Traces in OTLP/JSON: what collectors write (`file` exporter, one export request a line), what `/v1/traces` is sent, what
 * Tempo answers (`batches`, `trace`), or a list of these. Written from the OTLP specification 1.9 (JSON encoding,
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, and opentelemetry/proto/trace/v1/trace.proto) and from
 * recorded exports. Which attributes tell what: span-attributes.ts; how spans become runs: spans.ts.
 *
 *   id          traceId, in lower-case hexadecimal also where it is written in base64
 *   time        startTimeUnixNano, endTimeUnixNano, nearest microsecond; 0 or absent is not recorded
 *   tokens      gen_ai.usage.*, llm.token_count.*, ai.usage.* of the leaf model spans; usd llm.cost.total, gen_ai.usage.cost
 *   calls       execute_tool, TOOL and ai.toolCall spans: gen_ai.tool.*, tool.name, ai.toolCall.*, input.value, output.value
 *   ending      status.code of the root; the class of an error from error.type, else exception.type of the last exception
 *   check       none: a span knows no program that checks the work. `gen_ai.evaluation.result` events whose name says
 *               that they are verdicts are claims, and checks with trustJudge
 *   labels      root (name of the root span), agent, model, finish_reason (last answer), session, task_id, service
 *
 * Missing: provisional caps; files of logs and metrics in the same lines are passed over. A span that cannot be read is one
 * problem, and its whole trace is left out: without it the passes could not be counted.
 */

const SPANS = '"(?:resourceSpans|resource_spans)"\\s*:';
const EXPORT = new RegExp(`^\\s*\\[?\\s*\\{\\s*(?:"trace"\\s*:\\s*\\{\\s*)?${SPANS}`);
const OTHER_SIGNAL = /^\s*\{\s*"resource(?:Logs|Metrics)"\s*:/;
const LATER_EXPORT = new RegExp(`^\\{${SPANS}`, 'm');
const BATCHES = /^\s*\{\s*"batches"\s*:\s*\[/;
const SCOPES = /"(?:scopeSpans|scope_spans|instrumentationLibrarySpans)"\s*:\s*\[/;

/** Traces in OTLP/JSON. */
export const otlp: Format = {
  id: 'otlp',
  description: 'OpenTelemetry traces in OTLP/JSON (GenAI, OpenInference, Vercel AI SDK attributes)',
  detect: (head) =>
    EXPORT.test(head) ||
    (OTHER_SIGNAL.test(head) && LATER_EXPORT.test(head)) ||
    (BATCHES.test(head) && SCOPES.test(head)),
  read: readOtlp,
};

async function* readOtlp(source: Source, options: ReadingOptions): Reading {
  const notes = newNotes();
  const spans: Span[] = [];
  for await (const item of readTopValues(source)) {
    if (isProblem(item)) yield ofAnyTrace(item, notes);
    else yield* readExports(source, item, spans, notes, options);
  }
  const { refused, isDamaged } = notes;
  yield* runsOfSpans(spans, options, { file: source.name, refused, isDamaged, factsOf: factsIn(notes) });
}

function* readExports(
  source: Source,
  { value, line, text, path: top }: TopValue,
  spans: Span[],
  notes: TraceNotes,
  options: ReadingOptions,
): Generator<Problem> {
  const isList = Array.isArray(value);
  for (const [index, each] of (isList ? (value as readonly Json[]) : [value]).entries()) {
    const place = isList ? `${top}[${index}]` : top;
    const groups = orProblemValue(source.name, line, text, () => groupsOf(each, place === '' ? '' : `${place}.`));
    if (groups === null) {
      const reason = `${place === '' ? 'the value' : place} is ${quote(each)}`;
      const hint = 'it must be an OTLP export: a JSON object with resourceSpans';
      yield ofAnyTrace(problem(source.name, line, text, reason, hint), notes);
    } else if (isProblem(groups)) {
      yield ofAnyTrace(groups, notes);
    } else {
      for (const group of groups) yield* readGroup(source, line, group, spans, notes, options);
    }
  }
}

/** Spans of one scope of one resource. */
interface Group {
  readonly path: string;
  readonly spans: readonly JsonObject[];
  readonly service: string | null;
}

/** The spans of an export, in groups; `null` when it is none. */
function groupsOf(given: Json, start: string): Group[] | null {
  if (!isJsonObject(given)) return null;
  const isWrapped = isJsonObject(given.trace);
  const value = isWrapped ? (given.trace as JsonObject) : given;
  const path = isWrapped ? `${start}trace.` : start;
  const list = ['resourceSpans', 'resource_spans', 'batches'].find((name) => Object.hasOwn(value, name));
  if (list === undefined)
    return Object.keys(value).some((key) => /^resource_?(?:logs|metrics)$/i.test(key)) ? [] : null;
  return messagesOf(value, list, path.replace(/\.$/, '')).flatMap((resourceSpans, index) =>
    groupsOfResource(resourceSpans, `${path}${list}[${index}]`),
  );
}

function groupsOfResource(resourceSpans: JsonObject, path: string): Group[] {
  const resource = isJsonObject(resourceSpans.resource) ? resourceSpans.resource : {};
  const service = wordOf(attributesOf(resource, `${path}.resource`), ['service.name']);
  const lists = ['scopeSpans', 'instrumentationLibrarySpans'];
  return lists.flatMap((list) =>
    messagesOf(resourceSpans, list, path).map((scope, index) => {
      const inner = `${path}.${list}[${index}]`;
      const isNamed = service !== null && !service.startsWith('unknown_service');
      return { path: inner, spans: messagesOf(scope, 'spans', inner), service: isNamed ? service : null };
    }),
  );
}

function* readGroup(
  source: Source,
  line: number | null,
  group: Group,
  spans: Span[],
  notes: TraceNotes,
  options: ReadingOptions,
): Generator<Problem> {
  for (const [index, message] of group.spans.entries()) {
    const path = `${group.path}.spans[${index}]`;
    const read = orProblemValue(source.name, line, null, () => readOtlpSpan(message, path, line));
    if (isProblem(read)) {
      yield leftOut(read, message, notes);
      continue;
    }
    const { span, attributes, events } = read;
    spans.push(span);
    noteLabels(notes, span.traceId, attributes, group.service === null ? {} : { service: group.service });
    for (const event of events) {
      if (event.name === 'gen_ai.evaluation.result') {
        noteVerdict(notes, span.traceId, evaluationIn(event.attributes), options.passMark);
      }
    }
  }
}

/** Who evaluated is not told: it may have been a model. */
function evaluationIn(attributes: JsonObject) {
  return {
    name: attributeOf(attributes, 'gen_ai.evaluation.name'),
    label: attributeOf(attributes, 'gen_ai.evaluation.score.label'),
    score: attributeOf(attributes, 'gen_ai.evaluation.score.value'),
    by: 'model',
  } as const;
}

/** A span that could not be read takes its trace with it. */
function leftOut(found: Problem, message: JsonObject, notes: TraceNotes): Problem {
  const traceId = orProblemValue('', null, null, () => idOf(message, 'traceId', 16, '') ?? '');
  if (typeof traceId !== 'string' || traceId === '') return ofAnyTrace({ ...found, raw: rawOf(message) }, notes);
  notes.refused.add(traceId);
  return { ...found, hint: `${found.hint}; the run of its trace ${traceId} is left out`, raw: rawOf(message) };
}

function rawOf(message: JsonObject): string | null {
  try {
    return stringifyJson(message);
  } catch {
    // Nested too deeply to be written, which may be what was found.
    return null;
  }
}
