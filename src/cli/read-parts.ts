import { Worker } from 'node:worker_threads';
import type { Format, ReadingOptions, RunSink, Source } from '../formats/format.js';
import type { FilePart } from './file-parts.js';
import { reusedPieces } from './open.js';
import type { PartRead, PartRequest } from './part-messages.js';
import type { Progress } from './progress.js';

/** A sink that also takes parts of a file as they were read into tables. */
export interface PartSink extends RunSink {
  /**
   * Takes parts that follow each other, all or none: false where an id was met before, so that they have to be read run
   * by run.
   *
   * @param linesBefore lines of the file before the first of them
   */
  parts(read: readonly PartRead[], linesBefore: number): boolean;
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
  progress: Progress,
): Promise<void> {
  const [first, ...others] = parts as [FilePart, ...FilePart[]];
  const request = { path, name: source.name, depth: sink.depth, rowsUnder: null, reading: plain(reading) };
  const threads = others.map((part) => {
    const counted = progress.reading();
    return { counted, ...openThread({ ...request, part, share: counted.share() }) };
  });
  const read = ({ from, to }: FilePart, lines: number): Promise<number> =>
    readHere(format, source, progress.reading().watch(reusedPieces(path, from, to)), lines, reading, sink);
  try {
    let lines = await read(first, 0);
    for (const [index, part] of others.entries()) {
      const thread = threads[index];
      const table = (await thread?.answer) ?? null;
      if (table !== null && sink.parts([table], lines)) {
        lines += table.lines;
        continue;
      }
      thread?.counted.drop();
      lines += await read(part, lines);
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
