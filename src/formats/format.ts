import type { Depth } from '../model/depth.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { RunBatch } from '../model/run-batch.js';
import type { RunTable } from '../model/table.js';

/** One input, already decompressed. */
export interface Source {
  /** The file as the user named it, or `<stdin>`. */
  readonly name: string;
  /** The first bytes of the content, enough to tell the format (up to 64 KiB). */
  readonly head: Uint8Array;
  /** The whole content from its first byte; may be iterated once. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The files around it, for recordings that spread one run over several. */
  readonly around: Neighbours;
  /** The id of the format that claims a line by itself, `null`: none. Absent where nobody knows all formats. */
  readonly formatOf?: (line: string) => string | null;
}

/**
 * Lets go of a source of which only the head was wanted, so that its file is closed. What was read ahead for the head
 * is replayed first, and only a reader stopped beyond that stops the file as well.
 */
export async function close(source: Source): Promise<void> {
  let seen = 0;
  for await (const chunk of source.bytes) {
    if (seen >= HEAD_BYTES) break;
    seen += chunk.length;
  }
}

const HEAD_BYTES = 65_536;

/** Files near a source, by paths relative to the source's own folder, with `/` between their parts. */
export interface Neighbours {
  /** Opens a neighbour; `null` where there is none, or none that can be read. */
  open(path: string): Promise<Source | null>;
  /** Names of the files in a neighbouring folder, sorted; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Whether that neighbour is itself an input, so that it will be read (or has been) as a source of its own. */
  isInput(path: string): boolean;
}

/** A source without neighbours, as standard input is. */
export const ALONE: Neighbours = {
  open: () => Promise.resolve(null),
  list: () => Promise.resolve([]),
  isInput: () => false,
};

/** What to do with the passes of agents that an agent started. */
export const SUBAGENT_MODES = ['fold', 'separate', 'ignore'] as const;
export type SubagentMode = (typeof SUBAGENT_MODES)[number];

/** Choices in counting that the user may make; every reader obeys those that its source knows. */
export interface ReadingOptions {
  /** `fold`: into the pass that started them; `separate`: runs of their own; `ignore`: left out. */
  readonly subagents: SubagentMode;
  /** Longest wait inside a pass, in seconds, that counts as work (a person may have been away); `null`: all counts. */
  readonly idleGap: number | null;
  /** Whether a verdict that a model gave counts as a check; without it such a verdict is a claim. */
  readonly trustJudge: boolean;
  /** Score from which on a continuous verdict counts as passed. */
  readonly passMark: number;
  /** Hears, at the end of each file that is read by a mapping, what its expressions found. Absent: nobody listens. */
  readonly onTallies?: (tallies: readonly FieldTally[]) => void;
}

/** How often an expression of a mapping found something in the records of a file. */
export interface FieldTally {
  readonly file: string;
  /** The key of the mapping file that it stands under. */
  readonly key: string;
  readonly expression: string;
  readonly asked: number;
  readonly found: number;
  /** Names of fields that were there to be asked for. */
  readonly fields: readonly string[];
}

/** Sub-agents folded in, all time counted, no judge trusted, full score needed. */
export const DEFAULT_READING: ReadingOptions = { subagents: 'fold', idleGap: null, trustJudge: false, passMark: 1 };

/** What a reader yields: good records and bad ones, in the order of the input. */
export type Reading = AsyncIterable<Run | Problem>;

/** A kind of input that can be read. Recognised by content, never by file name. */
export interface Format {
  /** The word for `--from`. */
  readonly id: string;
  /** One phrase for lists and messages. */
  readonly description: string;
  /** Reads the file of that name itself, and none of its bytes: not what is packed or comes through a pipe. */
  readonly isReadByPath?: true;
  /** Ids are unique inside a file only; the ingest stage makes them unique over all. */
  readonly localIds?: true;
  /** Whether the head of a file, decoded as text without byte-order mark, is of this format. */
  detect(head: string): boolean;
  /** Reads a source. A source that belongs to another input (a part of its run) yields nothing. */
  read(source: Source, options: ReadingOptions): Reading;
  /**
   * Reads the same runs and the same problems where only a table of them is wanted; absent: there is no quicker way.
   *
   * @returns how many lines were read
   */
  readInto?(source: Source, options: ReadingOptions, sink: RunSink): Promise<number>;
  /** The same for stretches of whole lines of a file; absent: they cannot be read by themselves. */
  openLines?(file: string, sink: RunSink): LinesReader;
  /** The quick reader of files of this format that are plain; absent: there is none. */
  readonly plain?: PlainReader;
}

