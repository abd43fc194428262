import { isJsonObject, type Json } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { documentProblem, readDocument, readJsonLines } from '../document.js';
import {
  type Format,
  isProblem,
  orProblem,
  problem,
  type Reading,
  type ReadingOptions,
  RecordError,
  type Source,
  type SubagentMode,
} from '../format.js';
import { runOfRecord } from '../record.js';
import { strangerIn } from '../stranger.js';
import { recordOfGuest, recordOfTurn } from './claude-stream-json-run.js';
import { type Running, spendOf } from './claude-stream-json-spend.js';
import {
  applyMessage,
  finish,
  newRecording,
  noteDamage,
  type Recording,
  type Turn,
} from './claude-stream-json-turns.js';

/*
 * What Claude Code prints for programs: `claude -p --output-format stream-json` (one message a line), `json` (the result
 * alone, or with --verbose all messages in one array), and recordings of the Claude Agent SDK's wire, each message
 * wrapped as {direction, message}, in lines or in one document {metadata, messages}. Written from recordings of Claude
 * Code 2.1.84 and from the message types of the SDK (code.claude.com/docs/en/agent-sdk/typescript, read
 * 2026; its page cost-tracking on usage).
 *
 *   run         one turn: everything up to a `result` line; without one, up to the end or to another session
 *   id          session_id; from the second turn of a session on, with #2, #3 …
 *   status      result.subtype: success `done_claimed`; error_max_turns, error_max_budget_usd `stopped_budget`; others,
 *               and success with is_error, `halted_error` with the error class; no result line `running`. The result is
 *               what the agent says of itself: check none
 *   passes      distinct `message.id` of assistant lines with no parent_tool_use_id; `<synthetic>` is no model call.
 *               null where only the result was kept: num_turns counts tools' messages too, so it is a label, no count
 *   tokens      message.usage, cached tokens inside the input. Assistant lines come before their message ends: output is
 *               final only where stream events (--include-partial-messages) or a stop reason tell it, or where
 *               result.usage over the same calls leaves one of them open; else it is unknown
 *   totals      modelUsage of the result (sub-agents and side calls included), else its usage; total_cost_usd;
 *               duration_ms. The first and the second are running totals of a process: turns get the differences
 *   usd, seconds  of a pass only where the turn has one; no line tells when a message began
 *   calls       content blocks tool_use, each with the tool_result of its id
 *   sub-agents  messages with parent_tool_use_id: folded into the call that made this tool call
 *   recorded_under  the cap that the text of error_max_turns or error_max_budget_usd names
 *   labels      session, model, agent, version, num_turns, permission_denials, subagents; parent; damaged: a line that
 *               could not be read was in the turn, or stood before it after the last one
 */

