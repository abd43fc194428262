import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage, StageFolder } from '../engine/ask-duckdb/stage.js';
import type { Depth } from '../model/depth.js';
import { createRunTable } from '../model/table.js';
import { nameText } from '../report/escape.js';
import { fileError, usageError } from './errors.js';
import type { Target } from './into-table.js';
import type { Io } from './io.js';
import { readRuns } from './load.js';
import type { ReadOptions } from './options.js';
import { makeRun } from './parquet-format.js';

/** So many runs are held here at a time: the fewer, the less memory; more are hardly quicker. */
const PIECE = 20_000;

/**
 * Puts the runs of files into a database on disk, piece by piece: files by their readers, with their checks, messages and
 * quarantine; Parquet at an address by the database, which has the credentials.
 *
 * @throws CommandError
 */
export async function stageFiles(
  typed: readonly string[],
  options: ReadOptions,
  io: Io,
  { depth, memory }: { readonly depth: Depth; readonly memory: string | null },
): Promise<Stage> {
  const { openStage } = await import('../engine/ask-duckdb/stage.js');
  const stage = await openStage({ folder: scratchFolder(), depth, ...(memory === null ? {} : { memory }) });
  try {
    const { isRemote } = await import('../engine/ask-duckdb/remote.js');
    for (const words of inTurn(typed, isRemote)) {
      const [first] = words as [string];
      if (isRemote(first)) await stageRemote(stage, first);
      else await stageRead(stage, words, options, io, depth);
    }
    // One reader knows the ids of its own files only.
    if (typed.some(isRemote)) await checkIds(stage);
    return stage;
  } catch (error) {
    await stage.close();
    throw error;
  }
}

/** What the user typed in the order typed: addresses one by one, and what lies between them together. */
function inTurn(typed: readonly string[], isRemote: (path: string) => boolean): string[][] {
  const turns: string[][] = [];
  for (const word of typed) {
    const last = turns.at(-1);
    if (last !== undefined && !isRemote(word) && !isRemote(last[0] as string)) last.push(word);
    else turns.push([word]);
  }
  return turns;
}

async function stageRemote(stage: Stage, address: string): Promise<void> {
  if (!/\.(?:parquet|pq)(?:\?.*)?$/i.test(address)) {
    throw usageError(
      `${nameText(address)}: only Parquet is read from an address`,
      'capfit convert -o runs.parquet makes such a file',
    );
  }
  const { filesAt } = await import('../engine/ask-duckdb/remote.js');
  const { stageParquet } = await import('../engine/ask-duckdb/stage-parquet.js');
  const files = await filesAt(address, stage.database);
  if (files.length === 0) throw fileError(`${nameText(address)}: no file there`, 'check the address');
  for (const file of files) {
    if (await stageParquet(stage, file, makeRun)) continue;
    throw fileError(
      `${nameText(file)}: not a table with one row a pass in good order`,
      'fetch it and read the file: what is wrong with it is told then',
    );
  }
}

/** Reads by the readers of each format; where runs are read into columns, these go on in pieces. */
async function stageRead(
  stage: Stage,
  words: readonly string[],
  options: ReadOptions,
  io: Io,
  depth: Depth,
): Promise<void> {
  // A part that another thread reads comes as one table, however large; conditions are asked of the database.
  const reading = { ...options, threads: 1, where: [] };
  const table = tableInPieces(stage, depth);
  const { runs } = readRuns(words, reading, io, true, table);
  for await (const run of runs) table.add(run);
  table.flush();
}

/** Takes runs as a table does, and hands them on to the stage in pieces. */
function tableInPieces(stage: Stage, depth: Depth): Target & { flush(): void } {
  /** Readers keep the code that they were given, so that it must hold in every piece. */
  const codes = new Map<string, number>();
  let table = createRunTable(depth);
  const codeForTool = (tool: string): number => {
    const known = codes.get(tool);
    if (known !== undefined) return known;
    const code = table.codeForTool(tool);
    codes.set(tool, code);
    return code;
  };
  const flush = (): void => {
    stage.addRuns(table);
    table = createRunTable(depth);
    for (const tool of codes.keys()) table.codeForTool(tool);
  };
  const filled = (): void => {
    if (table.length >= PIECE) flush();
  };
  return {
    depth,
    codeForTool,
    addBatch(batch, from, to) {
      table.addBatch(batch, from, to);
      filled();
    },
    addSpan(other, from, to) {
      for (const tool of other.columns().passes.calls.tools) codeForTool(tool);
      table.addSpan(other, from, to);
      filled();
    },
    add(run) {
      for (const { calls } of run.passes ?? []) for (const { tool } of calls) codeForTool(tool);
      table.add(run);
      filled();
    },
    unpack(packed, lines) {
      flush();
      const part = createRunTable(depth);
      part.unpack(packed, lines);
      stage.addRuns(part);
    },
    flush,
  };
}

async function checkIds(stage: Stage): Promise<void> {
  const { repeatedIdIn } = await import('../engine/ask-duckdb/stage-parquet.js');
  const id = await repeatedIdIn(stage);
  if (id !== null)
    throw fileError(`the run id ${nameText(id)} occurs more than once`, 'give each run an id of its own');
}

function madeIn(folder: string): string {
  try {
    return mkdtempSync(join(folder, 'capfit-'));
  } catch (error) {
    throw fileError(
      `no temporary folder can be made in ${nameText(folder)} (${(error as NodeJS.ErrnoException).code ?? 'unknown fault'})`,
      'name a folder with room for the runs in TMPDIR',
    );
  }
}

/** A folder that goes with the command, however that ends. */
function scratchFolder(): StageFolder {
  const path = madeIn(tmpdir());
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  const end = (): void => process.exit(130);
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  return {
    path,
    async remove() {
      process.off('exit', remove);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end);
      remove();
    },
  };
}
