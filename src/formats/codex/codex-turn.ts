import { type Moment, readText } from '../fields.js';
import type { CallItem, ResultItem } from './codex-calls.js';
import { NO_FACTS, type SessionFacts } from './codex-facts.js';
import { type ReplayGate, replayGate } from './codex-fork.js';
import type { RolloutLine } from './codex-lines.js';
import type { Usage } from './codex-usage.js';

/** Something that happened in a turn. `at` is its time in microseconds since 1970, `null` where not recorded. */
export type TurnEvent = { readonly at: number | null } & (
  | { readonly kind: 'text'; readonly isAnswer: boolean }
  | { readonly kind: 'call'; readonly call: CallItem }
  | { readonly kind: 'result'; readonly result: ResultItem }
  | { readonly kind: 'outcome'; readonly id: string; readonly error: boolean }
  /** The counter moved: a model call is over. */
  | { readonly kind: 'spent'; readonly usage: Usage }
  /** A count that says nothing new. */
  | { readonly kind: 'count' }
  /** The copy of something the model wrote, made for display. */
  | { readonly kind: 'echo' }
  | { readonly kind: 'spawned'; readonly thread: string }
  /** A message to the model. */
  | { readonly kind: 'input' }
  | { readonly kind: 'other' }
);

/** What a session's counts can tell of the ends of model calls: figures, that one ended, or nothing. */
export type Metering = 'figures' | 'counts' | 'none';

/** One request to the agent and all it did for it, up to the next request. */
export interface Turn {
  readonly id: string | null;
  readonly line: number;
  readonly start: Moment | null;
  /** Whether Codex marked the beginning, and so will have marked the end. */
  readonly isMarked: boolean;
  /** Messages of the user; 0: Codex itself had something to do, or another agent asked. */
  readonly requests: number;
  readonly compactions: number;
  readonly model: string | null;
  readonly effort: string | null;
  readonly metering: Metering;
  readonly events: readonly TurnEvent[];
  readonly ending: Ending | null;
  /** A line that could not be read may have been its. */
  readonly isDamaged: boolean;
}

/** How a turn ended, where Codex says so. */
export type Ending =
  | { readonly kind: 'complete'; readonly hasAnswer: boolean }
  | { readonly kind: 'aborted'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: string };

type Mutable<T> = { -readonly [key in keyof T]: T[key] };
type OpenTurn = Mutable<Omit<Turn, 'events'>> & { events: TurnEvent[]; error: string | null; hasReview: boolean };

/** A session in reading. */
export interface Session {
  facts: SessionFacts;
  turn: OpenTurn | null;
  counter: Usage | null;
  metering: Metering;
  readonly gate: ReplayGate;
  /** Sub-agents whose spend is counted already: each is started once, and spoken to often. */
  readonly folded: Set<string>;
  /** Turns that are over and were not handed on yet. */
  readonly done: Turn[];
  /** A line between the turns could not be read. */
  isDamaged: boolean;
  /** A line since the last count could not be read: if it was a count, the next one holds what that one told. */
  isCountInDoubt: boolean;
}

/** A session of which nothing is read yet. */
export function newSession(): Session {
  const session: Session = {
    facts: NO_FACTS,
    turn: null,
    counter: null,
    metering: 'none',
    gate: replayGate(() => session.facts.bornMillis),
    folded: new Set(),
    done: [],
    isDamaged: false,
    isCountInDoubt: false,
  };
  return session;
}

/** An event of `TurnEvent` without its time. */
export type Happening = TurnEvent extends infer Each ? (Each extends TurnEvent ? Omit<Each, 'at'> : never) : never;

export function addEvent(session: Session, line: RolloutLine, event: Happening): void {
  session.turn?.events.push({ ...event, at: line.at?.micros ?? null } as TurnEvent);
}

export function openTurn(session: Session, line: RolloutLine, isMarked: boolean): void {
  const id = isMarked ? readText(line.payload, 'turn_id') : null;
  const { turn } = session;
  if (isMarked && turn !== null && !turn.isMarked && !hasAnswer(turn)) {
    // Some versions write the request before they mark the turn.
    turn.id = id;
    turn.isMarked = true;
    return;
  }
  closeTurn(session, null);
  session.turn = {
    id,
    line: line.line,
    start: line.at,
    isMarked,
    requests: 0,
    compactions: 0,
    model: null,
    effort: null,
    metering: 'none',
    events: [],
    ending: null,
    isDamaged: session.isDamaged,
    error: null,
    hasReview: false,
  };
  session.isDamaged = false;
  addEvent(session, line, { kind: 'other' });
}

/** Notes a line that could not be read, or not in full: it may have been of the turn at work, else of the next. */
export function noteDamage(session: Session): void {
  (session.turn ?? session).isDamaged = true;
  session.isCountInDoubt = true;
}

/** Notes that the counter moved: it may have moved by more than the turn at work spent. */
export function settleDamage(session: Session): void {
  if (session.isCountInDoubt && session.turn !== null) session.turn.isDamaged = true;
  session.isCountInDoubt = false;
}

export function hasAnswer(turn: OpenTurn): boolean {
  return turn.events.some(({ kind }) => kind === 'text' || kind === 'call' || kind === 'spent');
}

export function closeTurn(session: Session, ending: Ending | null): void {
  const { turn } = session;
  if (turn === null) return;
  session.turn = null;
  const { error, hasReview: _review, ...rest } = turn;
  const end = ending ?? (error === null ? null : ({ kind: 'failed', error } as const));
  // When a session that died is taken up again, instructions are written before the next turn is marked.
  while (ending === null && turn.events.at(-1)?.kind === 'input') turn.events.pop();
  session.done.push({ ...rest, metering: session.metering, ending: end });
}
