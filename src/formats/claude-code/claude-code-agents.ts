import { isJsonObject } from '../../model/json.js';
import { addTokens, type ModelCall, type Tokens } from './claude-code-message.js';
import type { Session, Thread } from './claude-code-session.js';

/** Which sub-agents a session had, and whose work they were. */
export interface Family {
  /** The model call that a sub-agent works for; absent where none was recorded. */
  readonly hosts: ReadonlyMap<Thread, ModelCall>;
  readonly guests: ReadonlyMap<ModelCall, readonly Thread[]>;
  /** Sub-agents that a call started and whose conversations were not recorded: their spend is unknown. */
  readonly lost: ReadonlyMap<ModelCall, number>;
}

/**
 * Finds for each sub-agent the model call that started it: by the tool call that names its id; else, in older
 * recordings, by the tool call whose prompt it was sent. One that no tool call started (compaction of a long
 * conversation, a side question) belongs to the call then at work.
 */
export function familyOf(session: Session): Family {
  const hosts = new Map<Thread, ModelCall>();
  const matched = new Set(session.startedBy.values());
  for (const [key, thread] of session.agents) {
    const tool = session.startedBy.get(key) ?? toolWithPrompt(session, thread, matched);
    if (tool !== undefined) matched.add(tool);
    const host = (tool === undefined ? undefined : session.tools.get(tool)?.by) ?? callAround(session, thread);
    settleLast(thread, tool === undefined ? null : (session.starts.get(tool)?.lastTokens ?? null));
    if (host !== undefined) hosts.set(thread, host);
  }
  for (const thread of hosts.keys()) if (isCircular(session, hosts, thread)) hosts.delete(thread);
  return {
    hosts,
    guests: guestsOf(hosts),
    lost: lostOf(session, matched),
  };
}

function guestsOf(hosts: ReadonlyMap<Thread, ModelCall>): Map<ModelCall, Thread[]> {
  const guests = new Map<ModelCall, Thread[]>();
  for (const [thread, host] of hosts) guests.set(host, [...(guests.get(host) ?? []), thread]);
  return guests;
}

/** Whether the work of a sub-agent is said to be part of its own. */
function isCircular(session: Session, hosts: ReadonlyMap<Thread, ModelCall>, thread: Thread): boolean {
  const passed = new Set<Thread>();
  for (let at: Thread | undefined = thread; at !== undefined; ) {
    if (passed.has(at)) return true;
    passed.add(at);
    const host = hosts.get(at);
    at = host === undefined ? undefined : session.calls.get(host.id)?.thread;
  }
  return false;
}

function toolWithPrompt(session: Session, thread: Thread, matched: ReadonlySet<string>): string | undefined {
  if (thread.prompt === null || thread.prompt === '') return undefined;
  for (const [id, use] of session.tools) {
    if (!matched.has(id) && isJsonObject(use.args) && use.args.prompt === thread.prompt) return id;
  }
  return undefined;
}

/** The call at work when a sub-agent's first began; without times, the one at work on the line it branched off from. */
function callAround(session: Session, thread: Thread): ModelCall | undefined {
  const calls = session.main.requests.flatMap((request) => request.calls);
  const start = thread.requests[0]?.calls[0]?.since ?? null;
  const before = calls.filter((call) => start !== null && call.since !== null && call.since <= start);
  const anchored = session.seen.get(thread.anchor ?? '');
  return before.at(-1) ?? (anchored?.thread === thread ? undefined : anchored?.call) ?? calls[0];
}

/** The tool's result carries the final usage of the last message, whose own line may have been written too early. */
function settleLast(thread: Thread, final: Tokens | null): void {
  const last = thread.requests.at(-1)?.calls.at(-1);
  if (last === undefined || final === null || final.output === null || last.stopReason !== null) return;
  if (last.tokens.input !== final.input || (last.tokens.output ?? 0) >= final.output) return;
  last.tokens = final;
}

function lostOf(session: Session, matched: ReadonlySet<string>): Map<ModelCall, number> {
  const named = [...session.startedBy].filter(([agentId]) => !session.agents.has(agentId)).map(([, tool]) => tool);
  const nameless = [...session.starts].filter(([tool, start]) => start.agentId === null && !matched.has(tool));
  const lost = new Map<ModelCall, number>();
  for (const tool of [...named, ...nameless.map(([id]) => id)]) {
    const by = session.tools.get(tool)?.by;
    if (by !== undefined) lost.set(by, (lost.get(by) ?? 0) + 1);
  }
  return lost;
}

/** What a model call cost with all that its sub-agents did. */
export interface Folded {
  readonly tokens: Tokens;
  /** Billionths of a dollar; `null` where a part is unknown. */
  readonly usdNanos: number | null;
  readonly models: ReadonlySet<string>;
  /** Sub-agents below it. */
  readonly agents: number;
  /** Sub-agents below it that were not recorded. */
  readonly lost: number;
  /** Whether a sub-agent below it may lack something. */
  readonly isDamaged: boolean;
}

/** The spend of a model call and of the sub-agents it started, and of theirs. */
export function foldCall(family: Family, call: ModelCall): Folded {
  let lost = family.lost.get(call) ?? 0;
  // What the call itself read from the cache stays told; how much was read and written in all is unknown.
  let tokens = lost > 0 ? { ...call.tokens, input: null, output: null } : call.tokens;
  let usdNanos = lost > 0 ? null : call.usdNanos;
  const models = new Set(call.model === null ? [] : [call.model]);
  let agents = 0;
  let isDamaged = false;
  for (const thread of family.guests.get(call) ?? []) {
    agents++;
    isDamaged ||= thread.requests.some((request) => request.isDamaged);
    for (const inner of thread.requests.flatMap((request) => request.calls)) {
      const folded = foldCall(family, inner);
      tokens = addTokens(tokens, folded.tokens);
      usdNanos = usdNanos === null || folded.usdNanos === null ? null : usdNanos + folded.usdNanos;
      agents += folded.agents;
      lost += folded.lost;
      isDamaged ||= folded.isDamaged;
      for (const model of folded.models) models.add(model);
    }
  }
  return { tokens, usdNanos, models, agents, lost, isDamaged };
}
