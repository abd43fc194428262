import { isDeeperThan, isJsonObject, type Json, MAX_DEPTH } from '../../model/json.js';
import { type Moment, quote, readAmount, readMoment, readObject, readText, readWord } from '../fields.js';
import { RecordError } from '../format.js';
import { advance, begin } from './claude-code-clock.js';
import { dropRequest, enterThread } from './claude-code-damage.js';
import {
  absorbMessage,
  absorbResult,
  blocksOf,
  type JsonObject,
  type ModelCall,
  newCall,
} from './claude-code-message.js';
import { isHeadless, newThread, openRequest, type Request, type Session, type Thread } from './claude-code-session.js';
import { noteStart } from './claude-code-starts.js';
import {
  apiErrorOf,
  CANCELED,
  DONE,
  endingAfter,
  fullText,
  kindOfUser,
  limitOf,
  OPEN,
  type UserKind,
} from './claude-code-words.js';

/** One line being taken in. */
interface Line {
  readonly value: JsonObject;
  readonly number: number;
  readonly uuid: string | null;
  readonly session: string | null;
  readonly moment: Moment | null;
}

/**
 * Takes in one line of a session's file or of a sub-agent's.
 *
 * @throws RecordError where the line says something that cannot be; what it says besides is taken in
 */
export function applyLine(session: Session, value: Json, number: number): void {
  if (!isJsonObject(value)) throw new RecordError(`the line is ${quote(value)}`, 'each line must be a JSON object');
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new RecordError(`the line is nested too deeply (more than ${MAX_DEPTH} levels)`, 'leave it out');
  }
  const type = readWord(value, 'type');
  if (type === null) throw new RecordError('type is missing', 'each line must say what it is');
  const uuid = readText(value, 'uuid');
  const owner = readText(readObject(value, 'forkedFrom') ?? value, 'sessionId');
  if (uuid !== null && session.seen.has(uuid)) return;
  if (owner !== null && value.isSidechain !== true && session.isElsewhere(owner)) return;
  const thread = enterThread(session, threadOf(session, value, uuid));
  noteSession(session, value);
  try {
    applyTimed(session, thread, { value, number, uuid, session: readText(value, 'sessionId') }, type);
  } finally {
    if (uuid !== null) session.seen.set(uuid, { thread, call: thread.requests.at(-1)?.calls.at(-1) });
  }
}

/** A time that cannot be read is as good as none, and is told after the rest was taken in. */
function applyTimed(session: Session, thread: Thread, line: Omit<Line, 'moment'>, type: string): void {
  let moment: Moment | null = null;
  let fault: RecordError | null = null;
  try {
    moment = readMoment(line.value, 'timestamp');
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    fault = error;
  }
  applyKind(session, thread, { ...line, moment }, type);
  if (fault !== null) throw fault;
}

function noteSession(session: Session, value: JsonObject): void {
  const id = readText(value, 'sessionId');
  if (id !== null && id !== '') session.ids.add(id);
  for (const name of ['entrypoint', 'version'] as const) {
    const word = readText(value, name);
    if (word !== null && word !== '' && !session.about.has(name)) session.about.set(name, word);
  }
}

/** A sub-agent's line names the agent; older recorders tell only by `isSidechain` and the line it follows. */
function threadOf(session: Session, value: JsonObject, uuid: string | null): Thread {
  if (value.isSidechain !== true) return session.main;
  const parent = readText(value, 'parentUuid');
  const agentId = readWord(value, 'agentId');
  const followed = session.seen.get(parent ?? '')?.thread;
  if (agentId === null && followed !== undefined && followed !== session.main) return followed;
  const key = agentId ?? uuid ?? '';
  const thread = session.agents.get(key) ?? newThread(agentId, parent);
  session.agents.set(key, thread);
  return thread;
}

function applyKind(session: Session, thread: Thread, line: Line, type: string): void {
  const current = thread.requests.at(-1);
  switch (type) {
    case 'user':
      applyUser(session, thread, line);
      break;
    case 'assistant':
      applyAssistant(session, thread, line);
      break;
    case 'agent-setting':
      session.about.set('agent', readWord(line.value, 'agentSetting') ?? 'claude-code');
      break;
    case 'file-history-snapshot':
      session.isInteractive = true;
      break;
    case 'queue-operation':
      if (current === undefined) session.queued ??= line.moment;
      pause(session, current, line);
      break;
    case 'system':
      applySystem(session, current, line);
      break;
    case 'attachment':
      applyLimit(current, line.value);
      pause(session, current, line);
      break;
    case 'progress':
      noteStart(session, line.value);
      pause(session, current, line);
      break;
    // Titles, summaries, settings and what newer recorders add: nothing that a run is made of.
  }
}

function applyUser(session: Session, thread: Thread, line: Line): void {
  const message = readObject(line.value, 'message');
  if (message === undefined) throw new RecordError('message is missing', 'a user line must hold a message');
  const kind = kindOfUser(line.value, message);
  if (kind === 'local') dropCommand(session, thread);
  else if (kind === 'request' || kind === 'command') applyRequest(session, thread, line, kind, fullText(message));
  else if (kind === 'continuation') resume(session, thread, line);
  else applyAnswer(session, thread, line, message, kind);
}

