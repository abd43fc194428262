import { isJsonObject, type Json } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import { type JsonLine, readJsonLines } from '../document.js';
import {
  type Format,
  isProblem,
  type Neighbours,
  problem,
  type Reading,
  type ReadingOptions,
  RecordError,
  type Source,
} from '../format.js';
import { strangerIn } from '../stranger.js';
import { noteDamage, openFile } from './claude-code-damage.js';
import { applyLine } from './claude-code-lines.js';
import { runsOf } from './claude-code-runs.js';
import { newSession, type Session } from './claude-code-session.js';
import { startOf } from './claude-code-starts.js';

/*
 * Sessions of Claude Code: `<session>.jsonl`, one event a line, with the conversations of sub-agents beside it in
 * `<session>/subagents/agent-<id>.jsonl`. There is no published schema: written from files of Claude Code 2.1.38, 2.1.39
 * and 2.1.80, and for what they do not hold (sub-agents inside the session's file or in its folder, forked sessions,
 * `max_turns_reached`, costUSD) from the names that public readers of these files know.
 *
 *   run         a program's session (`claude -p`, the SDK): the whole file. A person's session: each request with all it
 *               set off. A program's is told by `entrypoint` (sdk-…); where recorders wrote none, by a prompt that was
 *               queued before the session began, or by a lone request without a trace of a terminal (local commands,
 *               file snapshots). No request are: tool results, `isMeta` lines, summaries of compacted conversations,
 *               news of background tasks, output of local commands, and a slash command that the model never saw
 *   id          a program's: sessionId. A person's: uuid of the line with the request. A sub-agent's: sessionId/agentId
 *   status      error class of an API-error message (model `<synthetic>`): `halted_error`; interrupted by the user:
 *               `halted_error`, canceled; `max_turns_reached`: `stopped_budget`, passes. Else by the last message:
 *               stop_reason end_turn, or a text without calls where none was written, or the stop hooks ran:
 *               `done_claimed`; waiting for a tool or an answer: `running`; anything else (refusal, max_tokens):
 *               `halted_error`. No verdict is recorded: check none
 *   passes      distinct `message.id` of assistant lines; `<synthetic>` messages are no model calls. One message is
 *               written as several lines; repeated uuids and messages copied into another thread count once
 *   tokens      message.usage of the line with the stop reason, else of the last line, where output_tokens may be a
 *               placeholder: label unfinished_messages counts these, and a placeholder of 0 is unknown. Input is
 *               input_tokens + cache_creation_input_tokens + cache_read_input_tokens
 *   usd         costUSD, which only recorders of early 2025 wrote
 *   seconds     a pass starts at the line before its first (the request, the last tool result), the first at the request
 *               or when it was queued, and the last ends with the last line. A clock that was set back is unknown
 *   calls       content blocks tool_use, each with the tool_result of its id
 *   sub-agents  folded into the model call whose tool call started them (toolUseResult.agentId, or progress lines);
 *               Claude Code's own helpers, such as the compaction of a long conversation (agent-acompact-…, one large
 *               model call), into the call then at work. A call whose sub-agent was not recorded has unknown tokens
 *               (its own cached ones stay told). A sub-agent whose session is no input is a run, label orphan
 *   labels      session, mode, request (number in the session), model, agent (agentSetting, or the kind of sub-agent),
 *               version, subagents, subagents_unrecorded, unfinished_messages; agent_id, parent; damaged: see
 *               claude-code-damage.ts
 *   recorded_under  passes of max_turns_reached, usd of budget_usd
 */

/** Keys with which every message line of a session begins, for a first line that the head cuts short. */
const MESSAGE_START = /^\s*\{"parentUuid":(?:null|"[^"]*"),(?:"logicalParentUuid":(?:null|"[^"]*"),)?"isSidechain":/;

/** Sessions of Claude Code. */
export const claudeCode: Format = {
  id: 'claude-code',
  description: 'sessions of Claude Code, with the files of their sub-agents',
  detect: (head) => MESSAGE_START.test(head) || head.split('\n', 50).some(isSessionLine),
  read: readClaudeCode,
};

/** What lines are read for. */
const LINE_TYPES: ReadonlySet<Json | undefined> = new Set([
  ...['user', 'assistant', 'system', 'attachment', 'progress'],
  ...['agent-setting', 'file-history-snapshot', 'queue-operation'],
]);

/** A line of the conversation, or one that only sessions have; an id of a wrong kind is told where the line is read. */
function isSessionLine(line: string): boolean {
  if (!/"sessionId"\s*:/.test(line)) return false;
  try {
    const value = JSON.parse(line) as unknown;
    if (!isJsonObject(value) || typeof value.type !== 'string') return false;
    const isMessage = 'parentUuid' in value || (typeof value.uuid === 'string' && isJsonObject(value.message));
    return isMessage || value.type === 'queue-operation' || value.type === 'agent-setting';
  } catch {
    return false;
  }
}

