import { isJsonObject, type Json, stringifyJson } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { quote } from '../fields.js';
import {
  type Format,
  isProblem,
  orProblemValue,
  type Reading,
  type ReadingOptions,
  RecordError,
  type Source,
} from '../format.js';
import { readTopValues, type TopValue } from '../top-values.js';
import { factsOfTrace } from './langfuse-facts.js';
import { fieldOf, type JsonObject, microsOf, wordOf } from './langfuse-fields.js';
import { spanOfObservation } from './langfuse-observation.js';
import { unpacked } from './message-calls.js';
import { runsOfSpans, type Span, spanOf } from './spans.js';
import { ofAnyTrace } from './trace-notes.js';
import { underOneRoot } from './trace-root.js';

/*
 * Langfuse: traces with their observations, one trace a run. Written from recorded exports of fourteen frameworks and from
 * github.com/langfuse/langfuse at 62751446 (v3 and v4): fern/apis/server/definition/commons.yml (API),
 * packages/shared/src/domain/{observations,scores}.ts, web/src/features/traces/server/buildTraceExport.ts (download of a
 * trace), packages/shared/src/domain/observation-field-groups.ts (blob storage export, same fields in snake case).
 *
 * One JSON document or one JSON value a line, each of them a `{trace, observations}` as the trace view downloads it, the
 * newer `{observations, scores}`, a trace of GET /traces/ID, an observation alone (observations of one traceId are one
 * run), or a list or page (`{data}`) of these. `input`, `output` and `metadata` may be JSON texts.
 *
 *   id          the trace's id
 *   status      of the root observation: level ERROR is halted, or stopped where statusMessage names the class of a limit;
 *               no endTime is `running`; else done. A root says no more than that it raised nothing: then the last agent
 *               and the last model call decide. An export without its root is not taken for unfinished
 *   check       scores of the whole trace, by name and source (verdict-names.ts): `API` under the name of a test
 *               (tests_passed, resolved, …) is the word of the user's own code and a check. `EVAL` is a model and
 *               `ANNOTATION` a person: a claim, and a check with trustJudge. All other scores are no verdicts
 *   labels      name, environment, release, version, tags of the trace; task_id of its metadata
 *   started_at  startTime of the root observation
 *   passes      observations of type GENERATION, leaves only (spans.ts): frameworks wrap the call of the SDK below them
 *   tokens      usageDetails, else the older usage, inputUsage …, promptTokens …: see langfuse-usage.ts
 *   usd         costDetails.total, else totalCost, else calculatedTotalCost; 0 is a model without a price: not known
 *   seconds     startTime of the pass to startTime of the next, the last to the end of the root
 *   calls       type TOOL, and SPANs that say they are tools; where there are none, what the answers ask for
 *   sub-agents  GENERATIONs inside a TOOL
 */

