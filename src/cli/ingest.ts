import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ALONE, close, isProblem, problem, type ReadingOptions, type RunSink, type Source } from '../formats/format.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { type Advice, createAdvice } from './advice.js';
import { badRecord, CommandError, EXIT } from './errors.js';
import { expandInputs, type Input, STDIN } from './expand.js';
import { StreamFault } from './fault.js';
import { type Into, sinkOf } from './ingest-sink.js';
import type { IngestSummary } from './ingest-summary.js';
import type { Io } from './io.js';
import { loadMapping, type MappedInput } from './mapping-option.js';
import { neighboursOf } from './neighbours.js';
import { fileBytes, openBytes } from './open.js';
import { createPlaces, type Places } from './places.js';
import type { Progress } from './progress.js';
import { type BlockSink, isReadPlainly, readRecordFile } from './read-file.js';
import { isOwn, recognise } from './recognise.js';
import { idOverAll, repeatedId } from './run-ids.js';
import { threadsFor } from './threads.js';

/** What to do with a bad record: end the command, or count and list it. */
export type OnError = 'fail' | 'skip' | 'quarantine';

export interface IngestOptions {
  /** Format id, `null`: found by content. */
  readonly from: string | null;
  /** Mapping file by which every input is read; `null`: by the readers that there are. */
  readonly map: string | null;
  readonly onError: OnError;
  /** Where bad records are kept under `quarantine`. */
  readonly quarantineFile: string | null;
  readonly reading: ReadingOptions;
  /** How many threads read a large file of run records; `null`: as its size and the processors say. */
  readonly threads: number | null;
}

/** One set of runs out of any number of inputs. */
export interface Ingest {
  /** Those that were not put into a table. */
  readonly runs: AsyncIterable<Run>;
  readonly summary: IngestSummary;
}

const STDIN_NAME = '<stdin>';

/** Opens the inputs the user typed as one set of runs, streamed in order. @param into `null`: every run is wanted whole */
export function ingest(
  typed: readonly string[],
  options: IngestOptions,
  io: Io,
  progress: Progress,
  into: Into | null = null,
): Ingest {
  const summary: IngestSummary = {
    records: 0,
    problems: [],
    unrecognised: [],
    companions: [],
    files: [],
    isComplete: false,
  };
  return { runs: readAll(typed, options, io, progress, summary, into), summary };
}

async function* readAll(
  typed: readonly string[],
  options: IngestOptions,
  io: Io,
  progress: Progress,
  summary: IngestSummary,
  into: Into | null,
): AsyncGenerator<Run> {
  const { inputs, others } = await expandInputs(typed);
  for (const other of others) summary.unrecognised.push(other);
  if (options.quarantineFile !== null) guardQuarantine(options.quarantineFile, inputs);
  progress.expect(inputs.map((input) => input.path).filter((path) => path !== STDIN));
  const places = createPlaces();
  const mapped = options.map === null ? null : await loadMapping(options.map);
  const accept = (item: Run | Problem): Run | null => {
    const fault = isProblem(item) ? item : repeatedId(item, places);
    if (fault === null) {
      summary.records++;
      return item as Run;
    }
    if (options.onError === 'fail') throw new FirstBad(fault);
    summary.problems.push(fault);
    return null;
  };
  const sink = into === null ? null : sinkOf(into, accept, places, summary);
  const advice = createAdvice();
  const set = { places, mapped, paths: new Set(inputs.map((input) => resolve(input.path))), sink, advice };
  try {
    for (const input of inputs) {
      for await (const item of readInput(input, options, io, progress, summary, set)) {
        const run = accept(item);
        if (run !== null) yield run;
      }
    }
  } catch (error) {
    if (!(error instanceof FirstBad)) throw error;
    throw badRecord((await advice.give([error.problem]))[0] as Problem);
  } finally {
    summary.problems = await advice.give(summary.problems);
  }
  summary.isComplete = true;
  if (summary.records > 0) return;
  const { noRecords, nothingRecognised } = await import('./nothing-read.js');
  const isNone = summary.files.length === 0 && summary.problems.length === 0;
  throw isNone ? nothingRecognised(summary, typed) : noRecords(summary);
}

/** The bad record that ends the reading, on its way to where it is given its advice. */
class FirstBad extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.reason);
    this.problem = problem;
  }
}