async function* readClaudeCode(source: Source, options: ReadingOptions): Reading {
  const session = newSession(options.idleGap, (id) => isElsewhere(source, id));
  let held: Problem[] = [];
  let isDecided = false;
  for await (const item of readJsonLines(source)) {
    const found = applied(session, source, item, true);
    if (found !== null) held.push(found);
    if (!isDecided && (session.main.requests.length > 0 || session.agents.size > 0)) {
      isDecided = true;
      if (await isLeftToParent(session, source, options)) return;
    }
    if (isDecided) yield* held;
    if (isDecided) held = [];
  }
  yield* held;
  if (options.subagents !== 'ignore') yield* readAgentFiles(session, source);
  yield* runsOf(session, source.name, options.subagents);
}

/** Takes in a line, or says what is wrong with it. */
function applied(session: Session, source: Source, item: JsonLine | Problem, isOwn: boolean): Problem | null {
  if (isProblem(item)) {
    noteDamage(session, isOwn);
    return item;
  }
  const stranger = isOfSession(item.value) ? null : strangerIn(source, claudeCode.id, item);
  if (stranger !== null) return stranger;
  try {
    applyLine(session, item.value, item.line);
    return null;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    noteDamage(session, isOwn);
    return problem(source.name, item.line, item.text, error.message, error.hint);
  }
}

/** Whether a line has the marks of a session's; some of Claude Code's own lines do not. */
function isOfSession(value: Json): boolean {
  return isJsonObject(value) && 'sessionId' in value && LINE_TYPES.has(value.type);
}

const PACKED = ['', '.gz', '.zst'] as const;

/** Ids go into the names of files that are opened: nothing but what Claude Code writes. */
function isPlain(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Lines of another session are copies (a resumed or forked one) where that session's own file is an input. */
function isElsewhere(source: Source, id: string): boolean {
  if (!isPlain(id)) return false;
  return PACKED.some((end) => {
    const name = `${id}.jsonl${end}`;
    return name !== baseName(source.name) && source.around.isInput(name);
  });
}

/** Whether a sub-agent's file is read with its session, which is itself an input; or not at all. */
async function isLeftToParent(session: Session, source: Source, options: ReadingOptions): Promise<boolean> {
  const [thread] = session.agents.values();
  if (session.main.requests.length > 0 || thread === undefined) return false;
  if (options.subagents === 'ignore') return true;
  const id = [...session.ids][0] ?? '';
  if (!isPlain(id) || thread.agentId === null) return false;
  const own = baseName(source.name);
  for (const end of PACKED) {
    if (source.around.isInput(`../../${id}.jsonl${end}`)) {
      if ((await source.around.list(`../../${id}/subagents`)).includes(own)) return true;
    }
    const isNamed = PACKED.some((packed) => own === `agent-${thread.agentId}.jsonl${packed}`);
    const parent = `${id}.jsonl${end}`;
    if (isNamed && source.around.isInput(parent) && (await mentions(source.around, parent, thread.agentId)))
      return true;
  }
  return false;
}

/** Whether a session's file says that it started an agent. Only lines with the agent's id are looked into. */
async function mentions(around: Neighbours, path: string, agentId: string): Promise<boolean> {
  const opened = await around.open(path);
  if (opened === null) return false;
  for await (const item of readJsonLines(opened)) {
    if (isProblem(item) || !isJsonObject(item.value) || !item.text.includes(agentId)) continue;
    try {
      if (startOf(item.value)?.agentId === agentId) return true;
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
    }
  }
  return false;
}

/**
 * Reads the conversations of a session's sub-agents into it: those in its folder, and older ones beside it. Under any
 * other name than `<session>.jsonl` a session leaves those that are inputs alone, since they cannot know of it.
 */
async function* readAgentFiles(session: Session, source: Source): AsyncGenerator<Problem> {
  const own = baseName(source.name);
  const ids = [...session.ids].filter(isPlain);
  const isNamed = ids.some((id) => PACKED.some((end) => own === `${id}.jsonl${end}`));
  const isMine = (path: string): boolean => isNamed || !source.around.isInput(path);
  for (const folder of ids.map((id) => `${id}/subagents`)) {
    for (const name of await source.around.list(folder)) {
      const path = `${folder}/${name}`;
      if (AGENT_FILE.test(name) && isMine(path)) yield* readAgentFile(session, source, path);
    }
  }
  for (const agentId of [...session.startedBy.keys()].filter(isPlain)) {
    for (const path of PACKED.map((end) => `agent-${agentId}.jsonl${end}`)) {
      if (!session.agents.has(agentId) && isMine(path)) yield* readAgentFile(session, source, path);
    }
  }
}

const AGENT_FILE = /^agent-.+\.jsonl(?:\.gz|\.zst)?$/;

async function* readAgentFile(session: Session, source: Source, path: string): AsyncGenerator<Problem> {
  const opened = await source.around.open(path);
  if (opened === null) return;
  openFile(session);
  for await (const item of readJsonLines(opened)) {
    const found = applied(session, opened, item, false);
    if (found !== null) yield found;
  }
}
