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
import { attributesOf, isPhoenixSpan, readPhoenixSpan, traceIdOf } from './phoenix-span.js';
import type { Span, Verdict } from './span.js';
import { runsOfSpans } from './spans.js';
import { factsIn, newNotes, noteLabels, noteVerdict, ofAnyTrace, type TraceNotes } from './trace-notes.js';

/*
 * Spans of Arize Phoenix as JSON: one a line, a list, the answer of GET /v1/projects/…/spans (`data`), the traces that
 * `px trace` saves (`spans`, with --include-annotations), a data frame of spans (`context.trace_id` columns), or lists under
 * names of their own. Written from schemas/openapi.json (Span, SpanAnnotation) and js/packages/phoenix-cli at
 * github.com/Arize-ai/phoenix 9478f954, and from recorded fixtures. The JSON that OpenTelemetry's Python SDK prints has the
 * same shape and is read too, one span a line or in a list. Attributes: span-attributes.ts; runs: spans.ts.
 *
 *   id          context.trace_id
 *   time        start_time, end_time
 *   kinds       span_kind, else the attributes
 *   tokens      llm.token_count.* of the leaf LLM spans; usd llm.cost.total
 *   calls       TOOL spans: tool.name, input.value, output.value, status_code
 *   ending      status_code of the root; the class of an error from exception.type of its last exception event, else from
 *               status_message
 *   check       annotations whose name says that they are verdicts: annotator_kind CODE is a program's word, LLM and HUMAN
 *               are claims (checks with trustJudge); result.score against the pass mark, else result.label
 *   labels      root, agent, model, session, task_id
 *
 * Redacted files may repeat span ids or give a zero id to a root: spans are told apart by id and start, and a zero is an id.
 * Missing: provisional caps; the database file (SQLite) is not read: export it with the CLI or the API. A span that cannot
 * be read is one problem, and its whole trace is left out.
 */

const CONTEXT = /"context"\s*:\s*\{\s*"(?:trace_id|span_id)"\s*:\s*["\d]|"context\.(?:trace_id|span_id)"\s*:\s*["\d]/;
const KIND = /"span_kind"\s*:\s*(?:"[A-Z]*"|null)|"kind"\s*:\s*"SpanKind\.[A-Z]+"/;
const BY: ReadonlyMap<unknown, Verdict['by']> = new Map<unknown, Verdict['by']>([
  ['CODE', 'program'],
  ['HUMAN', 'person'],
]);

/** Spans of Arize Phoenix. */
export const phoenix: Format = {
  id: 'phoenix',
  description: 'spans of Arize Phoenix as JSON or lines',
  detect: (head) => /^\s*[[{]/.test(head) && CONTEXT.test(head) && KIND.test(head),
  read: readPhoenix,
};

async function* readPhoenix(source: Source, options: ReadingOptions): Reading {
  const notes = newNotes();
  const spans: Span[] = [];
  for await (const item of readTopValues(source)) {
    if (isProblem(item)) {
      yield ofAnyTrace(item, notes);
      continue;
    }
    for (const found of spansIn(item.value, item.path)) {
      const read = readFound(source, item, found, notes, options);
      if (read === null) continue;
      if (isProblem(read)) yield read;
      else spans.push(read);
    }
  }
  const { refused, isDamaged } = notes;
  yield* runsOfSpans(spans, options, { file: source.name, refused, isDamaged, factsOf: factsIn(notes) });
}

/** A value that should be a span, with its place; or the annotations of a whole trace. */
interface Found {
  readonly path: string;
  readonly value: Json;
  readonly annotations?: true;
}

/** Lists of traces of spans under names: no export wraps its spans deeper. */
const DEEPEST = 4;

/** The spans in a value, however they are wrapped. */
function* spansIn(value: Json, path: string, depth = 0): Generator<Found> {
  if (Array.isArray(value) && depth < DEEPEST) {
    for (const [index, each] of (value as readonly Json[]).entries())
      yield* spansIn(each, `${path}[${index}]`, depth + 1);
  } else if (isPhoenixSpan(value) || !isJsonObject(value)) {
    yield { path, value };
  } else if (Array.isArray(value.spans)) {
    yield { path, value, annotations: true };
    yield* spansIn(value.spans, `${path}.spans`, depth + 1);
  } else if (Array.isArray(value.data)) {
    yield* spansIn(value.data, `${path}.data`, depth + 1);
  } else if (depth === 0 && Object.values(value).some(Array.isArray)) {
    for (const [name, each] of Object.entries(value)) yield* spansIn(each, `.${name}`, 1);
  } else {
    yield { path, value };
  }
}

function readFound(
  source: Source,
  { line, text }: TopValue,
  { path, value, annotations }: Found,
  notes: TraceNotes,
  options: ReadingOptions,
): Span | Problem | null {
  const name = path === '' ? 'the span' : path.replace(/^\./, '');
  if (annotations && isJsonObject(value)) {
    const traceId = wordOf(value, ['traceId']);
    if (traceId !== null) noteAnnotations(notes, traceId, value, options);
    return null;
  }
  if (!isPhoenixSpan(value)) {
    const reason = `${name} is ${quote(value)}`;
    const hint = 'it must be a span: a JSON object with a context of two ids';
    return ofAnyTrace(problem(source.name, line, text, reason, hint), notes);
  }
  const attributes = attributesOf(value);
  const span = orProblemValue(source.name, line, text, () => readPhoenixSpan(value, attributes, name, line));
  if (isProblem(span)) return leftOut(span, value, notes);
  noteLabels(notes, span.traceId, attributes);
  noteAnnotations(notes, span.traceId, value, options);
  return span;
}

function noteAnnotations(notes: TraceNotes, traceId: string, holder: JsonObject, options: ReadingOptions): void {
  const annotations = Array.isArray(holder.annotations) ? (holder.annotations as readonly Json[]) : [];
  for (const annotation of annotations.filter(isJsonObject)) {
    const opinion = {
      name: annotation.name,
      label: attributeOf(annotation, 'result.label'),
      score: attributeOf(annotation, 'result.score'),
      by: BY.get(annotation.annotator_kind) ?? 'model',
    };
    noteVerdict(notes, traceId, opinion, options.passMark);
  }
}

/** A span that could not be read takes its trace with it. */
function leftOut(found: Problem, record: JsonObject, notes: TraceNotes): Problem {
  const traceId = traceIdOf(record);
  const raw = found.raw ?? rawOf(record);
  if (traceId === null) return ofAnyTrace({ ...found, raw }, notes);
  notes.refused.add(traceId);
  return { ...found, hint: `${found.hint}; the run of its trace ${traceId} is left out`, raw };
}

function rawOf(record: JsonObject): string | null {
  try {
    return stringifyJson(record);
  } catch {
    // Nested too deeply to be written, which may be what was found.
    return null;
  }
}
