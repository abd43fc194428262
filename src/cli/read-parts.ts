import { Worker } from 'node:worker_threads';
import type { Format, ReadingOptions, RunSink, Source } from '../formats/format.js';
import type { RunTable } from '../model/table.js';
import type { FilePart } from './file-parts.js';
import { reusedPieces } from './open.js';
import type { PartRead, PartRequest } from './part-messages.js';

/** A sink that also takes a part as another thread has read it. */
export interface PartSink extends RunSink {
  /** False: an id of it was met before, so that the part has to be read run by run. @param lines lines before the part */
  part(read: PartRead, lines: number): boolean;
  /** The same for a table, which is given away. */
  table(table: RunTable): boolean;
}

/**
 * Reads a file of run records, of several parts with as many threads: the first part here, each other one by a thread of its own that
 * hands over a table. A part of which something has to be told is read once more, here; runs, problems and their
 * lines are then those of one thread.
 */
export async function readParts(
  format: Format,
  source: Source,
  path: string,
  parts: readonly FilePart[],
  reading: ReadingOptions,
  sink: PartSink,
  watch: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const [first, ...others] = parts as [FilePart, ...FilePart[]];
  const threads = others.map((part) =>
    openThread({ path, name: source.name, part, depth: sink.depth, rowsUnder: null, reading: plain(reading) }),
  );
  try {
    let lines = await readHere(format, source, watch(reusedPieces(path, first.from, first.to)), 0, reading, sink);
    for (const [index, part] of others.entries()) {
      const read = (await threads[index]?.answer) ?? null;
      if (read !== null && sink.part(read, lines)) {
        lines += read.lines;
        continue;
      }
      lines += await readHere(format, source, reusedPieces(path, part.from, part.to), lines, reading, sink);
    }
  } finally {
    for (const { stop } of threads) stop();
  }
}

/** @returns the lines read */
async function readHere(
  format: Format,
  source: Source,
  bytes: AsyncIterable<Uint8Array>,
  linesBefore: number,
  reading: ReadingOptions,
  sink: RunSink,
): Promise<number> {
  return (await format.readInto?.({ ...source, bytes, linesBefore }, reading, sink)) ?? 0;
}

/** Listeners cannot be told to another thread, and no reader of run records calls any. */
export function plain({ onTallies: _, ...reading }: ReadingOptions): PartRequest['reading'] {
  return reading;
}

/** A thread that reads a part of a file; it answers `null` where something is to be told of the part. */
export function openThread(request: PartRequest): { answer: Promise<PartRead | null>; stop(): void } {
  const worker = new Worker(new URL('./part-worker.js', import.meta.url), { workerData: request });
  const answer = new Promise<PartRead | null>((resolve) => {
    worker.once('message', (message: PartRead | null) => resolve(message));
    worker.once('error', () => resolve(null));
    worker.once('exit', () => resolve(null));
  });
  return { answer, stop: () => void worker.terminate() };
}