/** The agent is set to work again, but not by a request. */
function resume(session: Session, thread: Thread, line: Line): void {
  const current = thread.requests.at(-1);
  if (current !== undefined) current.clock.resumed = line.moment;
  else if (thread !== session.main) openRequest(thread, line, line.moment);
}

/** Results of tools, or the user's stop. */
function applyAnswer(session: Session, thread: Thread, line: Line, message: JsonObject, kind: UserKind): void {
  const current = thread.requests.at(-1);
  if (current !== undefined) {
    touch(session, current, line.moment);
    if (kind === 'interrupt') current.ending = CANCELED;
  }
  if (kind === 'interrupt') return;
  for (const block of blocksOf(message)) if (block.type === 'tool_result') absorbResult(block, session.tools);
  noteStart(session, line.value);
}

/**
 * A request begins a run, except where one run takes in the whole file (a program's session, a sub-agent). Two
 * requests with nothing between them are answered together.
 */
function applyRequest(session: Session, thread: Thread, line: Line, kind: UserKind, text: string): void {
  thread.prompt ??= text;
  let current = thread.requests.at(-1);
  const isIdle = current?.calls.length === 0 && current.ending === null;
  const isMain = thread === session.main;
  const isWhole = isMain ? isHeadless(session) && current?.session === line.session : !isIdle;
  if (current === undefined || !isWhole) {
    const queued = isMain && current === undefined ? session.queued : null;
    if (isIdle) dropRequest(thread);
    current = openRequest(thread, line, queued ?? line.moment, kind === 'command');
  }
  touch(session, current, line.moment);
}

/** The output of a command that ran here without the model. */
function dropCommand(session: Session, thread: Thread): void {
  session.isInteractive = true;
  const current = thread.requests.at(-1);
  if (current?.isCommand && current.calls.length === 0 && current.ending === null) dropRequest(thread);
}

function applyAssistant(session: Session, thread: Thread, line: Line): void {
  const message = readObject(line.value, 'message');
  if (message === undefined) throw new RecordError('message is missing', 'an assistant line must hold a message');
  const current = thread.requests.at(-1) ?? openRequest(thread, line, null);
  if (message.model === '<synthetic>' || line.value.isApiErrorMessage === true) {
    const reason = apiErrorOf(line.value, message);
    if (reason === null) return;
    current.ending = { status: 'halted_error', reason };
    touch(session, current, line.moment);
    return;
  }
  const id = readWord(message, 'id', 'message.id') ?? readWord(line.value, 'requestId') ?? line.uuid;
  if (id === null) throw new RecordError('message.id is missing', 'each message must have an id');
  const known = session.calls.get(id);
  if (known !== undefined && known.thread !== thread) return;
  const call = known?.call ?? beginCall(session, current, id);
  if (known === undefined) {
    session.calls.set(id, { call, thread });
    current.calls.push(call);
    current.ending = null;
  }
  if (current.calls.at(-1) === call) touch(session, current, line.moment);
  absorbMessage(call, message, session.tools);
  // Only recorders of 2025 wrote a cost; 0 stands for a model without a price.
  call.usdNanos = readAmount(line.value, 'costUSD', 'usd') || call.usdNanos;
}

function beginCall(session: Session, request: Request, id: string): ModelCall {
  const started = begin(request.clock, session.idleGap);
  // What went before the first answer, an attempt that failed included, is part of the first pass.
  const beganAt = request.calls.length === 0 ? 0 : started.beganAt;
  return { ...newCall(id), ...started, beganAt, since: request.clock.last };
}

/** Counts the time up to a line; where that cannot be told, the time of the model call at work is unknown. */
function touch(session: Session, request: Request, moment: Moment | null): void {
  const call = request.calls.at(-1);
  if (advance(request.clock, moment, session.idleGap)) return;
  if (call === undefined) request.clock.isBroken = true;
  else call.isTimed = false;
}

/** A line that proves no work of its own: its time counts only if work follows. */
function pause(session: Session, request: Request | undefined, line: Line): void {
  if (session.idleGap !== null && line.moment !== null) request?.clock.between.push(line.moment.micros);
}

/** What the program did by itself: it ran a command of the user, or closed the turn because the agent stopped. */
function applySystem(session: Session, request: Request | undefined, line: Line): void {
  const { subtype, preventedContinuation } = line.value;
  if (subtype === 'local_command') session.isInteractive = true;
  const isOver = subtype === 'turn_duration' || (subtype === 'stop_hook_summary' && preventedContinuation !== true);
  const call = request?.calls.at(-1);
  if (isOver && request !== undefined && request.ending === null && call !== undefined && endingAfter(call) === OPEN) {
    request.ending = DONE;
  }
  pause(session, request, line);
}

function applyLimit(request: Request | undefined, value: JsonObject): void {
  const limit = limitOf(value);
  if (limit === null || request === undefined) return;
  request.caps = { ...request.caps, ...limit.caps };
  if (limit.ending !== null) request.ending = limit.ending;
}
