import { isJsonObject, type Json } from '../../model/json.js';
import { damageLabel } from '../damage.js';
import { readText } from '../fields.js';
import { type Format, orProblem, problem, type Reading, type ReadingOptions, type Source } from '../format.js';
import { parseLine } from '../jsonl.js';
import { runOfRecord } from '../record.js';
import { joined, OPENCLAW, readSession, type Session } from './openclaw-copies.js';
import { type Entry, isModelCall, passesOf, requestsIn } from './openclaw-session.js';

/*
 * Sessions of OpenClaw and of pi, the agent it is built on: JSON lines, the first one the session's header. Written
 * from packages/coding-agent/docs/session.md of github.com/badlogic/pi-mono (versions 1 to 3 of the session), from
 * Harbor's reader of them (src/harbor/agents/installed/openclaw.py) and from recorded files.
 *
 *   id          the header's id; with several requests in one session `id#2` and so on
 *   runs        one for each request: a user message after the agent had ended its turn. A user message while it was
 *               at work (also what OpenClaw repeats after a compaction) belongs to the request
 *   status      stopReason of the last assistant message: stop done, error and length halts, aborted `canceled`;
 *               toolUse or nothing: the recording ends inside the loop, `running`. check none: there is no verdict
 *   labels      model and provider of the first model call; agent openclaw where its marks are found, else pi; damaged where
 *               a line could not be read
 *   started_at  timestamp of the request's first message
 *   passes      lines with message.role assistant, of each id the last; an attempt that failed without usage or
 *               content is none. All branches count: they were paid for
 *   tokens      message.usage: input leaves the cache out, so input + cacheRead + cacheWrite; output. All zeros: unknown
 *   usd         message.usage.cost.total; 0 is not known: there is no price for the model
 *   seconds     from message.timestamp (when the call began) to that of the next one, the last to the last message
 *   calls       content blocks toolCall, with the toolResult of the same id; error is its isError
 *   not there   what compactions cost, and sub-agents: they have sessions of their own, and nothing links them
 *
 * A forked session (parentSession in the header) repeats the lines of its parent from before it was made: not counted.
 * Copies of a session: see openclaw-copies.ts; sessions within a Harbor trial, or beside a trajectory that was made of
 * them: harbor-place.ts.
 */

/** Sessions of OpenClaw and pi. */
export const openclaw: Format = {
  id: OPENCLAW,
  description: 'sessions of OpenClaw and pi, JSON lines',
  detect: isSessionHead,
  read: readOpenClaw,
};

function isSessionHead(head: string): boolean {
  const [first] = head
    .replace(/^\ufeff/, '')
    .trimStart()
    .split('\n', 1);
  if (first === undefined || !/"type"\s*:\s*"session"/.test(first)) return false;
  try {
    const header = parseLine(first);
    return (
      isJsonObject(header) &&
      header.type === 'session' &&
      'id' in header &&
      ['version', 'cwd', 'timestamp'].some((key) => key in header)
    );
  } catch {
    return false;
  }
}

async function* readOpenClaw(source: Source, options: ReadingOptions): Reading {
  const session = await readSession(source);
  const id = idOf(session);
  const entries = id === null ? [] : await joined(session, id);
  if (entries === null) return;
  yield* session.problems;
  if (id === null) {
    const hint = 'the first line must be {"type": "session", "id": …}; was the file cut at its start?';
    yield problem(source.name, null, null, 'no session header, so no id', hint);
    return;
  }
  const requests = requestsIn(withoutHistory(session, entries));
  const agent = session.entries.some((entry) => entry.isOpenClaw) ? 'openclaw' : 'pi';
  for (const [index, request] of requests.entries()) {
    const name = index === 0 ? id : `${id}#${index + 1}`;
    const line = index === 0 ? null : (request[0]?.line ?? null);
    yield orProblem(source.name, line, null, () =>
      runOfRecord(recordOf(name, request, agent, options.idleGap), { file: source.name, line }),
    );
  }
}

function idOf({ header }: Session): string | null {
  return header === null ? null : readText(header, 'id');
}

/** A forked session without what it repeats of the one it was forked from. */
function withoutHistory({ header }: Session, entries: readonly Entry[]): readonly Entry[] {
  const isFork = Boolean(header?.parentSession ?? header?.branchedFrom);
  const made = typeof header?.timestamp === 'string' ? Date.parse(header.timestamp) * 1000 : Number.NaN;
  if (!isFork || Number.isNaN(made)) return entries;
  return entries.filter(({ at }) => at === null || at.micros >= made);
}

function recordOf(
  id: string,
  entries: readonly Entry[],
  agent: string,
  idleGap: number | null,
): { [key: string]: Json } {
  const first = entries.find(({ message }) => isModelCall(message))?.message ?? {};
  const { raw_reason, ...ending } = endingOf(entries);
  return {
    id,
    ...ending,
    check: 'none',
    labels: {
      agent,
      model: textOf(first.model),
      provider: textOf(first.provider),
      raw_reason: raw_reason ?? null,
      ...damageLabel(entries.some((entry) => entry.isDamaged)),
    },
    started_at: entries.find(({ message, at }) => message !== null && at !== null)?.at?.iso ?? null,
    passes: passesOf(entries, idleGap),
  };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function endingOf(entries: readonly Entry[]): { [key: string]: string } {
  const last = entries.findLast(({ message }) => message?.role === 'assistant' || message?.role === 'toolResult');
  const word = last?.message?.role === 'assistant' ? textOf(last.message.stopReason) : null;
  switch (word) {
    case 'stop':
      return { status: 'done_claimed' };
    case 'aborted':
      return { status: 'halted_error', reason: 'canceled', raw_reason: word };
    case 'error':
    case 'length':
      return { status: 'halted_error', reason: word };
    default:
      return { status: 'running' };
  }
}