/** Wrapped messages, and documents as they begin: the first keys are always these. */
const STARTS: readonly RegExp[] = [
  /^\s*\{\s*"direction"\s*:\s*"\w+"\s*,\s*"message"\s*:\s*\{\s*"type"\s*:\s*"\w+"/,
  /^\s*\{(?:\s*"metadata"\s*:\s*\{[^{}]*\}\s*,)?\s*"messages"\s*:\s*\[\s*\{\s*"direction"\s*:\s*"\w+"\s*,\s*"message"\s*:\s*\{\s*"type"/,
  /^\s*\[\s*\{\s*"type"\s*:\s*"system"\s*,\s*"subtype"\s*:\s*"init"/,
  /^\s*\{\s*"type"\s*:\s*"result"\s*,\s*"subtype"\s*:\s*"\w+"/,
];

/** Output of Claude Code for programs. */
export const claudeStreamJson: Format = {
  id: 'claude-stream-json',
  description: 'stream-json or json output of Claude Code, and recordings of its SDK',
  detect: (head) => STARTS.some((start) => start.test(head)) || head.split('\n', 50).some(isStreamLine),
  read: readStream,
};

/** What messages are read for. */
const MESSAGE_TYPES: ReadonlySet<Json | undefined> = new Set(['system', 'assistant', 'user', 'stream_event', 'result']);

function isStreamLine(line: string): boolean {
  if (!/"session_id"\s*:/.test(line)) return false;
  try {
    const value = JSON.parse(line) as unknown;
    if (!isJsonObject(value) || value.session_id === null) return false;
    if (value.type === 'system') return value.subtype === 'init' && Array.isArray(value.tools);
    if (value.type === 'result') return 'duration_ms' in value && 'num_turns' in value;
    const isMessage = value.type === 'assistant' || value.type === 'user' || value.type === 'stream_event';
    return isMessage && 'parent_tool_use_id' in value;
  } catch {
    return false;
  }
}

async function* readStream(source: Source, options: ReadingOptions): Reading {
  const recording = newRecording();
  const before = new Map<string, Before>();
  try {
    for await (const item of isDocument(source) ? documentMessages(source) : lineMessages(source)) {
      const found = applied(recording, source, item);
      if (found !== null) yield found;
      for (const turn of recording.finished.splice(0)) yield* runsOf(turn, source.name, before, options.subagents);
    }
  } catch (error) {
    yield documentProblem(source, error);
  }
  finish(recording);
  for (const turn of recording.finished.splice(0)) yield* runsOf(turn, source.name, before, options.subagents);
}

/** One message and where it stood. */
interface Message {
  readonly value: Json;
  readonly line: number | null;
  readonly text: string | null;
  /** Its place in a list; `null` where it is a line of its own. */
  readonly index: number | null;
}

/** Lines begin with a whole object; a document is a list, or is spread over lines. */
function isDocument(source: Source): boolean {
  return /^\s*(?:\[|\{\s*\n)/.test(new TextDecoder('utf-8').decode(source.head));
}

async function* documentMessages(source: Source): AsyncGenerator<Message> {
  yield* unwrapped({ value: await readDocument(source), line: null, text: null, index: null });
}

async function* lineMessages(source: Source): AsyncGenerator<Message | Problem> {
  for await (const item of readJsonLines(source)) {
    if (isProblem(item)) yield item;
    else yield* unwrapped({ ...item, index: null });
  }
}

/** Takes messages out of lists and of what a recorder wrapped around them. */
function* unwrapped(item: Message): Generator<Message> {
  const { value } = item;
  const list = isJsonObject(value) ? value.messages : value;
  if (Array.isArray(list) && item.index === null) {
    for (const [index, each] of list.entries()) yield* unwrapped({ ...item, value: each, text: null, index });
  } else {
    const isWrapped = isJsonObject(value) && typeof value.direction === 'string' && value.message !== undefined;
    yield isWrapped ? { ...item, value: value.message ?? null } : item;
  }
}

/** Takes in a message, or says what is wrong with it. */
function applied(recording: Recording, source: Source, item: Message | Problem): Problem | null {
  if (isProblem(item)) {
    noteDamage(recording);
    return item;
  }
  const stranger = isOfStream(item.value) ? null : strangerAt(source, item);
  if (stranger !== null) return stranger;
  try {
    applyMessage(recording, item.value, item.line);
    return null;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    noteDamage(recording);
    const where = item.index === null ? '' : `messages[${item.index}]: `;
    return problem(source.name, item.line, item.text, `${where}${error.message}`, error.hint);
  }
}

/** Whether a message has the marks of this format; those between program and SDK do not. */
function isOfStream(value: Json): boolean {
  return isJsonObject(value) && 'session_id' in value && MESSAGE_TYPES.has(value.type);
}

/** A line of its own that another format claims; what a list or a wrapper holds is of this one. */
function strangerAt(source: Source, { value, line, text }: Message): Problem | null {
  return line === null || text === null ? null : strangerIn(source, claudeStreamJson.id, { value, line, text });
}

/** The turns of a session so far, and its running totals. */
interface Before {
  readonly turns: number;
  readonly running: Running | null;
}

function* runsOf(
  turn: Turn,
  file: string,
  before: Map<string, Before>,
  subagents: SubagentMode,
): Generator<Run | Problem> {
  const session = turn.session ?? 'session';
  const { turns, running } = before.get(session) ?? { turns: 0, running: null };
  const id = turns === 0 ? session : `${session}#${turns + 1}`;
  before.set(session, { turns: turns + 1, running });
  yield orProblem(file, turn.resultLine ?? turn.line, null, () => {
    const spent = spendOf(turn, running);
    before.set(session, { turns: turns + 1, running: spent.running });
    return runOfRecord(recordOfTurn(turn, id, spent.spend, subagents), { file, line: turn.line });
  });
  if (subagents !== 'separate') return;
  for (const [tool, calls] of turn.guests) {
    yield orProblem(file, turn.line, null, () =>
      runOfRecord(recordOfGuest(turn, id, tool, calls), { file, line: turn.line }),
    );
  }
}
