import { isJsonObject, type Json, stringifyJson } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
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
import { factsOfRoot } from './langsmith-facts.js';
import { type JsonObject, spanOfRun, wordOf } from './langsmith-run.js';
import { runsOfSpans, type Span } from './spans.js';
import { ofAnyTrace } from './trace-notes.js';
import { underOneRoot } from './trace-root.js';

/*
 * LangSmith: runs (its word for spans), one trace a run. No recorded export was at hand. Written from the schema in
 * github.com/langchain-ai/langsmith-sdk at bc8dd672 (python/langsmith/schemas.py: Run, UsageMetadata, Feedback;
 * js/src/_openapi_client/resources/runs/runs.ts: the answers of both APIs), docs.langchain.com/langsmith/run-data-format
 * and feedback-data-format, and from what github.com/langchain-ai/langsmith-cli at ca907207 exports.
 *
 * One JSON document or one JSON value a line: a run, a list of runs, an answer of the API or the command line tool
 * (`{runs}`); runs may hold their `child_runs`.
 *
 *   id          trace_id (the id of the root run), else what dotted_order or the parents say
 *   status      of the root run: error or status `error` is halted, or stopped where the class of the error is a limit
 *               (GraphRecursionError); no end_time is `running`; else done. `success` says that nothing was raised: it is
 *               the framework's word and a claim. An export without the root is not taken for unfinished
 *   check       feedback of the root whose key says whether the task was done (verdict-names.ts). A check only where the
 *               user's own program gave it under the name of a test: see langsmith-facts.ts. All other feedback is a claim,
 *               and a check with trustJudge
 *   labels      reference_example_id (task_id), session_name (project), revision_id of the metadata, tags of the root
 *   started_at  start_time of the root
 *   passes      run_type llm, leaves only (spans.ts); model from metadata.ls_model_name, else invocation_params
 *   tokens      prompt_tokens, completion_tokens; usage_metadata where these are absent. Those of chains are roll-ups
 *   usd         total_cost, else prompt_cost + completion_cost; 0 is a model without a price: not known
 *   seconds     start_time of the pass to start_time of the next, the last to the end of the root
 *   calls       run_type tool: inputs and outputs; where a trace has none, the tool calls that the answers ask for
 *   sub-agents  llm runs inside a tool run
 */

const RUN_TYPE = /"run_type"\s*:\s*"[A-Za-z]+"/;
const RUN_KEYS = /"(?:trace_id|dotted_order|parent_run_id|child_runs|child_run_ids|session_id)"\s*:/;
const ORDER = /"dotted_order"\s*:\s*"\d{8}T\d+Z/;

