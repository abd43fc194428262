import { isDeeperThan, isJsonObject, type Json, MAX_DEPTH } from '../../model/json.js';
import { quote, readObject, readText, readWord } from '../fields.js';
import { RecordError } from '../format.js';
import {
  absorbMessage,
  absorbResult,
  blocksOf,
  type JsonObject,
  type ModelCall,
  newCall,
  type ToolUses,
  tokensOfUsage,
} from './claude-code-message.js';
import { apiErrorOf, kindOfUser } from './claude-code-words.js';

/** One turn of a conversation, from what was asked to the `result` line: a run to be. */
export interface Turn {
  /** First line of it; `null` where the recording has no lines. */
  readonly line: number | null;
  session: string | null;
  /** Model that the session was opened with. */
  model: string | null;
  version: string | null;
  readonly calls: ModelCall[];
  /** Calls of sub-agents, by the id of the tool call that started them. */
  readonly guests: Map<string, ModelCall[]>;
  readonly tools: ToolUses;
  /** Class of an API error that came in place of an answer. */
  error: string | null;
  wasInterrupted: boolean;
  result: JsonObject | null;
  resultLine: number | null;
  /** A message that could not be read may have been its. */
  isDamaged: boolean;
}

/** A recording as far as it was read. */
export interface Recording {
  /** The turn at work. */
  turn: Turn | null;
  readonly finished: Turn[];
  /** Model calls of the turn at work, by message id. */
  readonly calls: Map<string, ModelCall>;
  readonly seen: Set<string>;
  /** Message that raw stream events are about, by the thread they belong to. */
  readonly streaming: Map<string, ModelCall>;
  version: string | null;
  /** A message between the turns could not be read. */
  isDamaged: boolean;
}

export function newRecording(): Recording {
  return {
    turn: null,
    finished: [],
    calls: new Map(),
    seen: new Set(),
    streaming: new Map(),
    version: null,
    isDamaged: false,
  };
}

/** Notes a message that could not be read, or not in full: it may have been of the turn at work, else of the next. */
export function noteDamage(recording: Recording): void {
  (recording.turn ?? recording).isDamaged = true;
}

/**
 * Takes in one message of a recording.
 *
 * @throws RecordError where it says something that cannot be; what it says besides is taken in
 */
export function applyMessage(recording: Recording, value: Json, line: number | null): void {
  if (!isJsonObject(value)) throw new RecordError(`the message is ${quote(value)}`, 'it must be a JSON object');
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new RecordError(`the message is nested too deeply (more than ${MAX_DEPTH} levels)`, 'leave it out');
  }
  const type = readWord(value, 'type');
  if (type === null) throw new RecordError('type is missing', 'each message must say what it is');
  const uuid = readText(value, 'uuid');
  if (value.isReplay === true || (uuid !== null && recording.seen.has(uuid))) return;
  if (uuid !== null) recording.seen.add(uuid);
  switch (type) {
    case 'system':
      if (value.subtype === 'init') applyInit(recording, value, line);
      break;
    case 'assistant':
      applyAssistant(turnOf(recording, value, line), recording, value);
      break;
    case 'user':
      applyUser(recording, value, line);
      break;
    case 'stream_event':
      applyEvent(turnOf(recording, value, line), recording, value);
      break;
    case 'result':
      Object.assign(turnOf(recording, value, line), { result: value, resultLine: line });
      finish(recording);
      break;
    // Control requests, rate limits, news of tasks: nothing that a run is made of.
  }
}

/** Closes the turn at work. */
export function finish(recording: Recording): void {
  if (recording.turn !== null) recording.finished.push(recording.turn);
  recording.turn = null;
  recording.calls.clear();
  recording.streaming.clear();
}

/** The turn that a message belongs to. One of another session ends the turn at work. */
function turnOf(recording: Recording, value: JsonObject, line: number | null): Turn {
  const session = readText(value, 'session_id') || null;
  const open = recording.turn;
  if (open !== null && session !== null && open.session !== null && open.session !== session) finish(recording);
  recording.turn ??= {
    line,
    session: null,
    model: null,
    version: recording.version,
    calls: [],
    guests: new Map(),
    tools: new Map(),
    error: null,
    wasInterrupted: false,
    result: null,
    resultLine: null,
    isDamaged: recording.isDamaged,
  };
  recording.isDamaged = false;
  recording.turn.session ??= session;
  return recording.turn;
}

function applyInit(recording: Recording, value: JsonObject, line: number | null): void {
  const turn = turnOf(recording, value, line);
  turn.model = readWord(value, 'model') ?? turn.model;
  recording.version = readWord(value, 'claude_code_version') ?? recording.version;
  turn.version = recording.version;
}

function applyAssistant(turn: Turn, recording: Recording, value: JsonObject): void {
  const message = readObject(value, 'message');
  if (message === undefined) throw new RecordError('message is missing', 'an assistant line must hold a message');
  if (message.model === '<synthetic>') {
    turn.error = apiErrorOf(value, message) ?? turn.error;
    return;
  }
  absorbMessage(callOf(turn, recording, value, message), message, turn.tools);
}

/** The call that a message belongs to: the agent's own, or one of a sub-agent. */
function callOf(turn: Turn, recording: Recording, value: JsonObject, message: JsonObject): ModelCall {
  const id = readWord(message, 'id', 'message.id') ?? readText(value, 'uuid');
  if (id === null) throw new RecordError('message.id is missing', 'each message must have an id');
  const known = recording.calls.get(id);
  if (known !== undefined) return known;
  const call = newCall(id);
  recording.calls.set(id, call);
  turn.error = null;
  const parent = readWord(value, 'parent_tool_use_id');
  if (parent === null) turn.calls.push(call);
  else turn.guests.set(parent, [...(turn.guests.get(parent) ?? []), call]);
  return call;
}

/** Only results of tools and the user's stop tell of the run; what was asked opens no turn before it is answered. */
function applyUser(recording: Recording, value: JsonObject, line: number | null): void {
  const message = readObject(value, 'message');
  if (message === undefined) throw new RecordError('message is missing', 'a user line must hold a message');
  const kind = kindOfUser(value, message);
  if (kind === 'interrupt' && recording.turn !== null) recording.turn.wasInterrupted = true;
  if (kind !== 'results') return;
  const turn = turnOf(recording, value, line);
  for (const block of blocksOf(message)) if (block.type === 'tool_result') absorbResult(block, turn.tools);
}

/** Raw events of the Messages API: the last `message_delta` has the final count of the output. */
function applyEvent(turn: Turn, recording: Recording, value: JsonObject): void {
  const event = readObject(value, 'event') ?? {};
  const thread = readText(value, 'parent_tool_use_id') ?? '';
  const message = readObject(event, 'message', 'event.message');
  if (event.type === 'message_start' && message !== undefined) {
    const call = callOf(turn, recording, value, message);
    absorbMessage(call, message, turn.tools);
    recording.streaming.set(thread, call);
  }
  const call = recording.streaming.get(thread);
  if (event.type !== 'message_delta' || call === undefined) return;
  const { output } = tokensOfUsage(readObject(event, 'usage', 'event.usage') ?? {}, 'event.usage');
  call.stopReason = readWord(readObject(event, 'delta', 'event.delta') ?? {}, 'stop_reason') ?? call.stopReason;
  if (output !== null) call.tokens = { ...call.tokens, output };
}
