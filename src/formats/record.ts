import { ExactNumber, isJsonObject, type Json } from '../model/json.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import { runTotal } from '../model/measure.js';
import type { Place } from '../model/problem.js';
import type { Call, Pass, Run, Totals } from '../model/run.js';
import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../model/status.js';
import { quote, readAmount, readChoice, readContent, readFlag, readObject, readText, readWord } from './fields.js';
import { RecordError } from './format.js';

type JsonObject = { readonly [key: string]: Json };

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'id',
  'status',
  'reason',
  'check',
  'claim',
  'blocker',
  'evidence',
  'labels',
  'started_at',
  'recorded_under',
  'passes',
  'totals',
]);

/**
 * A run record, version 1, from its JSON value.
 *
 * @throws RecordError when the value is no run record: which field, what it holds, what it must hold
 */
export function runOfRecord(record: Json, origin: Place): Run {
  if (!isJsonObject(record)) {
    throw new RecordError(
      `not a run record but ${quote(record)}`,
      'each record must be a JSON object with id, status and passes',
    );
  }
  const status = readChoice(record, 'status', STATUSES);
  if (status === null) throw new RecordError('status is missing', `give one of ${STATUSES.join(', ')}`);
  const check = readChoice(record, 'check', CHECKS) ?? 'none';
  const conflict = statusCheckConflict(status, check);
  if (conflict !== null) throw new RecordError(conflict, 'correct one of the two');
  const run: Run = {
    id: readId(record),
    status,
    reason: readText(record, 'reason'),
    check,
    claim: readChoice(record, 'claim', CLAIMS),
    blocker: readContent(record, 'blocker') ?? null,
    evidence: readContent(record, 'evidence') ?? null,
    labels: readLabels(record),
    startedAt: readTime(record),
    recordedUnder: readRecordedUnder(record),
    passes: readPasses(record),
    totals: readTotals(record),
    extra: readExtra(record),
    origin,
  };
  for (const limit of LIMITS) checkSum(run, limit);
  return run;
}

/** Sums must stay exact: what a double cannot count one by one is no recording. */
function checkSum(run: Run, limit: LimitName): void {
  const total = runTotal(run, limit);
  if (total === null || Number.isSafeInteger(total)) return;
  throw new RecordError(`the ${limit} of all passes are beyond exact numbers`, 'correct the figures of the passes');
}

function readId(record: JsonObject): string {
  const id = readWord(record, 'id');
  if (id === null) throw new RecordError('id is missing', 'give every run an id of its own');
  return id;
}

function readTime(record: JsonObject): string | null {
  const text = readText(record, 'started_at');
  if (text !== null && Number.isNaN(Date.parse(text))) {
    throw new RecordError(
      `started_at is ${quote(text)}`,
      'started_at must be an ISO 8601 time such as 2026-03-01T09:00:00Z',
    );
  }
  return text;
}

/** @throws RecordError */
export function readLabels(record: JsonObject): Map<string, string> {
  const labels = new Map<string, string>();
  for (const [name, value] of Object.entries(readObject(record, 'labels') ?? {})) {
    if (value === null) continue;
    if (typeof value === 'object' && !(value instanceof ExactNumber)) {
      throw new RecordError(`labels.${name} is ${quote(value)}`, 'a label must be a text, a number, true or false');
    }
    labels.set(name, value instanceof ExactNumber ? value.text : String(value));
  }
  return labels;
}

/** @throws RecordError */
export function readRecordedUnder(record: JsonObject): Map<string, number> {
  const caps = new Map<string, number>();
  for (const [name, value] of Object.entries(readObject(record, 'recorded_under') ?? {})) {
    if (value === null) continue;
    const cap = value instanceof ExactNumber ? Number(value.text) : value;
    if (typeof cap !== 'number' || !(cap > 0) || !Number.isFinite(cap)) {
      throw new RecordError(`recorded_under.${name} is ${quote(value)}`, 'a provisional cap must be a number above 0');
    }
    caps.set(name, cap);
  }
  return caps;
}

function readPasses(record: JsonObject): Pass[] | null {
  const passes = record.passes ?? null;
  if (passes === null) return null;
  if (!Array.isArray(passes)) {
    throw new RecordError(
      `passes is ${quote(passes)}`,
      'passes must be a list with one object for each model call, or null',
    );
  }
  return passes.map(readPass);
}

function readPass(value: Json, index: number): Pass {
  const path = `passes[${index}]`;
  if (!isJsonObject(value)) throw new RecordError(`${path} is ${quote(value)}`, 'each pass must be a JSON object');
  return {
    inputTokens: readAmount(value, 'input_tokens', 'tokens', `${path}.input_tokens`),
    outputTokens: readAmount(value, 'output_tokens', 'tokens', `${path}.output_tokens`),
    cacheReadTokens: readAmount(value, 'cache_read_tokens', 'tokens', `${path}.cache_read_tokens`),
    cacheWriteTokens: readAmount(value, 'cache_write_tokens', 'tokens', `${path}.cache_write_tokens`),
    micros: readAmount(value, 'seconds', 'seconds', `${path}.seconds`),
    nanos: readAmount(value, 'usd', 'usd', `${path}.usd`),
    steps: readAmount(value, 'steps', 'steps', `${path}.steps`),
    model: readWord(value, 'model', `${path}.model`),
    calls: readCalls(value, path),
  };
}

function readCalls(pass: JsonObject, path: string): readonly Call[] {
  const calls = pass.calls ?? [];
  if (!Array.isArray(calls))
    throw new RecordError(`${path}.calls is ${quote(calls)}`, 'calls must be a list of tool calls');
  return calls.map((call: Json, index) => readCall(call, `${path}.calls[${index}]`));
}

function readCall(value: Json, path: string): Call {
  if (!isJsonObject(value))
    throw new RecordError(`${path} is ${quote(value)}`, 'each call must be a JSON object with a tool');
  const tool = readWord(value, 'tool', `${path}.tool`);
  if (tool === null) throw new RecordError(`${path}.tool is missing`, 'each call must name its tool');
  return {
    tool,
    args: readContent(value, 'args', `${path}.args`),
    argsDigest: readWord(value, 'args_digest', `${path}.args_digest`),
    result: readContent(value, 'result', `${path}.result`),
    resultDigest: readWord(value, 'result_digest', `${path}.result_digest`),
    error: readFlag(value, 'error', `${path}.error`),
  };
}

/** @throws RecordError */
export function readTotals(record: JsonObject): Totals | null {
  const totals = readObject(record, 'totals');
  if (totals === undefined) return null;
  return {
    passes: readAmount(totals, 'passes', 'passes', 'totals.passes'),
    tokens: readAmount(totals, 'tokens', 'tokens', 'totals.tokens'),
    seconds: readAmount(totals, 'seconds', 'seconds', 'totals.seconds'),
    usd: readAmount(totals, 'usd', 'usd', 'totals.usd'),
  };
}

function readExtra(record: JsonObject): Map<string, Json> | null {
  let extra: Map<string, Json> | null = null;
  for (const key of Object.keys(record)) {
    if (KNOWN_KEYS.has(key)) continue;
    extra ??= new Map();
    extra.set(key, readContent(record, key) ?? null);
  }
  return extra;
}
