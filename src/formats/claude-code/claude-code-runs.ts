import type { Json } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { damageLabel } from '../damage.js';
import { isProblem, orProblem, type SubagentMode } from '../format.js';
import { runOfRecord } from '../record.js';
import { type Family, type Folded, familyOf, foldCall } from './claude-code-agents.js';
import { type JsonObject, type ModelCall, passOf } from './claude-code-message.js';
import { labelsOf, modeOf, type Request, type Session, type Thread } from './claude-code-session.js';
import { endingAfter } from './claude-code-words.js';

/** All runs of a session in order: its requests, then the sub-agents that are runs of their own. */
export function* runsOf(session: Session, file: string, subagents: SubagentMode): Generator<Run | Problem> {
  const family = familyOf(session);
  const runIds = new Map<ModelCall, string>();
  const isHeadless = modeOf(session) === 'headless';
  let number = 0;
  for (const request of session.main.requests.filter(isRun)) {
    number++;
    const id = idOf(request, number, isHeadless);
    for (const call of request.calls) runIds.set(call, id);
    const fold = subagents === 'fold' ? family : null;
    const labels = { session: request.session, request: isHeadless ? null : number, mode: modeOf(session) };
    yield runOf(request, id, { ...labelsOf(session), ...labels }, fold, file);
  }
  if (subagents !== 'ignore') yield* agentRuns(session, family, runIds, file, subagents);
}

/** A slash command that the model never saw is no run. */
function isRun(request: Request): boolean {
  return !request.isCommand || request.calls.length > 0 || request.ending !== null;
}

/** A request of a person is named after its line, so that a copy of the session has the same ids. */
function idOf(request: Request, number: number, isHeadless: boolean): string {
  const session = request.session || 'session';
  return isHeadless ? session : request.uuid || `${session}#${number}`;
}

/** Sub-agents as runs: all of them when kept separate, else only those whose parent was not recorded. */
function* agentRuns(
  session: Session,
  family: Family,
  runIds: Map<ModelCall, string>,
  file: string,
  subagents: SubagentMode,
): Generator<Run | Problem> {
  const named = [...session.agents].map(([key, thread]) => ({ key, thread, id: agentRunId(session, key, thread) }));
  for (const { thread, id } of named) {
    for (const call of thread.requests.flatMap((request) => request.calls)) runIds.set(call, id);
  }
  for (const { key, thread, id } of named) {
    const host = family.hosts.get(thread);
    const [request] = thread.requests;
    if (request === undefined || (subagents === 'fold' && host !== undefined)) continue;
    const parent = host === undefined ? request.session : (runIds.get(host) ?? null);
    const own = { agent: agentType(session, key), agent_id: thread.agentId, session: request.session, parent };
    const labels = { ...labelsOf(session), ...own, orphan: host === undefined ? true : null };
    yield runOf(request, id, labels, subagents === 'fold' ? family : null, file);
  }
}

function agentRunId(session: Session, key: string, thread: Thread): string {
  const owner = thread.requests[0]?.session ?? [...session.ids][0];
  return `${owner || 'session'}/${key || 'agent'}`;
}

/** The kind of agent that the tool call asked for, else what the id of Claude Code's own helpers tells. */
function agentType(session: Session, key: string): string {
  const args = session.tools.get(session.startedBy.get(key) ?? '')?.args;
  const asked = typeof args === 'object' && args !== null && 'subagent_type' in args ? args.subagent_type : null;
  if (typeof asked === 'string' && asked !== '') return asked;
  return key.startsWith('acompact') ? 'compaction' : 'subagent';
}

function runOf(request: Request, id: string, labels: JsonObject, fold: Family | null, file: string): Run | Problem {
  const place = { file, line: request.line };
  const folded = request.calls.map((call) => (fold === null ? null : foldCall(fold, call)));
  const { raw_reason, ...ending } = request.ending ?? endingAfter(request.calls.at(-1));
  const isDamaged = request.isDamaged || folded.some((each) => each?.isDamaged);
  const record = {
    id,
    ...ending,
    check: 'none',
    labels: {
      ...labels,
      ...callLabels(request.calls, folded),
      raw_reason: raw_reason ?? null,
      ...damageLabel(isDamaged),
    },
    started_at: request.startedAt,
    recorded_under: request.caps,
    passes: request.calls.map((call, index) => passIn(request, call, index, folded[index] ?? null)),
  };
  const made = orProblem(file, request.line, null, () => runOfRecord(record, place));
  return isProblem(made) ? { ...made, reason: `run ${id}: ${made.reason}` } : made;
}

function callLabels(calls: readonly ModelCall[], folded: readonly (Folded | null)[]): JsonObject {
  const sum = (part: 'agents' | 'lost') => folded.reduce((total, each) => total + (each?.[part] ?? 0), 0);
  const unfinished = calls.filter((call) => call.stopReason === null).length;
  return {
    model: joined(calls.flatMap((call) => call.model ?? [])),
    subagents: sum('agents') || null,
    subagents_unrecorded: sum('lost') || null,
    unfinished_messages: unfinished || null,
  };
}

function passIn(request: Request, call: ModelCall, index: number, folded: Folded | null): Json {
  const { tokens, usdNanos } = folded ?? call;
  const end = request.calls[index + 1]?.beganAt ?? request.clock.elapsed;
  const seconds = call.isTimed ? (end - call.beganAt) / 1_000_000 : null;
  // No price holds for tokens of several models, so that their cost is unknown rather than wrong.
  const model = joined([...(folded?.models ?? [])]) ?? call.model;
  return passOf(call, { tokens, model, seconds, usdNanos });
}

function joined(models: readonly string[]): string | null {
  return models.length === 0 ? null : [...new Set(models)].join(' + ');
}
