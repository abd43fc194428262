import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { documentProblem, readText } from '../document.js';
import { type Format, problem, type Reading, type ReadingOptions, RecordError, type Source } from '../format.js';
import { type Facts, factsOf } from './inspect-facts.js';
import { type Log, type LoggedSample, logOfArchive, logOfDocument } from './inspect-log.js';
import { runsOfSample } from './inspect-sample.js';
import { openArchive } from './zip.js';

/*
 * Logs of Inspect AI, one evaluation each, a run for each sample and epoch. Written from
 * github.com/UKGovernmentBEIS/inspect_ai at 499e615 (0.3.260, 2026-08) and its history: src/inspect_ai/log/_log.py,
 * log/_recorders/eval.py and chunked/format.py, event/*.py, model/_model_output.py, scorer/_metric.py; and from logs
 * recorded with 0.3.41 to 0.3.154. The two forms of a log are described in inspect-log.ts.
 *
 *   id          eval.task_id / sample id / epoch. A retried evaluation keeps the task id and copies finished samples, so
 *               equal ids of several files are copies (localIds)
 *   status      error: halted_error with the class of the exception, `canceled` where it was a cancellation or an
 *               operator's stop; limit: stopped_budget (turn is passes, token tokens, time and working seconds, cost
 *               usd, message `messages`, which is no counter of ours); else done. label raw_reason keeps the limit's word.
 *               A log whose evaluation never ended holds the samples that did
 *   check       scores (inspect-score.ts): C, true, yes passed; I, N, false, no failed; figures, and P as 0.5, by the
 *               pass mark; NaN or none at all none. All scorers must pass. A sample declared invalid has no check
 *   claim       a score that a model gave (scorer model_graded_…, a model event at its work, or a grader's conversation
 *               in its metadata) is a claim, `completed` where it passed; label judge has either outcome
 *   passes      `model` events of the agent: not those of scorers, nor in the roles of a grader or simulated user. A call
 *               that failed or was cut off (error, pending) is no pass (label aborted_calls): its time, with the retries,
 *               is part of the pass it was tried for. An answer from Inspect's cache is a pass with the tokens it stands
 *               for, as Inspect counts its turns (label cache_hits)
 *   tokens, usd output.usage of the event (inspect-usage.ts); total_cost is known where the user had given prices
 *   seconds     from the start of the call to the start of the next, the last one to the last moment before scoring. Before
 *               0.3.48 events carry the end of the call, which then began at the moment before
 *   calls       `tool` events, at the pass that asked for them; what a call that failed shows the model is its error. An
 *               agent bridged in from outside leaves no tool events: then what was asked for, and the answer from
 *               `messages`
 *   sub-agents  model events inside a tool call. Their spend goes to the pass before (fold), their calls are left out, as
 *               the loop does not see them; apart they are runs `ID/agent-N` that nothing checked. Agents that agents run
 *               without a tool call are stages of the same run
 *   totals      total_time (working_time under an idle gap) where a pass lacks its time; model_usage and the number of
 *               generated messages where events were not recorded, and the passes are then unknown
 *   recorded_under  eval.config: turn_limit (passes), token_limit (tokens; output_tokens or metered_tokens by its type),
 *               time_limit (seconds), cost_limit (usd), message_limit (messages), working_limit (working_seconds)
 *   labels      task, task_id (of the sample), epoch, model, agent (solver, else the last step of the plan), scores, and
 *               eval_status where the evaluation was not a success
 */

/** The name of the first entry follows 30 bytes of header, of which some may have been no characters. */
const ARCHIVE = /^PK\x03\x04[\s\S]{8,26}?(_journal\/\w+|header\.json|samples\/[\s\S]{1,200}?_epoch_\d+)/;
const OTHER_ENTRY = /summaries\.json|reductions\.json|_journal\/|samples\/[\s\S]{1,200}?_epoch_\d+/;
const DOCUMENT =
  /^\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"(?:started|success|cancelled|error)"\s*,\s*"eval"\s*:\s*\{/;

/** Logs of Inspect AI. */
export const inspect: Format = {
  id: 'inspect',
  description: 'logs of Inspect AI, .eval archives or JSON files',
  localIds: true,
  detect,
  read: readInspect,
};

function detect(head: string): boolean {
  const [, first] = ARCHIVE.exec(head) ?? [];
  if (first !== undefined) return first !== 'header.json' || OTHER_ENTRY.test(head);
  return DOCUMENT.test(head) && /"(?:task_id|run_id|eval_id)"\s*:/.test(head);
}

async function* readInspect(source: Source, options: ReadingOptions): Reading {
  let log: Log;
  let facts: Facts;
  try {
    log = await logOf(source);
    facts = factsOf(log.header);
  } catch (error) {
    yield documentProblem(source, error);
    return;
  }
  if (log.samples.length === 0) yield noSamples(facts, source.name);
  for (const sample of log.samples) yield* await runsOrProblem(sample, facts, options, source.name);
}

async function runsOrProblem(
  sample: LoggedSample,
  facts: Facts,
  options: ReadingOptions,
  file: string,
): Promise<(Run | Problem)[]> {
  try {
    return runsOfSample(await sample.load(), facts, options, { file, line: null });
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return [problem(file, null, sample.raw(), `${sample.name}: ${error.message}`, error.hint)];
  }
}

function noSamples({ labels }: Facts, file: string): Problem {
  const reason = `the log holds no samples (status ${labels.eval_status ?? 'success'})`;
  const hint = 'the evaluation ended before one was written, or its samples were not logged: leave the file out';
  return { ...problem(file, null, null, reason, hint), isEmptySource: true };
}

/** The log in a source: an archive begins as every zip file does. */
async function logOf(source: Source): Promise<Log> {
  const { start, bytes } = await peek(source.bytes);
  if (start.subarray(0, 2).toString('latin1') === 'PK') return logOfArchive(await openArchive(bytes));
  return logOfDocument(await readText({ ...source, bytes }));
}

/** Looks at the first two bytes without losing them. */
async function peek(bytes: AsyncIterable<Uint8Array>): Promise<{ start: Buffer; bytes: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  async function* replay(): AsyncGenerator<Uint8Array> {
    yield* chunks;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { start: Buffer.concat(chunks), bytes: replay() };
}