/** Bytes that are asked for one stretch after the other, and are there at once. */
export interface ByteSource {
  /** Fills a target from its start. @returns how many bytes that were; 0: there are no more */
  read(target: Uint8Array): number;
}

/** Reads stretches of a file one after the other. What a sink throws leaves nothing behind. */
export interface LinesReader {
  /**
   * @param bytes whole lines
   * @param linesBefore how many lines of the file come before them
   * @returns how many lines were read
   */
  read(bytes: AsyncIterable<Uint8Array>, linesBefore: number): Promise<number>;
  /**
   * The same of bytes that are at hand, which are put where they are scanned.
   *
   * @returns `null` where a line is so long that it has to be read by the other way, whatever was taken of the rest
   */
  readNow(bytes: ByteSource, linesBefore: number): number | null;
}

/** Reads files straight into tables, or not at all: what is not plain is for the reader of the format. */
export interface PlainReader {
  /**
   * Fills a table with runs, none of them bad.
   *
   * @param source of which only the name and the head are asked
   * @param depth what lies deeper may be left out
   * @returns `null` where the head is not plain
   */
  open(source: Source, table: RunTable, depth: Depth): PlainPartReader | null;
  /** Where in some bytes of the file, which begin with a line, the first run begins that is new in them; -1: nowhere. */
  runStart(source: Source, bytes: Uint8Array): number;
}

/** Reads parts of a plain file one after the other, no id twice in any of them. */
export interface PlainPartReader {
  /**
   * @param bytes from the start of the file, or from where a run begins
   * @returns how many lines were read; `null` where they are not plain: the table is then of no use
   */
  read(bytes: ByteSource, isStart: boolean): number | null;
}

/** Takes what a reader finds, in the order of the input. What it throws ends the reading. */
export interface RunSink {
  /** What is needed; what lies deeper may be left out of batches, but not out of items. */
  readonly depth: Depth;
  /** The code that the tool of a call bears in a batch. */
  codeForTool(tool: string): number;
  /** Whether the whole of a run may be asked for. */
  readonly asksForWhole: boolean;
  /**
   * Runs of a batch, from one of them on.
   *
   * @returns the first that is asked for as a whole run instead, which only happens where `asksForWhole` says so; how
   *   many runs there are: all were taken
   */
  batch(batch: RunBatch, from: number): number;
  item(item: Run | Problem): void;
}

/** Tells bad records from whatever good ones a reader yields. */
export function isProblem(item: object): item is Problem {
  return 'kind' in item && item.kind === 'problem';
}

/** Thrown inside a reader where a record cannot be made; becomes a `Problem` with the record's place. */
export class RecordError extends Error {
  readonly hint: string;

  constructor(reason: string, hint: string) {
    super(reason);
    this.hint = hint;
  }
}

/** Runs `make`; a `RecordError` thrown inside becomes a problem at the given place. */
export function orProblem(file: string, line: number | null, raw: string | null, make: () => Run): Run | Problem {
  return orProblemValue(file, line, raw, make);
}

/** The same for any value. */
export function orProblemValue<Value>(
  file: string,
  line: number | null,
  raw: string | null,
  make: () => Value,
): Value | Problem {
  try {
    return make();
  } catch (error) {
    if (error instanceof RecordError) return problem(file, line, raw, error.message, error.hint);
    throw error;
  }
}

/** A bad record as a value. */
export function problem(file: string, line: number | null, raw: string | null, reason: string, hint: string): Problem {
  return { kind: 'problem', place: { file, line }, reason, hint, raw };
}
