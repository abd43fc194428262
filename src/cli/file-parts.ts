import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** A stretch of a file that holds whole lines. */
export interface FilePart {
  readonly from: number;
  /** The first byte behind it. */
  readonly to: number;
}

/** Below this a second thread takes longer to start than it saves. */
const LEAST_BYTES = 500_000_000;
/** More threads than this would wait for the file. */
const MOST_THREADS = 8;
const NEWLINE = 0x0a;
const PIECE = 65_536;

/**
 * Cuts a file into parts of whole lines and about one size, one for each thread that is to read it; a single part where
 * one thread reads it all.
 *
 * @param threads as the user says; `null`: by the size of the file and the processors there are
 */
export function partsOf(path: string, threads: number | null): FilePart[] {
  const { size } = statSync(path);
  const wanted = threads ?? (size < LEAST_BYTES ? 1 : Math.min(availableParallelism(), MOST_THREADS));
  const cuts = new Set([0]);
  const file = openSync(path, 'r');
  try {
    for (let part = 1; part < wanted; part++) cuts.add(lineStartFrom(file, Math.floor((size * part) / wanted), size));
  } finally {
    closeSync(file);
  }
  const starts = [...cuts].filter((cut) => cut < size);
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? size }));
}

/** The first start of a line at or behind an offset. */
function lineStartFrom(file: number, offset: number, size: number): number {
  const piece = Buffer.alloc(PIECE);
  for (let at = Math.max(0, offset - 1); at < size; at += PIECE) {
    const read = readSync(file, piece, 0, PIECE, at);
    const newline = piece.subarray(0, read).indexOf(NEWLINE);
    if (newline !== -1) return at + newline + 1;
    if (read === 0) break;
  }
  return size;
}