/** A forgotten FILE makes an input of the quarantine, and a file that exists may hold something dear. */
function guardQuarantine(file: string, inputs: readonly Input[]): void {
  const isInput = inputs.some((input) => resolve(input.path) === resolve(file));
  if (!isInput && !existsSync(file)) return;
  throw new CommandError(
    `--on-error quarantine ${file}: ${isInput ? 'the file is an input' : 'the file exists already'}`,
    'name a file that does not exist yet for the bad records',
    EXIT.usage,
  );
}

async function* readInput(
  input: Input,
  options: IngestOptions,
  io: Io,
  progress: Progress,
  summary: IngestSummary,
  set: {
    readonly places: Places;
    readonly mapped: MappedInput | null;
    readonly paths: ReadonlySet<string>;
    readonly sink: BlockSink | null;
    readonly advice: Advice;
  },
): AsyncGenerator<Run | Problem> {
  const name = input.path === STDIN ? STDIN_NAME : input.path;
  try {
    const raw = input.path === STDIN ? io.stdin : fileBytes(input.path);
    const reading = progress.reading();
    const opened = await openBytes(reading.watch(raw));
    if (opened.head.length === 0) {
      if (input.named) yield problem(name, null, null, 'the file is empty', 'was the recording written to the end?');
      else summary.unrecognised.push(`${name} (empty)`);
      return;
    }
    const recognised = await recognise(input, options.from, set.mapped, opened.head);
    if (recognised === null) {
      if (input.named && set.mapped === null) throw (await import('./nothing-read.js')).unrecognised(name, opened.head);
      summary.unrecognised.push(name);
      return;
    }
    const { format, by, ...asked } = recognised;
    const around = input.path === STDIN ? ALONE : neighboursOf(input.path, set.paths, asked.formatOf);
    const source: Source = { name, head: opened.head, bytes: opened.bytes, around, ...asked };
    if (format.isReadByPath === true) {
      await close(source);
      if (opened.isPacked || !isFile(input.path)) {
        const reason = `${format.id} can only be read from a file as it stands`;
        yield problem(name, null, null, reason, 'unpack it, or save it to a file first');
        return;
      }
    }
    // Read as the user says, a trial is no trial.
    if (by === 'content' && !isOwn(format) && (await isCompanion(format.id, source))) {
      await close(source);
      summary.companions.push(name);
      return;
    }
    summary.files.push({ path: name, format: format.id });
    const told = (item: Run | Problem): Run | Problem | null => {
      if (!isProblem(item)) return format.localIds === true ? { ...item, id: idOverAll(item, set.places) } : item;
      if (!item.isEmptySource || input.named) {
        set.advice.note(item, recognised);
        return item;
      }
      summary.unrecognised.push(`${name} (${item.reason})`);
      return null;
    };
    const { sink } = set;
    if (sink !== null && format.readInto !== undefined) {
      const telling = { ...sink, item: (item: Run | Problem) => passOn(sink, told(item)) };
      if (format.openLines !== undefined && !opened.isPacked && isFile(input.path)) {
        await close(source);
        reading.drop();
        const file = { source, path: input.path, threads: threadsFor(input.path, options.threads) };
        await readRecordFile(format.openLines, file, telling, progress);
      } else await format.readInto(source, options.reading, telling);
      return;
    }
    if (sink !== null && format.plain !== undefined && !opened.isPacked && isFile(input.path)) {
      const file = { source, path: input.path, threads: threadsFor(input.path, options.threads) };
      const countAgain = reading.drop();
      if (await isReadPlainly(format.plain, file, sink, progress)) return void (await close(source));
      countAgain();
    }
    for await (const item of format.read(source, options.reading)) {
      const heard = told(item);
      if (heard !== null) yield heard;
    }
  } catch (error) {
    if (!(error instanceof StreamFault)) throw error;
    yield problem(name, null, null, error.message, error.hint);
  }
}

async function isCompanion(format: string, source: Source): Promise<boolean> {
  return (await import('../formats/harbor/harbor-place.js')).isCompanion(format, source);
}

function isFile(path: string): boolean {
  return path !== STDIN && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function passOn(sink: RunSink, item: Run | Problem | null): void {
  if (item !== null) sink.item(item);
}
