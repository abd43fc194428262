import type { Json } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { damageLabel } from '../damage.js';
import {
  type Format,
  isProblem,
  orProblem,
  type Reading,
  type ReadingOptions,
  RecordError,
  type Source,
} from '../format.js';
import { runOfRecord } from '../record.js';
import type { SessionFacts } from './codex-facts.js';
import { CODEX, looksLikeRollout } from './codex-lines.js';
import { type PassDraft, passesOf } from './codex-passes.js';
import { turnsOf } from './codex-session.js';
import { foldInto, isFoldedElsewhere } from './codex-subagents.js';
import { newSession, type Session, type Turn } from './codex-turn.js';

/*
 * Sessions of the Codex CLI, desktop app and IDE extension ("rollouts", ~/.codex/sessions/…/rollout-*.jsonl). Written from
 * recorded files of 0.104, from github.com/openai/codex (codex-rs/protocol/src/protocol.rs, codex-rs/rollout/src/policy.rs
 * @ 0136a731, turn_lifecycle.rs @ 9285b7b8) and, for older and forked files, from public bug reports.
 *
 *   run         a request of the user and all that was done for it, as Codex marks it (task_started to task_complete); a
 *               message sent while it works is one more word on the same request. A session of `codex exec`, and that of a
 *               sub-agent that is not folded, is one run. Turns in which nobody asked and no model was called are no run
 *   id          session_meta.id, with #1, #2, … for the requests of a session that has several
 *   passes      one a model call: a token_count whose total_token_usage moved. Every count is emitted twice or more, and
 *               the first without figures (info null). What the model wrote without a count (a call that was broken off; a
 *               provider that reports none) is a pass whose tokens are not known
 *   tokens      the differences of total_token_usage: input_tokens (cached ones included), output_tokens (reasoning
 *               included), cached_input_tokens, cache_write_input_tokens. last_token_usage only where the total before is
 *               not known: after a compaction it holds an estimate of the context's size, which was never spent
 *   seconds     from the moment the model was asked (the request, or the last result before) to the next such moment, or to
 *               the end of the turn: from the time stamps of the lines. Waits for approval are part of it; idleGap clamps them
 *   calls       function_call, custom_tool_call, local_shell_call, web_search_call, …, with the output of the same call_id.
 *               error: the exit code in the output, or what the event about the call's end says
 *   model       turn_context.model
 *   status      task_complete with a last message: done_claimed; without one: halted ("no_answer"). turn_aborted: canceled,
 *               but budget_limited is a token budget that ran out. An error event: halted with its class. A turn that was
 *               marked and has no end: running. Until early 2026 turns were not marked: then the last pass must be a message
 *               without calls to be done
 *   check       never recorded; nor are dollars
 *   compaction  a model call whose spend Codex does not count when it is done by the server: its time is in the pass before,
 *               its tokens are unknown, and label `compactions` says how often. Done by the client it is a pass like others
 *   forks       the copied history of another session is left out, its counters are where the own ones begin
 *   sub-agents  their spend goes into the pass that started them (not their time, which that pass waited for)
 *   damaged     label of a request within which, or ahead of which, a line could not be read, or one of a sub-agent
 */

/** Codex rollouts. */
export const codex: Format = {
  id: CODEX,
  description: 'Codex sessions (rollouts), one JSONL file a session',
  detect: looksLikeRollout,
  read: readCodex,
};

async function* readCodex(source: Source, options: ReadingOptions): Reading {
  const session = newSession();
  const whole: Turn[] = [];
  let count = 0;
  let isSilent: boolean | null = null;
  for await (const item of turnsOf(source, session)) {
    if (isProblem(item)) {
      yield item;
      continue;
    }
    isSilent ??= await belongsElsewhere(source, session.facts, options);
    if (isSilent || !isRun(item)) continue;
    if (session.facts.isHeadless || session.facts.isSubagent) whole.push(item);
    else yield* runOfTurns([item], ++count, session, source, options);
  }
  if (whole.length > 0) yield* runOfTurns(whole, null, session, source, options);
}

/** Whether a session is no run of its own: a sub-agent whose spend is folded, or that is to be ignored. */
async function belongsElsewhere(source: Source, facts: SessionFacts, options: ReadingOptions): Promise<boolean> {
  if (!facts.isSubagent || options.subagents === 'separate') return false;
  if (options.subagents === 'ignore') return true;
  if (facts.id === null || facts.parent === null) return false;
  return isFoldedElsewhere(source, facts.id, facts.parent);
}

