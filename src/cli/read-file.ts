import type { Format, PlainReader, RunSink, Source } from '../formats/format.js';
import type { BlockRead, BlockRequest } from './block-messages.js';
import { blocksOf, lineStartIn } from './file-blocks.js';
import { faultOf, openPieces } from './open.js';
import type { Progress } from './progress.js';
import { readBlocks } from './read-blocks.js';

/** A sink that also takes blocks of a file as they were read into tables. */
export interface BlockSink extends RunSink {
  /**
   * Takes blocks that follow each other, all or none: false where an id was met before, so that they have to be read run
   * by run.
   *
   * @param linesBefore lines of the file before the first of them
   */
  blocks(read: readonly BlockRead[], linesBefore: number): boolean;
}

/** A file that is read by one thread or more. */
export interface ReadFile {
  readonly source: Source;
  readonly path: string;
  readonly threads: number;
}

/**
 * Reads a file of run records. A block of which something has to be told is read once more, here, run by run; runs,
 * problems and their lines are then those of one thread.
 */
export async function readRecordFile(
  openLines: NonNullable<Format['openLines']>,
  { source, path, threads }: ReadFile,
  sink: BlockSink,
  progress: Progress,
): Promise<void> {
  const counted = progress.reading();
  const reader = openLines(source.name, sink);
  const file = openPieces(path);
  try {
    if (threads === 1) {
      await reader.read(counted.watch(file.pieces(0, Number.POSITIVE_INFINITY)), 0);
      return;
    }
    const request = requestOf({ source, path, threads }, lineStartIn, sink, counted.share());
    let lines = 0;
    let block = 0;
    for await (const table of readBlocks({ ...request, rowsUnder: null }, threads)) {
      const [from, to] = [request.cuts[block], request.cuts[block + 1]] as [number, number];
      const isTaken = table !== null && sink.blocks([table], lines);
      lines += isTaken ? table.lines : await reader.read(file.pieces(from, to), lines);
      block++;
    }
  } finally {
    file.close();
  }
}

/**
 * Reads a file by the quick reader of its format.
 *
 * @returns false where the file has to be read run by run, nothing of it having been taken
 */
export async function isReadPlainly(
  reader: PlainReader,
  { source, path, threads }: ReadFile,
  sink: BlockSink,
  progress: Progress,
): Promise<boolean> {
  const counted = progress.reading();
  const cutAt = (bytes: Uint8Array): number => {
    const line = lineStartIn(bytes);
    const run = line === -1 ? -1 : reader.runStart(source, bytes.subarray(line));
    return run === -1 ? -1 : line + run;
  };
  const request = requestOf({ source, path, threads }, threads === 1 ? () => -1 : cutAt, sink, counted.share());
  // Nothing is taken before all blocks are known to be plain.
  const read: BlockRead[] = [];
  for await (const table of readBlocks({ ...request, rowsUnder: source.head }, threads)) {
    if (table === null) break;
    read.push(table);
  }
  const isTaken = read.length === request.cuts.length - 1 && sink.blocks(read, 0);
  // What comes to nothing is read once more, and is not to count twice.
  if (!isTaken) counted.drop();
  return isTaken;
}

function requestOf(
  { source: { name }, path, threads }: ReadFile,
  startIn: (bytes: Uint8Array) => number,
  { depth }: RunSink,
  share: SharedArrayBuffer | null,
): Omit<BlockRequest, 'rowsUnder'> {
  const next = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  return { path, name, cuts: cutsOf(path, threads, startIn), next, depth, share };
}

/** @throws StreamFault where the file is gone since it was looked at */
function cutsOf(path: string, threads: number, startIn: (bytes: Uint8Array) => number): Float64Array {
  try {
    return blocksOf(path, threads, startIn);
  } catch (error) {
    throw faultOf(error);
  }
}