/** Types, and keys that no other recorder writes. */
const OBSERVATION = /"type"\s*:\s*"(?:SPAN|EVENT|GENERATION|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)"/;
const PARENT = /"(?:parentObservationId|parent_observation_id)"\s*:/;
const TRACE_FIRST = /^\s*\[?\s*\{\s*"trace"\s*:\s*\{/;
const TRACE_KEYS = ['bookmarked', 'sessionId', 'userId', 'timestamp'].map((key) => new RegExp(`"${key}"\\s*:`));
const API_TRACE = /"htmlPath"\s*:\s*"\/project\//;

/** Traces of Langfuse. */
export const langfuse: Format = {
  id: 'langfuse',
  description: 'traces of Langfuse with their observations, JSON or JSON lines',
  detect: (head) =>
    /^\s*[[{]/.test(head) &&
    ((PARENT.test(head) && OBSERVATION.test(head)) ||
      API_TRACE.test(head) ||
      (TRACE_FIRST.test(head) && /"projectId"\s*:/.test(head)) ||
      TRACE_KEYS.every((key) => key.test(head))),
  read: readLangfuse,
};

/** Observations that stand alone, gathered by trace until the source ends. */
interface Loose {
  readonly spans: Map<string, Span[]>;
  /** The record that tells about each trace: its root observation, else its first. */
  readonly roots: Map<string, JsonObject>;
  readonly scores: Map<string, Json[]>;
  /** Traces of which an observation could not be read: they cannot be counted. */
  readonly refused: Set<string>;
  /** Whether something could not be read that may have been an observation of any trace. */
  isDamaged: boolean;
}

async function* readLangfuse(source: Source, options: ReadingOptions): Reading {
  const loose: Loose = { spans: new Map(), roots: new Map(), scores: new Map(), refused: new Set(), isDamaged: false };
  for await (const top of readTopValues(source)) {
    if (isProblem(top)) yield ofAnyTrace(top, loose);
    else yield* readValue(top.value, { path: top.path, depth: 0, top, file: source.name }, loose, options);
  }
  for (const [traceId, spans] of loose.spans) {
    if (loose.refused.has(traceId)) continue;
    const facts = factsOfTrace(loose.roots.get(traceId) ?? {}, loose.scores.get(traceId) ?? [], options);
    const { isDamaged } = loose;
    yield* runsOfSpans(underOneRoot(spans), options, { file: source.name, isDamaged, factsOf: () => facts });
  }
}

/** Lists are not inside lists deeper than this. */
const DEEPEST = 4;

/** Reads one value of whatever kind; `path` says where it stands in the value of its line or document. */
function* readValue(
  value: Json,
  at: { readonly path: string; readonly depth: number; readonly top: TopValue; readonly file: string },
  loose: Loose,
  options: ReadingOptions,
): Generator<Run | Problem> {
  const { path, depth, top, file } = at;
  const list = depth < DEEPEST ? listIn(value) : null;
  if (list !== null) {
    for (const score of list.scores) takeScore(score, loose);
    for (const [index, each] of list.items.entries()) {
      const inner = `${path === '' || list.name === '' ? path : `${path}.`}${list.name}[${index}]`;
      yield* readValue(each, { ...at, path: inner, depth: depth + 1 }, loose, options);
    }
    return;
  }
  const read = orProblemValue<ReadTrace | null>(file, top.line, null, () =>
    takeValue(value, path, top.line, loose, options),
  );
  if (read === null) return;
  if ('kind' in read) {
    const found = { ...read, raw: path === top.path ? top.text : rawOf(value) };
    yield isOfKnownTrace(value) ? found : ofAnyTrace(found, loose);
  } else yield* runsOfSpans(read.spans, options, { file, factsOf: () => read.facts });
}

/** Whether an observation that cannot be read takes its trace with it, or the value is a trace by itself. */
function isOfKnownTrace(value: Json): boolean {
  return isJsonObject(value) && (wordOf(value, 'traceId') !== null || fieldOf(value, 'observations') !== undefined);
}

interface List {
  /** Key under which the items stand; empty for a bare list. */
  readonly name: string;
  readonly items: readonly Json[];
  readonly scores: readonly Json[];
}

/** The values that a value only wraps: a page, a session, the observations of a trace that is not there itself. */
function listIn(value: Json): List | null {
  if (Array.isArray(value)) return { name: '', items: value as readonly Json[], scores: [] };
  if (!isJsonObject(value) || fieldOf(value, 'traceId') !== undefined || isJsonObject(value.trace)) return null;
  const names = value.id === undefined ? ['data', 'traces', 'observations'] : ['traces'];
  const name = names.find((key) => Array.isArray(value[key]));
  return name === undefined ? null : { name, items: value[name] as readonly Json[], scores: listOf(value.scores) };
}

function rawOf(value: Json): string | null {
  try {
    return stringifyJson(value);
  } catch {
    // Nested too deeply to be written.
    return null;
  }
}

interface ReadTrace {
  readonly spans: readonly Span[];
  readonly facts: ReturnType<typeof factsOfTrace>;
}

/** A trace with its observations; `null` for an observation that stands alone, which is put with the others. */
function takeValue(
  value: Json,
  path: string,
  line: number | null,
  loose: Loose,
  options: ReadingOptions,
): ReadTrace | null {
  if (!isJsonObject(value)) {
    const what = path === '' ? 'the value' : path;
    throw new RecordError(`${what} is ${quote(value)}`, 'it must be a trace or an observation, a JSON object');
  }
  if (fieldOf(value, 'observations') === undefined && wordOf(value, 'traceId') !== null) {
    takeObservation(value, path === '' ? 'observation' : path, line, loose);
    return null;
  }
  const at = path === '' ? '' : `${path}.`;
  const trace = isJsonObject(value.trace) ? value.trace : value;
  const id = wordOf(trace, 'id');
  if (id === null) throw new RecordError(`${at}trace has no id`, 'it must be a trace or an observation of Langfuse');
  const observations = observationsIn(value.observations ?? trace.observations, `${at}observations`);
  const spans = observations.map((each, index) => spanOfObservation(each, id, `${at}observations[${index}]`, line));
  const scores = [...listOf(trace.scores), ...(trace === value ? [] : listOf(value.scores))];
  const read = spans.length > 0 ? underOneRoot(spans) : [emptyTrace(trace, id, at, line)];
  return { spans: read, facts: factsOfTrace(trace, scores, options) };
}

function observationsIn(value: Json | undefined, path: string): readonly Json[] {
  if (Array.isArray(value) && !value.some((each) => typeof each === 'string')) return value as readonly Json[];
  const found = Array.isArray(value) ? 'holds ids only' : value === undefined ? 'is missing' : `is ${quote(value)}`;
  throw new RecordError(
    `${path} ${found}`,
    'passes are counted from observations: download each trace by its id, or export the observations',
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  const list = unpacked(value);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** A trace without observations called no model; what it says of its time is kept. */
function emptyTrace(trace: JsonObject, traceId: string, at: string, line: number | null): Span {
  const start = microsOf(trace, 'timestamp', `${at}trace`);
  const seconds = fieldOf(trace, 'latency');
  const end = start === null || typeof seconds !== 'number' || seconds < 0 ? start : start + Math.round(seconds * 1e6);
  return spanOf({ traceId, spanId: traceId, kind: 'chain', start, end, line });
}

function takeObservation(value: Json, path: string, line: number | null, loose: Loose): void {
  const traceId = isJsonObject(value) ? wordOf(value, 'traceId') : null;
  try {
    const span = spanOfObservation(value, null, path, line);
    const spans = loose.spans.get(span.traceId);
    if (spans === undefined) loose.spans.set(span.traceId, [span]);
    else spans.push(span);
    if (spans === undefined || span.parentId === null) loose.roots.set(span.traceId, value as JsonObject);
  } catch (error) {
    if (traceId === null || !(error instanceof RecordError)) throw error;
    loose.refused.add(traceId);
    throw new RecordError(error.message, `${error.hint}; without it trace ${quote(traceId)} is left out`);
  }
}

function takeScore(score: Json, loose: Loose): void {
  const traceId = isJsonObject(score) ? wordOf(score, 'traceId') : null;
  if (traceId === null) return;
  const scores = loose.scores.get(traceId);
  if (scores === undefined) loose.scores.set(traceId, [score]);
  else scores.push(score);
}
