import { isJsonObject, type Json } from '../../model/json.js';
import { readObject, readText } from '../fields.js';
import { readOutcome } from './codex-calls.js';
import type { JsonObject, RolloutLine } from './codex-lines.js';
import { addEvent, closeTurn, type Ending, hasAnswer, openTurn, type Session, settleDamage } from './codex-turn.js';
import { readCounter, type Usage } from './codex-usage.js';

export function takeEvent(session: Session, line: RolloutLine): void {
  const event = line.payload;
  switch (event.type) {
    case 'task_started':
    case 'turn_started':
      openTurn(session, line, true);
      break;
    case 'user_message':
      takeRequest(session, line);
      break;
    case 'task_complete':
    case 'turn_complete':
      addEvent(session, line, { kind: 'other' });
      if (concerns(session, event)) closeTurn(session, completionOf(session, event));
      break;
    case 'turn_aborted':
      addEvent(session, line, { kind: 'other' });
      if (concerns(session, event))
        closeTurn(session, { kind: 'aborted', reason: readText(event, 'reason') ?? 'unknown' });
      break;
    case 'error':
      takeError(session, event);
      addEvent(session, line, { kind: 'other' });
      break;
    case 'exited_review_mode':
      if (session.turn !== null) session.turn.hasReview = (event.review_output ?? null) !== null;
      addEvent(session, line, { kind: 'other' });
      break;
    case 'token_count':
      takeCount(session, line);
      break;
    case 'agent_message':
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      addEvent(session, line, { kind: 'echo' });
      break;
    default:
      takeOther(session, line);
  }
}

function takeOther(session: Session, line: RolloutLine): void {
  const outcome = readOutcome(line.payload);
  if (outcome !== null) addEvent(session, line, { kind: 'outcome', ...outcome });
  else addEvent(session, line, { kind: 'other' });
  const thread = startedThread(line.payload);
  if (thread !== null) addEvent(session, line, { kind: 'spawned', thread });
}

/** The session of a sub-agent that was started; later words with it name it again. */
function startedThread(event: JsonObject): string | null {
  const isStart = event.type === 'collab_agent_spawn_end' || event.kind === 'started';
  const thread = event.type === 'sub_agent_activity' ? event.agent_thread_id : event.new_thread_id;
  return isStart && typeof thread === 'string' ? thread : null;
}

/** Whether an end is that of the turn that is open. */
function concerns(session: Session, event: JsonObject): boolean {
  const id = readText(event, 'turn_id') ?? '';
  return id === '' || session.turn?.id === null || session.turn?.id === id;
}

/** An agent that ends without a word says nothing of being done; reviews and compactions give no last message. */
function completionOf(session: Session, event: JsonObject): Ending {
  const { turn } = session;
  const isNamed = Object.hasOwn(event, 'last_agent_message');
  const isSilent = isNamed && (event.last_agent_message ?? '') === '';
  if (turn !== null && turn.error !== null && (isSilent || !isNamed)) return { kind: 'failed', error: turn.error };
  const needsNoAnswer = turn === null || turn.hasReview || (turn.requests === 0 && turn.compactions > 0);
  return { kind: 'complete', hasAnswer: !isSilent || needsNoAnswer };
}

/** Errors that refuse a wish of the user's and leave the turn as it is. */
const HARMLESS = new Set(['thread_rollback_failed', 'active_turn_not_steerable']);

function takeError(session: Session, event: JsonObject): void {
  const error = errorClass(event.codex_error_info);
  if (session.turn !== null && !HARMLESS.has(error)) session.turn.error = error;
}

/** `"usage_limit_exceeded"` or `{"http_connection_failed": {…}}`. */
function errorClass(info: Json | undefined): string {
  if (typeof info === 'string' && info !== '') return info;
  return (isJsonObject(info) ? Object.keys(info)[0] : undefined) || 'error';
}

export function takeRequest(session: Session, line: RolloutLine): void {
  const { turn } = session;
  // While a marked turn is open a message is one more word on the same request.
  if (turn === null || (!turn.isMarked && turn.requests > 0)) openTurn(session, line, false);
  if (session.turn !== null) session.turn.requests++;
  addEvent(session, line, { kind: 'other' });
}

function takeCount(session: Session, line: RolloutLine): void {
  const isFirst = session.turn === null || !hasAnswer(session.turn);
  const isInherited = isFirst && (session.facts.forkedFrom !== null || session.facts.isSubagent);
  const usage = readFigures(session, line.payload, isInherited);
  if (session.metering === 'none') session.metering = 'counts';
  if (usage === null) addEvent(session, line, { kind: 'count' });
  else {
    if (session.turn === null) openTurn(session, line, false);
    addEvent(session, line, { kind: 'spent', usage });
    settleDamage(session);
  }
}

export function readFigures(session: Session, event: JsonObject, isInherited: boolean): Usage | null {
  const info = readObject(event, 'info');
  const reading = info === undefined ? null : readCounter(info, session.counter, isInherited);
  if (reading === null) return null;
  session.counter = reading.counter;
  session.metering = 'figures';
  return reading.spent;
}
