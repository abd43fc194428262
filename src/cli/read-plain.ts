import { closeSync, openSync, readSync } from 'node:fs';
import { DEFAULT_READING, type Format, type PlainReader, type Source } from '../formats/format.js';
import { createRunTable } from '../model/table.js';
import type { FilePart } from './file-parts.js';
import { reusedPieces } from './open.js';
import type { PartRead } from './part-messages.js';
import type { Progress, Reading } from './progress.js';
import { openThread, type PartSink, plain } from './read-parts.js';

/** A run that goes on for longer is not cut off from the one before. */
const LONGEST_RUN = 1 << 20;
/** What is read here before another thread has started; left out, this one waited 150 ms for the other. */
const HEAD_START = 24_000_000;
const NEWLINE = 0x0a;

/**
 * Reads a file by the quick reader of its format, of several parts with as many threads: the first part here, each other
 * one by a thread of its own.
 *
 * @returns false where the file has to be read run by run, nothing of it having been taken
 */
export async function isReadPlainly(
  format: Format,
  source: Source,
  path: string,
  parts: readonly FilePart[],
  sink: PartSink,
  progress: Progress,
): Promise<boolean> {
  if (format.plain === undefined) return false;
  const reading = progress.reading();
  const isRead = await isReadBy(format.plain, source, path, parts, sink, reading);
  // What comes to nothing is read once more, and is not to count twice.
  if (!isRead) reading.drop();
  return isRead;
}

async function isReadBy(
  reader: PlainReader,
  source: Source,
  path: string,
  parts: readonly FilePart[],
  sink: PartSink,
  reading: Reading,
): Promise<boolean> {
  const [first, ...others] = cutAtRuns(reader, source, path, parts) as [FilePart, ...FilePart[]];
  const request = { path, name: source.name, depth: sink.depth, rowsUnder: source.head };
  const threads = others.map((part) =>
    openThread({ ...request, part, reading: plain(DEFAULT_READING), share: reading.share() }),
  );
  try {
    const table = createRunTable();
    const bytes = reading.watch(reusedPieces(path, first.from, first.to));
    const lines = await reader.read({ ...source, bytes }, table, sink.depth);
    if (lines === null) return false;
    // Nothing is taken before all parts are known to be plain.
    const others: PartRead[] = [];
    for (const { answer } of threads) {
      const read = await answer;
      if (read === null) return false;
      others.push(read);
    }
    return sink.parts([{ table: table.pack(), lines }, ...others], 0);
  } finally {
    for (const { stop } of threads) stop();
  }
}

/** The same parts, each but the first beginning with a run; a part in which no run begins is left to the one before. */
function cutAtRuns(reader: PlainReader, source: Source, path: string, parts: readonly FilePart[]): FilePart[] {
  if (parts.length < 2) return [...parts];
  const file = openSync(path, 'r');
  const piece = Buffer.alloc(LONGEST_RUN);
  try {
    const starts = [0];
    for (const { from, to } of parts.slice(1)) {
      const place = to - from > HEAD_START ? from + HEAD_START / parts.length : from;
      const bytes = piece.subarray(0, readSync(file, piece, 0, LONGEST_RUN, place));
      const line = bytes.indexOf(NEWLINE) + 1;
      const run = reader.runStart(source, bytes.subarray(line));
      if (run !== -1 && place + line + run > (starts.at(-1) as number)) starts.push(place + line + run);
    }
    const end = (parts.at(-1) as FilePart).to;
    return starts.map((from, index) => ({ from, to: starts[index + 1] ?? end }));
  } finally {
    closeSync(file);
  }
}