function isRun({ requests, events }: Turn): boolean {
  return requests > 0 || events.some(({ kind }) => kind === 'text' || kind === 'call' || kind === 'spent');
}

async function* runOfTurns(
  turns: readonly Turn[],
  place: number | null,
  session: Session,
  source: Source,
  options: ReadingOptions,
): AsyncGenerator<Run | Problem> {
  const { facts } = session;
  const id = facts.id ?? idInName(source.name);
  const passes = turns.flatMap((turn) => passesOf(turn, options.idleGap));
  const labels: { [name: string]: Json } = labelsOf(turns, place, facts, id);
  // A run that is the whole session lacks what was between its turns too.
  let isDamaged = turns.some((turn) => turn.isDamaged) || (place === null && session.isDamaged);
  if (options.subagents === 'fold' && id !== null) {
    const folding = await foldInto(passes, id, source.around, session.folded.add(id));
    const { folded, missing } = folding;
    yield* folding.problems;
    isDamaged ||= folding.isDamaged;
    if (folded > 0) labels.subagents = folded;
    if (missing > 0) labels.subagents_missing = missing;
  }
  Object.assign(labels, damageLabel(isDamaged));
  const first = turns[0] as Turn;
  const last = turns[turns.length - 1] as Turn;
  yield orProblem(source.name, first.line, null, () => {
    if (id === null) {
      throw new RecordError(
        'the session has no session_meta line, so its runs have no id',
        'restore the first line of the file, or name the file after the session as Codex does',
      );
    }
    const { raw_reason, ...ending } = endingOf(last, passes.at(-1));
    if (raw_reason !== undefined) labels.raw_reason = raw_reason;
    return runOfRecord(
      {
        id: place === null ? id : `${id}#${place}`,
        ...ending,
        check: 'none',
        labels,
        started_at: first.start?.iso ?? null,
        passes: passes.map(passRecord),
      },
      { file: source.name, line: first.line },
    );
  });
}

/** Codex names the file after the session. */
function idInName(name: string): string | null {
  return /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl/i.exec(name)?.[1] ?? null;
}

function labelsOf(turns: readonly Turn[], place: number | null, facts: SessionFacts, id: string | null) {
  const models = turns.flatMap(({ model }) => (model === null ? [] : [model]));
  const compactions = turns.reduce((sum, turn) => sum + turn.compactions, 0);
  const isAsked = turns.some(({ requests }) => requests > 0);
  return {
    agent: 'codex',
    model: models.at(-1) ?? null,
    effort: turns.at(-1)?.effort ?? null,
    session: id,
    turn: place,
    source: facts.source,
    version: facts.version,
    role: facts.role,
    parent: facts.parent,
    forked_from: facts.isSubagent ? null : facts.forkedFrom,
    request: isAsked ? null : compactions > 0 ? 'compact' : 'none',
    compactions: compactions === 0 ? null : compactions,
  };
}

interface EndingRecord {
  readonly status: string;
  readonly reason?: string;
  readonly claim?: string;
  readonly raw_reason?: string;
}

const DONE: EndingRecord = { status: 'done_claimed', claim: 'completed' };
/** Errors that are a budget of the user's running out, not a fault. */
const BUDGET_ERRORS = new Set(['session_budget_exceeded', 'budget_limited']);

function endingOf({ ending, isMarked }: Turn, last: PassDraft | undefined): EndingRecord {
  const budget = (word: string): EndingRecord => ({ status: 'stopped_budget', reason: 'tokens', raw_reason: word });
  switch (ending?.kind) {
    case 'complete':
      return ending.hasAnswer ? DONE : { status: 'halted_error', reason: 'no_answer' };
    case 'aborted':
      if (BUDGET_ERRORS.has(ending.reason)) return budget(ending.reason);
      return { status: 'halted_error', reason: 'canceled', raw_reason: ending.reason };
    case 'failed':
      return BUDGET_ERRORS.has(ending.error) ? budget(ending.error) : { status: 'halted_error', reason: ending.error };
    case undefined:
      return !isMarked && last?.hasMessage === true && last.calls.length === 0 ? DONE : { status: 'running' };
  }
}

function passRecord({ usage, seconds, model, calls }: PassDraft): Json {
  return {
    input_tokens: usage?.input ?? null,
    output_tokens: usage?.output ?? null,
    cache_read_tokens: usage?.cacheRead ?? null,
    cache_write_tokens: usage?.cacheWrite ?? null,
    seconds,
    model: model === '' ? null : model,
    calls: calls.map(({ tool, args, result, error }) => ({ tool, args: args ?? null, result: result ?? null, error })),
  };
}
