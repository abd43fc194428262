import type { IdText } from '../model/id-column.js';
import type { RunSetting } from '../model/run-batch.js';
import { UNKNOWN } from '../model/run-draft.js';
import type { Chunk } from './chunk.js';
import { createContentCodes } from './content-codes.js';
import type { Database } from './duckdb.js';
import type { PlainSql } from './plain-sql.js';
import { type MakeRun, membersOf, RowFault } from './run-facts.js';

/** Some runs of a plain file in the order of their rows, without their passes. */
export interface Parts {
  readonly runs: number;
  /** How many rows each has. */
  readonly rows: Int32Array;
  readonly ids: IdText;
  /** Since 1970; -1: unknown. */
  readonly startedMillis: Float64Array;
  /** Which of the settings each has. */
  readonly setting: Int32Array;
  readonly settings: readonly RunSetting[];
}

/** More settings than this are read by a look at every row, which takes 40 ms where that for some rows takes 3. */
const FEW = 1000;

/**
 * The runs of a file, some at a time.
 *
 * @param chunks the answer about runs
 * @returns `null` where the rows of a run do not stand together or do not agree, or where one is bad
 */
export async function readParts(
  database: Database,
  chunks: AsyncIterable<Chunk>,
  sql: PlainSql,
  path: string,
  make: MakeRun,
): Promise<Parts[] | null> {
  const shared = new Shared();
  const parts: Parts[] = [];
  for await (const chunk of chunks) {
    const part = partOf(chunk, shared);
    if (part === null) return null;
    parts.push(part);
  }
  const { firsts } = shared;
  if (parts.length === 0) return parts;
  for await (const chunk of database.chunks(firsts.length > FEW ? sql.rests : sql.restsAt(firsts))) {
    const halves = chunk.halves(0);
    for (const [row, rest] of chunk.texts(1).entries()) {
      const setting = settingOf(rest as string, path, make);
      if (setting === null) return null;
      shared.settings[shared.codeAt(halves, row)] = setting;
    }
  }
  return firsts.every((_, code) => shared.settings[code] !== undefined) ? parts : null;
}

/** What runs have in common, by the hashes of it. */
class Shared {
  readonly settings: RunSetting[] = [];
  /** The first row with each hash. */
  readonly firsts: number[] = [];
  private readonly codes = createContentCodes();
  private row = 0;

  /** The number of the setting that stands in an answer. */
  codeAt(halves: Int32Array, row: number): number {
    return this.codes.codeOf(halves[row * 2] as number, halves[row * 2 + 1] as number);
  }

  /** The numbers of the settings of runs that have so many rows each and follow on those before. */
  codesOf(halves: Int32Array, rows: Int32Array): Int32Array {
    const codes = new Int32Array(rows.length);
    for (let run = 0; run < rows.length; run++) {
      const code = this.codeAt(halves, run);
      if (code === this.firsts.length) this.firsts.push(this.row);
      codes[run] = code;
      this.row += rows[run] as number;
    }
    return codes;
  }
}

function partOf(chunk: Chunk, shared: Shared): Parts | null {
  const rows = chunk.ints(0);
  const ids = chunk.joinedTexts(2);
  const startedMillis = startsIn(chunk);
  if (ids === null || startedMillis === null || rows.includes(0) || ids.lengths.includes(0)) return null;
  const setting = shared.codesOf(chunk.halves(1), rows);
  return { runs: chunk.size, rows, ids, startedMillis, setting, settings: shared.settings };
}

/** `null` where a text is no time. */
function startsIn(chunk: Chunk): Float64Array | null {
  const millis = chunk.doubles(3);
  if (millis.every((start) => !Number.isNaN(start))) return millis;
  const texts = chunk.texts(4);
  for (let run = 0; run < millis.length; run++) {
    if (!Number.isNaN(millis[run])) continue;
    const text = texts[run] ?? null;
    const start = text === null ? UNKNOWN : Date.parse(text);
    if (Number.isNaN(start)) return null;
    millis[run] = start;
  }
  return millis;
}

function settingOf(rest: string, path: string, make: MakeRun): RunSetting | null {
  try {
    const run = make({ ...membersOf(rest), id: 'run', passes: null }, { file: path, line: null });
    if ('kind' in run) return null;
    const { status, reason, check, claim, labels, recordedUnder, totals } = run;
    return { status, reason, check, claim, labels, recordedUnder, totals };
  } catch (error) {
    if (error instanceof RowFault) return null;
    throw error;
  }
}

/** What a batch of these runs says of them beside their passes. */
export function factsOf(file: string, { runs, ids, startedMillis, setting, settings }: Parts) {
  return {
    ...{ file, runs, ids, startedMillis, line: new Float64Array(runs).fill(UNKNOWN) },
    setting: (run: number): RunSetting => settings[setting[run] as number] as RunSetting,
  };
}
