import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nameOfFile, nameOfFolder } from '../formats/file-name.js';
import { ALONE, isProblem, problem, type ReadingOptions } from '../formats/format.js';
import { close } from '../formats/harbor/atif-files.js';
import { isCompanion } from '../formats/harbor/harbor-place.js';
import { FORMATS, formatOfLine } from '../formats/index.js';
import { writeRecord } from '../formats/record-writer.js';
import { formatPlace, type Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { plural } from '../model/words.js';
import { badRecord, CommandError, EXIT, fileError } from './errors.js';
import { expandInputs, type Input, STDIN } from './expand.js';
import { StreamFault } from './fault.js';
import { factsOf } from './fingerprint.js';
import type { Io } from './io.js';
import { loadMapping, type MappedInput } from './mapping-option.js';
import { neighboursOf } from './neighbours.js';
import { fileBytes, openBytes } from './open.js';
import { createPlaces, type Places } from './places.js';
import type { Progress } from './progress.js';
import { recognise, unrecognised, withAdvice } from './recognise.js';

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
}

/** What was read beside the runs; complete once the runs have been iterated to the end. */
export interface IngestSummary {
  /** Records read, before any filter. */
  records: number;
  readonly problems: Problem[];
  /** Files of folders and globs that no reader recognises. */
  readonly unrecognised: string[];
  /** Logs of runs that another input gives: those in the folder of a Harbor trial. Not counted once more. */
  readonly companions: string[];
  /** Files read, with the format each was recognised as. */
  readonly files: { readonly path: string; readonly format: string }[];
  /** `sha256:` digest of the facts of all runs, in order: the same for the same runs in another form. */
  fingerprint: string;
}

/** One set of runs out of any number of inputs. */
export interface Ingest {
  readonly runs: AsyncIterable<Run>;
  readonly summary: IngestSummary;
}

const STDIN_NAME = '<stdin>';

/** Opens the inputs the user typed as one set of runs, streamed in order. */
export function ingest(typed: readonly string[], options: IngestOptions, io: Io, progress: Progress): Ingest {
  const summary: IngestSummary = {
    records: 0,
    problems: [],
    unrecognised: [],
    companions: [],
    files: [],
    fingerprint: '',
  };
  return { runs: readAll(typed, options, io, progress, summary), summary };
}

async function* readAll(
  typed: readonly string[],
  options: IngestOptions,
  io: Io,
  progress: Progress,
  summary: IngestSummary,
): AsyncGenerator<Run> {
  const { inputs, others } = await expandInputs(typed);
  for (const other of others) summary.unrecognised.push(other);
  if (options.quarantineFile !== null) guardQuarantine(options.quarantineFile, inputs);
  progress.expect(inputs.map((input) => input.path).filter((path) => path !== STDIN));
  const digest = createHash('sha256');
  const places = createPlaces();
  const mapped = options.map === null ? null : await loadMapping(options.map);
  const set = { places, mapped, paths: new Set(inputs.map((input) => resolve(input.path))) };
  for (const input of inputs) {
    for await (const item of readInput(input, options, io, progress, summary, set)) {
      const fault = isProblem(item) ? item : repeatedId(item, places);
      if (fault === null) {
        summary.records++;
        digest.update(factsOf(item as Run));
        yield item as Run;
      } else if (options.onError === 'fail') {
        throw badRecord(fault);
      } else {
        summary.problems.push(fault);
      }
    }
  }
  summary.fingerprint = `sha256:${digest.digest('hex')}`;
  if (summary.files.length === 0 && summary.problems.length === 0) throw nothingRecognised(summary, typed);
  if (summary.records === 0) throw noRecords(summary);
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
  },
): AsyncGenerator<Run | Problem> {
  const name = input.path === STDIN ? STDIN_NAME : input.path;
  try {
    const raw = input.path === STDIN ? io.stdin : fileBytes(input.path);
    const opened = await openBytes(progress.watch(raw));
    if (opened.head.length === 0) {
      if (input.named) yield problem(name, null, null, 'the file is empty', 'was the recording written to the end?');
      else summary.unrecognised.push(`${name} (empty)`);
      return;
    }
    const recognised = recognise(input, options.from, set.mapped, opened.head);
    if (recognised === null) {
      if (input.named && set.mapped === null) throw unrecognised(name, opened.head);
      summary.unrecognised.push(name);
      return;
    }
    const { format, by } = recognised;
    const around = input.path === STDIN ? ALONE : neighboursOf(input.path, set.paths);
    const source = { name, head: opened.head, bytes: opened.bytes, around, formatOf: formatOfLine };
    // Read as the user says, a trial is no trial.
    if (by === 'content' && (await isCompanion(format.id, source))) {
      await close(source);
      summary.companions.push(name);
      return;
    }
    summary.files.push({ path: name, format: format.id });
    for await (const item of format.read(source, options.reading)) {
      if (isProblem(item)) {
        if (item.isEmptySource && !input.named) summary.unrecognised.push(`${name} (${item.reason})`);
        else yield withAdvice(item, recognised);
      } else yield format.localIds === true ? { ...item, id: idOverAll(item, set.places) } : item;
    }
  } catch (error) {
    if (!(error instanceof StreamFault)) throw error;
    yield problem(name, null, null, error.message, error.hint);
  }
}

/** An id that is unique in its file only, told apart by the file's name where another file has it too. */
function idOverAll(run: Run, places: Places): string {
  const first = places.get(run.id);
  if (first === null || first.file === run.origin.file) return run.id;
  const file = [nameOfFolder(run.origin.file), nameOfFile(run.origin.file)].filter((part) => part !== null).join('/');
  const base = `${file}/${run.id}`;
  let id = base;
  const isTaken = (): boolean => ![undefined, run.origin.file].includes(places.get(id)?.file);
  for (let copy = 2; isTaken(); copy++) id = `${base} (${copy})`;
  return id;
}

/** A run id seen twice is a bad record that names both places; the first one is kept. */
function repeatedId(run: Run, places: Places): Problem | null {
  const first = places.get(run.id);
  if (first === null) {
    places.set(run.id, run.origin);
    return null;
  }
  return problem(
    run.origin.file,
    run.origin.line,
    writeRecord(run),
    `run id ${JSON.stringify(run.id)} was already read at ${formatPlace(first)}`,
    'give every run an id of its own, or name each file once',
  );
}

function nothingRecognised(summary: IngestSummary, typed: readonly string[]): CommandError {
  const listed = summary.unrecognised.slice(0, 5).join(', ');
  return fileError(
    `${typed.join(' ')}: none of ${plural(summary.unrecognised.length, 'file')} is recognised as recorded runs (${listed}${summary.unrecognised.length > 5 ? ', …' : ''})`,
    `known formats: ${FORMATS.map((format) => format.id).join(', ')}; --from names one`,
  );
}

function noRecords(summary: IngestSummary): CommandError {
  const [first] = summary.problems;
  if (first !== undefined) {
    return fileError(
      `no run could be read: ${plural(summary.problems.length, 'bad record')}, the first at ${formatPlace(first.place)}: ${first.reason}`,
      first.hint,
    );
  }
  return fileError(`${summary.files.map((file) => file.path).join(', ')}: no run in it`, 'it holds no record');
}
