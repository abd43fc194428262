import type { Depth } from '../model/depth.js';
import type { RunBatch } from '../model/run-batch.js';
import type { Chunk } from './chunk.js';
import type { Database } from './duckdb.js';
import { PassArrays, PlainBatch } from './plain-batch.js';
import { PlainCalls } from './plain-calls.js';
import { partsOf, readSettings, type SettingAt } from './plain-parts.js';
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
  readonly sql: PlainSql;
  readonly path: string;
  readonly make: MakeRun;
  readonly depth: Depth;
}

/**
 * Reads a plain file in columns, without an object a row or a pass: numbers as numbers, run fields, tools and contents
 * as hashes that the database takes. The first run that is not in perfect order ends the scan.
 *
 * @returns how many runs were handed over, and whether those were all
 */
export async function scanPlain(
  database: Database,
  file: PlainFile,
  sink: PlainSink,
): Promise<{ readonly taken: number; readonly isWhole: boolean }> {
  const { sql, path, make } = file;
  const [second, third] = [await database.connect(), await database.connect()];
  const rows = database.chunks(sql.rows);
  const runs = second.chunks(sql.parts);
  try {
    // All questions are asked at once: while one is put together, the rows of the next are read ahead.
    const begun = [rows.next(), runs.next()] as const;
    const shared = readSettings(third, sql, path, make).then(async (settingAt) => ({
      settingAt,
      tools: await readTools(third, sql, (tool) => sink.codeForTool(tool)),
    }));
    await Promise.allSettled([...begun, shared]);
    const { settingAt, tools } = await shared;
    const scan = new Scan(
      file,
      ahead(begun[1], runs),
      settingAt,
      new PlainCalls(tools, file.depth !== 'figures'),
      sink,
    );
    for await (const chunk of ahead(begun[0], rows)) {
      if (!(await scan.read(rowsOf(chunk, sql)))) return { taken: scan.taken, isWhole: false };
    }
    return { taken: scan.taken, isWhole: await scan.isWhole() };
  } finally {
    // Nothing may be under way where a connection is closed.
    await rows.return(undefined);
    await runs.return(undefined);
    second.close();
    third.close();
  }
}

/** The pieces of an answer of which the first has been asked for. */
async function* ahead(first: Promise<IteratorResult<Chunk>>, rest: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  for (let next = await first; next.done !== true; next = await rest.next()) yield next.value;
}

/** Puts runs together by the batch while rows come in. */
class Scan {
  /** How many runs were handed over. */
  taken = 0;
  private readonly arrays = new PassArrays();
  private batch: PlainBatch | null = null;
  private before: Rows | null = null;

  constructor(
    private readonly file: PlainFile,
    private readonly runs: AsyncGenerator<Chunk>,
    private readonly settingAt: SettingAt,
    private readonly calls: PlainCalls,
    private readonly sink: PlainSink,
  ) {}

  /** Whether the rows are in order; a batch with a row that is not, is not handed over. */
  async read(rows: Rows): Promise<boolean> {
    for (let row = 0; row < rows.size; ) {
      this.batch ??= await this.nextBatch();
      if (this.batch === null) return false;
      row = this.batch.read(rows, row);
      if (row === -1 || !this.handOver()) return false;
    }
    this.before = rows;
    return true;
  }

  /** Whether all runs were handed over, once all rows have been read. */
  async isWhole(): Promise<boolean> {
    return this.batch === null && (await this.runs.next()).done === true;
  }

  private async nextBatch(): Promise<PlainBatch | null> {
    const next = await this.runs.next();
    const parts = next.done === true ? null : partsOf(next.value, this.settingAt);
    return parts === null ? null : new PlainBatch(this.file.path, parts, this.arrays, this.calls, this.before);
  }

  /** Hands over the batch if it is full; false where it cannot be. */
  private handOver(): boolean {
    if (this.batch?.isFull !== true) return true;
    const batch = this.batch.finish();
    if (batch === null) return false;
    this.sink.batch(batch);
    this.taken += batch.runs;
    this.batch = null;
    return true;
  }
}