/** Runs of LangSmith. */
export const langsmith: Format = {
  id: 'langsmith',
  description: 'runs of LangSmith, JSON or JSON lines',
  detect: (head) => /^\s*[[{]/.test(head) && ((RUN_TYPE.test(head) && RUN_KEYS.test(head)) || ORDER.test(head)),
  read: readLangsmith,
};

interface Row {
  readonly span: Span;
  readonly run: JsonObject;
}

/** Runs are gathered until the source ends: those of one trace need not stand together. */
interface Gathered {
  readonly rows: Row[];
  /** Traces of which a run could not be read: they cannot be counted. */
  readonly refused: Set<string>;
  /** Whether something could not be read that may have been a run of any trace. */
  isDamaged: boolean;
}

async function* readLangsmith(source: Source, options: ReadingOptions): Reading {
  const gathered: Gathered = { rows: [], refused: new Set(), isDamaged: false };
  for await (const top of readTopValues(source)) {
    if (isProblem(top)) yield ofAnyTrace(top, gathered);
    else yield* gather(top.value, { path: top.path, depth: 0, top, file: source.name }, gathered);
  }
  for (const [traceId, rows] of tracesOf(gathered.rows)) {
    if (gathered.refused.has(traceId)) continue;
    const spans = underOneRoot(rows.map(({ span }) => ({ ...span, traceId })));
    const facts = () => factsOfRoot(rootIn(rows).run, options);
    const read = orProblemValue(source.name, spans[0]?.line ?? null, null, facts);
    if ('kind' in read) yield read;
    else {
      const { isDamaged } = gathered;
      yield* runsOfSpans(spans, options, { file: source.name, isDamaged, factsOf: () => read });
    }
  }
}

/** Lists are not inside lists deeper than this. */
const DEEPEST = 4;

interface At {
  readonly path: string;
  readonly depth: number;
  readonly top: TopValue;
  readonly file: string;
}

function* gather(value: Json, at: At, gathered: Gathered): Generator<Problem> {
  const list = at.depth < DEEPEST ? listIn(value) : null;
  if (list !== null) {
    for (const [index, each] of list.items.entries()) {
      const inner = `${at.path === '' || list.name === '' ? at.path : `${at.path}.`}${list.name}[${index}]`;
      yield* gather(each, { ...at, path: inner, depth: at.depth + 1 }, gathered);
    }
    return;
  }
  const read = orProblemValue(at.file, at.top.line, null, () => rowsOf(value, at, gathered.refused));
  if ('kind' in read) {
    const found = { ...read, raw: at.path === at.top.path ? at.top.text : rawOf(value) };
    yield isOfKnownTrace(value) ? found : ofAnyTrace(found, gathered);
  } else for (const row of read) gathered.rows.push(row);
}

/** Whether a run that cannot be read takes its trace with it, or is a trace by itself: one with the runs inside it. */
function isOfKnownTrace(value: Json): boolean {
  return isJsonObject(value) && (wordOf(value, 'trace_id') !== null || Array.isArray(value.child_runs));
}

function listIn(value: Json): { readonly name: string; readonly items: readonly Json[] } | null {
  if (Array.isArray(value)) return { name: '', items: value as readonly Json[] };
  if (!isJsonObject(value) || value.run_type !== undefined) return null;
  const name = ['runs', 'traces', 'data'].find((key) => Array.isArray(value[key]));
  return name === undefined ? null : { name, items: value[name] as readonly Json[] };
}

function rawOf(value: Json): string | null {
  try {
    return stringifyJson(value);
  } catch {
    // Nested too deeply to be written.
    return null;
  }
}

/** A run and all runs inside it. */
function rowsOf(value: Json, at: At, refused: Set<string>): Row[] {
  const rows: Row[] = [];
  const waiting: { value: Json; parent: Span | null; path: string }[] = [
    { value, parent: null, path: at.path === '' ? 'run' : at.path },
  ];
  try {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { value: run, parent, path } = next;
      if (!isJsonObject(run)) throw new RecordError(`${path} is ${quote(run)}`, 'it must be a run, a JSON object');
      const read = spanOfRun(run, parent, path, at.top.line);
      const span = read.traceId === '' && read.parentId === null ? { ...read, traceId: read.spanId } : read;
      rows.push({ span, run });
      const children = Array.isArray(run.child_runs) ? (run.child_runs as readonly Json[]) : [];
      for (let index = children.length - 1; index >= 0; index--) {
        waiting.push({ value: children[index] as Json, parent: span, path: `${path}.child_runs[${index}]` });
      }
    }
  } catch (error) {
    const traceId = isJsonObject(value) ? wordOf(value, 'trace_id') : null;
    if (traceId === null || !(error instanceof RecordError)) throw error;
    refused.add(traceId);
    throw new RecordError(error.message, `${error.hint}; without it trace ${quote(traceId)} is left out`);
  }
  return rows;
}

/** The runs of each trace. A run that does not say its trace belongs to that of its parents. */
function tracesOf(rows: readonly Row[]): Map<string, Row[]> {
  const byId = new Map(rows.map(({ span }) => [span.spanId, span]));
  const traceOf = (span: Span): string => {
    const seen = new Set<Span>();
    let at = span;
    while (at.traceId === '' && !seen.has(at)) {
      seen.add(at);
      at = byId.get(at.parentId ?? '') ?? at;
    }
    return at.traceId || at.parentId || at.spanId;
  };
  const traces = new Map<string, Row[]>();
  for (const row of rows) {
    const traceId = traceOf(row.span);
    const trace = traces.get(traceId);
    if (trace === undefined) traces.set(traceId, [row]);
    else trace.push(row);
  }
  return traces;
}

/** The row that tells about the whole trace: its root, else the first. */
function rootIn(rows: readonly Row[]): Row {
  const [first] = rows as readonly [Row];
  return rows.find(({ span }) => span.parentId === null) ?? first;
}
