import { isJsonObject, type Json, parseJson } from '../../model/json.js';
import type { JsonLine } from '../document.js';
import { type Moment, quote, readMoment, readWord } from '../fields.js';
import { RecordError } from '../format.js';

export type JsonObject = { readonly [key: string]: Json };

/** One line of a rollout, of whichever era. */
export interface RolloutLine {
  /** `session_meta`, `turn_context`, `event_msg`, `response_item`, `compacted`, or a word of a later version. */
  readonly type: string;
  readonly payload: JsonObject;
  readonly at: Moment | null;
  readonly line: number;
}

/** The format's id. */
export const CODEX = 'codex';

const ENVELOPES: ReadonlySet<Json | undefined> = new Set([
  ...['session_meta', 'turn_context', 'event_msg', 'response_item', 'compacted'],
]);
/** An envelope whose line is longer than the head. */
const ENVELOPE_START =
  /^\s*\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(?:session_meta|turn_context|event_msg|response_item|compacted)","payload":\{/;
const LINES_LOOKED_AT = 20;

/** Whether one of the first lines is a Codex envelope, or the first two are the bare lines of 2025. */
export function looksLikeRollout(head: string): boolean {
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const first = lines.slice(0, LINES_LOOKED_AT);
  return first.some((line) => isEnvelope(line)) || isBareStart(first);
}

function isEnvelope(line: string): boolean {
  if (ENVELOPE_START.test(line)) return true;
  const value = jsonOf(line);
  return (
    isJsonObject(value) &&
    ENVELOPES.has(value.type) &&
    (typeof value.timestamp === 'string' || typeof value.timestamp === 'number') &&
    isJsonObject(value.payload)
  );
}

/** Until September 2025 the first line was the session's facts and every other one a response item, all without envelope. */
function isBareStart(lines: readonly string[]): boolean {
  const [meta, next] = lines.slice(0, 2).map(jsonOf);
  if (!isJsonObject(meta)) return false;
  if (!['id', 'timestamp', 'instructions'].every((name) => Object.hasOwn(meta, name))) return false;
  return isJsonObject(next) && (next.record_type === 'state' || (next.type === 'message' && 'role' in next));
}

/** Whether a line has the marks of a rollout's, of whichever era. Later versions add types of their own. */
export function isOfRollout(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  if (Object.hasOwn(value, 'payload')) return ENVELOPES.has(value.type);
  if (Object.hasOwn(value, 'record_type') || Object.hasOwn(value, 'instructions')) return true;
  const type = typeof value.type === 'string' ? value.type : '';
  return type === 'message' ? 'role' in value : type === 'reasoning' || /_(?:call|output)$/.test(type);
}

function jsonOf(line: string): Json | undefined {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/**
 * What a JSON line says.
 *
 * @throws RecordError when it is no line of a rollout
 */
export function rolloutLine({ value, line }: JsonLine): RolloutLine {
  if (!isJsonObject(value)) throw strange(value);
  if (!Object.hasOwn(value, 'payload')) return bareLine(value, line);
  const type = readWord(value, 'type');
  if (type === null) throw new RecordError('the line has no type', 'every line of a rollout names its type');
  const payload = value.payload ?? {};
  if (!isJsonObject(payload)) throw new RecordError(`payload is ${quote(payload)}`, 'payload must be a JSON object');
  return { type, payload, at: readMoment(value, 'timestamp'), line };
}

function bareLine(value: JsonObject, line: number): RolloutLine {
  if (Object.hasOwn(value, 'record_type')) return { type: 'state', payload: value, at: null, line };
  if (typeof value.type === 'string') return { type: 'response_item', payload: value, at: null, line };
  if (typeof value.id === 'string') return { type: 'session_meta', payload: value, at: null, line };
  throw strange(value);
}

function strange(value: Json): RecordError {
  return new RecordError(
    `not a line of a rollout but ${quote(value)}`,
    'each line must be an object with timestamp, type and payload',
  );
}
