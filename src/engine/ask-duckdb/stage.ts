import type { Depth } from '../../model/depth.js';
import type { RunTable } from '../../model/table.js';
import { type Database, EngineError, openDatabase, sqlText } from '../duckdb.js';
import { createAppending } from './append-runs.js';
import { askedOf } from './faults.js';
import { createSql, TABLE_NAMES } from './tables.js';

/** A folder of its own for the files of a stage, made by whoever may touch the disk. */
export interface StageFolder {
  readonly path: string;
  /** Removes it with all that lies in it. */
  remove(): Promise<void>;
}

export interface StageOptions {
  readonly folder: StageFolder;
  /** What the database may take in memory, as it says sizes; beyond it, it writes to the folder. */
  readonly memory?: string;
  /** What is asked of the runs; without it everything. What lies deeper need not be put in. */
  readonly depth?: Depth;
}

/** Runs on their way into a database on disk, and in it. */
export interface Stage {
  /** How many runs lie in it. */
  readonly runs: number;
  /** The database, for statements that answer nothing. */
  readonly database: Database;
  /** The codes under which the calls keep a tool: more than one where they came in different ways. */
  codesOfTool(tool: string): readonly number[];
  /**
   * Adds runs behind those that are there, at once, so that who reads waits. The table cannot grow afterwards.
   *
   * @throws EngineError
   */
  addRuns(table: RunTable): void;
  /** Takes note of runs that statements have put in, and of their tools by codes that no other tool has. */
  note(runs: number, tools: ReadonlyMap<string, number>): void;
  /** Removes everything. */
  close(): Promise<void>;
}

export const DEFAULT_MEMORY = '1GB';

/**
 * Opens an empty stage.
 *
 * @throws EngineError where the client is not installed, or the folder cannot be written to
 */
export async function openStage({ folder, memory = DEFAULT_MEMORY, depth = 'calls' }: StageOptions): Promise<Stage> {
  try {
    const database = await openDatabase(`${folder.path}/runs.duckdb`);
    try {
      await prepare(database, folder.path, memory);
    } catch (error) {
      database.close();
      throw error;
    }
    return staged(database, folder, depth);
  } catch (error) {
    await folder.remove();
    throw error instanceof EngineError ? askedOf(error) : error;
  }
}

async function prepare(database: Database, folder: string, memory: string): Promise<void> {
  await database.run(`SET memory_limit = ${sqlText(memory)}`);
  await database.run(`SET temp_directory = ${sqlText(`${folder}/spill`)}`);
  // What lies here is thrown away: that it outlives a crash is worth nothing.
  await database.run('PRAGMA disable_checkpoint_on_shutdown');
  for (const table of TABLE_NAMES) await database.run(createSql(table));
}

function staged(database: Database, folder: StageFolder, depth: Depth): Stage {
  const tools = new Map<string, number>();
  const otherTools = new Map<string, number>();
  const appending = createAppending(database, tools, depth);
  let runs = 0;
  let isClosed = false;
  return {
    get runs() {
      return runs;
    },
    database,
    codesOfTool: (tool) => [tools.get(tool), otherTools.get(tool)].filter((code) => code !== undefined),
    addRuns(table) {
      if (table.length === 0) return;
      try {
        appending.addRuns(table, runs);
      } catch (error) {
        throw error instanceof EngineError ? askedOf(error) : error;
      }
      runs += table.length;
    },
    note(more, codes) {
      runs += more;
      for (const [tool, code] of codes) otherTools.set(tool, code);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      database.close();
      await folder.remove();
    },
  };
}
