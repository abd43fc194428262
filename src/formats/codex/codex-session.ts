import { isJsonObject, type Json } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import { readJsonLines } from '../document.js';
import { readText, readWord } from '../fields.js';
import { isProblem, problem, RecordError, type Source } from '../format.js';
import { strangerIn } from '../stranger.js';
import { readCall, readResult } from './codex-calls.js';
import { readFigures, takeEvent, takeRequest } from './codex-events.js';
import { NO_FACTS, readFacts } from './codex-facts.js';
import { CODEX, isOfRollout, type JsonObject, type RolloutLine, rolloutLine } from './codex-lines.js';
import { addEvent, closeTurn, type Happening, noteDamage, openTurn, type Session, type Turn } from './codex-turn.js';

/** The turns of a session, in order, each when it is over, and a problem for each line that cannot be read. */
export async function* turnsOf(source: Source, session: Session): AsyncGenerator<Turn | Problem> {
  for await (const item of readJsonLines(source)) {
    if (isProblem(item)) {
      noteDamage(session);
      yield item;
      continue;
    }
    const stranger = isOfRollout(item.value) ? null : strangerIn(source, CODEX, item);
    if (stranger !== null) {
      yield stranger;
      continue;
    }
    try {
      takeLine(session, rolloutLine(item));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      noteDamage(session);
      yield problem(source.name, item.line, item.text, error.message, error.hint);
    }
    yield* session.done.splice(0);
  }
  closeTurn(session, null);
  yield* session.done.splice(0);
}

function takeLine(session: Session, line: RolloutLine): void {
  if (line.type === 'session_meta') {
    takeMeta(session, line);
    return;
  }
  const own = session.gate.admit(line);
  // A copied count is not spent here, but the counter goes on from it.
  if (own.length === 0 && line.payload.type === 'token_count') readFigures(session, line.payload, true);
  for (const each of own) takeOwnLine(session, each);
}

function takeMeta(session: Session, line: RolloutLine): void {
  if (session.facts === NO_FACTS) {
    session.facts = readFacts(line);
    if (session.facts.forkedFrom !== null) session.gate.arm();
    return;
  }
  const isForeign = line.payload.id !== session.facts.id;
  if (isForeign && session.turn === null) session.gate.arm();
}

function takeOwnLine(session: Session, line: RolloutLine): void {
  switch (line.type) {
    case 'event_msg':
      takeEvent(session, line);
      break;
    case 'response_item':
      takeItem(session, line);
      break;
    case 'turn_context':
      takeContext(session, line);
      break;
    case 'compacted':
      if (session.turn !== null) session.turn.compactions++;
      addEvent(session, line, { kind: 'other' });
      break;
    case 'state':
      break;
    default:
      addEvent(session, line, { kind: 'other' });
  }
}

function takeContext(session: Session, line: RolloutLine): void {
  if (session.turn !== null) {
    session.turn.model = readText(line.payload, 'model') ?? session.turn.model;
    session.turn.effort = readText(line.payload, 'effort') ?? session.turn.effort;
  }
  addEvent(session, line, { kind: 'other' });
}

function takeItem(session: Session, line: RolloutLine): void {
  const item = line.payload;
  const type = readWord(item, 'type') ?? '';
  if (type === 'message' && item.role !== 'assistant') {
    if (line.at === null && isBareRequest(item)) takeRequest(session, line);
    else addEvent(session, line, { kind: 'input' });
    return;
  }
  const happening = itemEvent(item, type);
  if (happening.kind === 'other' || happening.kind === 'result') {
    addEvent(session, line, happening);
    return;
  }
  if (session.turn === null) openTurn(session, line, false);
  addEvent(session, line, happening);
}

function itemEvent(item: JsonObject, type: string): Happening {
  if (type === 'message' || type === 'reasoning') return { kind: 'text', isAnswer: type === 'message' };
  if (type.endsWith('_call')) return { kind: 'call', call: readCall(item, type) };
  if (type.endsWith('_output')) return { kind: 'result', result: readResult(item) };
  return { kind: 'other' };
}

/** Before there were envelopes, requests stand among the messages; what Codex adds of its own opens with a tag. */
function isBareRequest(item: JsonObject): boolean {
  if (item.role !== 'user' || !Array.isArray(item.content)) return false;
  const first = (item.content as readonly Json[])[0];
  return isJsonObject(first) && typeof first.text === 'string' && !first.text.startsWith('<');
}
