import type { Json } from '../../model/json.js';
import type { Moment } from '../fields.js';
import { type Clock, newClock } from './claude-code-clock.js';
import type { JsonObject, ModelCall, Tokens, ToolUses } from './claude-code-message.js';
import { type Ending, isHeadlessEntry } from './claude-code-words.js';

/** What one request set off: a run to be. */
export interface Request {
  /** uuid of the line that made the request; `null` where the recording does not hold it. */
  readonly uuid: string | null;
  readonly session: string | null;
  /** First line of it. */
  readonly line: number;
  readonly startedAt: string | null;
  /** A slash command: a run only if something comes of it. */
  readonly isCommand: boolean;
  readonly calls: ModelCall[];
  readonly clock: Clock;
  /** What happened after the last model call. */
  ending: Ending | null;
  /** Caps in force that the recording tells, by unit. */
  caps: JsonObject;
  /** A line that could not be read may have been its. */
  isDamaged: boolean;
}

/** A conversation with one agent: the session itself, or a sub-agent. */
export interface Thread {
  /** Id of a sub-agent; `null` for the session itself. */
  readonly agentId: string | null;
  /** uuid of the line that a sub-agent's first line follows. */
  readonly anchor: string | null;
  readonly requests: Request[];
  /** The first text a sub-agent was sent. */
  prompt: string | null;
  /** A line before its first request could not be read. */
  isDamaged: boolean;
}

/** What the result of a tool call says of the sub-agent that the call started. */
export interface Start {
  readonly agentId: string | null;
  /** Usage of the sub-agent's last message, final. */
  readonly lastTokens: Tokens | null;
}

/** Where a line stood. */
export interface Seen {
  readonly thread: Thread;
  /** The model call at work then. */
  readonly call: ModelCall | undefined;
}

/** One session as far as it was read: its own conversation and those of its sub-agents. */
export interface Session {
  /** Microseconds; `null`: every wait counts. */
  readonly idleGap: number | null;
  /** Whether another input holds the lines of that session: its lines in this file are copies. */
  readonly isElsewhere: (session: string) => boolean;
  readonly main: Thread;
  /** By agent id, or by the uuid of the first line where a sub-agent has no id. */
  readonly agents: Map<string, Thread>;
  /** A message belongs to the thread that had it first; copies in others are dropped. */
  readonly calls: Map<string, { readonly call: ModelCall; readonly thread: Thread }>;
  readonly tools: ToolUses;
  /** Lines by uuid: a repeated one is a copy. */
  readonly seen: Map<string, Seen>;
  /** By id of the tool call. */
  readonly starts: Map<string, Start>;
  /** Id of the tool call that started a sub-agent, by agent id. */
  readonly startedBy: Map<string, string>;
  /** Session ids that lines name. */
  readonly ids: Set<string>;
  readonly about: Map<'entrypoint' | 'version' | 'agent', string>;
  /** When the first prompt was put into the queue, if that was before any prompt. */
  queued: Moment | null;
  /** Something that only a person at a terminal causes was seen. */
  isInteractive: boolean;
  /** The thread of the last line of the file in hand; `null` before its first one. */
  latest: Thread | null;
  /** A line before the first one of the file in hand could not be read. */
  isDamaged: boolean;
}

export function newSession(idleGapSeconds: number | null, isElsewhere: (session: string) => boolean): Session {
  return {
    idleGap: idleGapSeconds === null ? null : Math.round(idleGapSeconds * 1_000_000),
    isElsewhere,
    main: newThread(null, null),
    agents: new Map(),
    calls: new Map(),
    tools: new Map(),
    seen: new Map(),
    starts: new Map(),
    startedBy: new Map(),
    ids: new Set(),
    about: new Map(),
    queued: null,
    isInteractive: false,
    latest: null,
    isDamaged: false,
  };
}

export function newThread(agentId: string | null, anchor: string | null): Thread {
  return { agentId, anchor, requests: [], prompt: null, isDamaged: false };
}

/** Begins a request, and with it a run. */
export function openRequest(
  thread: Thread,
  line: { readonly uuid: string | null; readonly session: string | null; readonly number: number },
  start: Moment | null,
  isCommand = false,
): Request {
  const opened: Request = {
    uuid: line.uuid,
    session: line.session,
    line: line.number,
    startedAt: start?.iso ?? null,
    isCommand,
    calls: [],
    clock: newClock(start),
    ending: null,
    caps: {},
    isDamaged: thread.isDamaged,
  };
  thread.isDamaged = false;
  thread.requests.push(opened);
  return opened;
}

/**
 * Whether a program drove the session. Newer recorders say who started Claude Code; before them, only a program's
 * prompt went through the queue before the session began.
 */
export function isHeadless(session: Session): boolean {
  const entrypoint = session.about.get('entrypoint');
  return entrypoint === undefined ? session.queued !== null : isHeadlessEntry(entrypoint);
}

/** The same at the end, when a lone request without a trace of a person may be taken for a program's. */
export function modeOf(session: Session): 'headless' | 'interactive' {
  if (isHeadless(session)) return 'headless';
  const isKnown = session.about.has('entrypoint') || session.isInteractive;
  return isKnown || session.main.requests.length > 1 ? 'interactive' : 'headless';
}

/** Labels that hold for all of a session. */
export function labelsOf(session: Session): { readonly [name: string]: Json } {
  return { agent: session.about.get('agent') ?? 'claude-code', version: session.about.get('version') ?? null };
}
