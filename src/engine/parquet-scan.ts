import type { Depth } from '../model/depth.js';
import type { RunBatch } from '../model/run-batch.js';
import type { Chunk } from './chunk.js';
import type { Database } from './duckdb.js';
import { PassArrays, PlainBatch } from './plain-batch.js';
import { PlainCalls } from './plain-calls.js';
import { type Parts, readParts } from './plain-parts.js';
import { type Rows, rowsOf } from './plain-rows.js';
import type { PlainSql } from './plain-sql.js';
import { readTools } from './plain-tools.js';
import type { MakeRun } from './run-facts.js';

/** Who takes runs from a plain file. */
export interface PlainSink {
  /** The code under which a tool is kept. */
  codeForTool(tool: string): number;
  /** @param batch good until the call returns */
  batch(batch: RunBatch): void;
}

/** A plain file, and what is asked of it. */
export interface PlainFile {
  readonly path: string;
  readonly sql: PlainSql;
  readonly make: MakeRun;
  readonly depth: Depth;
}

/** How many runs were handed over, and whether those were all. */
export interface Scanned {
  readonly taken: number;
  readonly isWhole: boolean;
}

/**
 * Reads a plain file in columns, without an object a row or a pass: numbers as numbers, run fields, tools and contents
 * as hashes that the database takes. A run that is not in perfect order ends the scan.
 */
export async function scanPlain(database: Database, file: PlainFile, sink: PlainSink): Promise<Scanned> {
  const { path, sql, make, depth } = file;
  const others = [await database.connect(), await database.connect()] as const;
  const rows = database.chunks(sql.rows);
  const runs = others[0].chunks(sql.parts);
  try {
    // All questions are asked at once: while one answer is put together, the next is made ready.
    const first = rows.next();
    // A fault is told where the piece is waited for.
    first.catch(() => undefined);
    const told = [
      readParts(others[0], runs, sql, path, make),
      readTools(others[1], sql, (tool) => sink.codeForTool(tool)),
    ] as const;
    // Whichever fails, the other must have come to its end before their connections are closed.
    await Promise.allSettled(told);
    const [parts, tools] = [await told[0], await told[1]];
    if (parts === null) return { taken: 0, isWhole: false };
    const scan = new Scan(path, parts, new PlainCalls(tools, depth !== 'figures'), sink);
    const isRead = await readAll(first, rows, (chunk) => scan.read(rowsOf(chunk, sql)));
    return { taken: scan.taken, isWhole: isRead && scan.isWhole };
  } finally {
    await rows.return(undefined);
    for (const each of others) each.close();
  }
}

/**
 * Reads the pieces of an answer until one is refused. So small a loop stays below what the compiler takes up, which
 * takes 20 to 50 ms for with all that it calls.
 *
 * @returns whether none was refused
 */
async function readAll(
  first: Promise<IteratorResult<Chunk>>,
  chunks: AsyncGenerator<Chunk>,
  read: (chunk: Chunk) => boolean,
): Promise<boolean> {
  for (let next = await first; next.done !== true; next = await chunks.next()) if (!read(next.value)) return false;
  return true;
}

/** Puts runs together by the batch while rows come in; a batch with a row that is not in order is not handed over. */
class Scan {
  /** How many runs were handed over. */
  taken = 0;
  private readonly arrays = new PassArrays();
  private batch: PlainBatch | null = null;
  private before: Rows | null = null;
  private next = 0;

  constructor(
    private readonly path: string,
    private readonly parts: readonly Parts[],
    private readonly calls: PlainCalls,
    private readonly sink: PlainSink,
  ) {}

  /** Whether all runs were handed over. */
  get isWhole(): boolean {
    return this.batch === null && this.next === this.parts.length;
  }

  /** False where a row is not in order, or there is no run for it. */
  read(rows: Rows): boolean {
    for (let row = 0; row < rows.size; ) {
      const batch = this.batch ?? this.nextBatch();
      row = batch === null ? -1 : batch.read(rows, row);
      if (batch === null || row === -1 || (batch.isFull && !this.handOver(batch))) return false;
    }
    this.before = rows;
    return true;
  }

  private nextBatch(): PlainBatch | null {
    const part = this.parts[this.next++];
    if (part === undefined) return null;
    this.batch = new PlainBatch(this.path, part, this.arrays, this.calls, this.before);
    return this.batch;
  }

  private handOver(batch: PlainBatch): boolean {
    const whole = batch.finish();
    if (whole === null) return false;
    this.sink.batch(whole);
    this.taken += whole.runs;
    this.batch = null;
    return true;
  }
}
