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
  const hashes = createContentCodes();
  const settings: RunSetting[] = [];
  const parts: Parts[] = [];
  /** The first row with each hash. */
  const firsts: number[] = [];
  let row = 0;
  for await (const chunk of chunks) {
    const part = partOf(chunk, settings);
    if (part === null) return null;
    const halves = chunk.halves(1);
    for (let run = 0; run < part.runs; run++) {
      const code = hashes.codeOf(halves[run * 2] as number, halves[run * 2 + 1] as number);
      if (code === firsts.length) firsts.push(row);
      part.setting[run] = code;
      row += part.rows[run] as number;
    }
    parts.push(part);
  }
  const rests = firsts.length > FEW ? sql.rests : sql.restsAt(firsts);
  if (parts.length === 0) return parts;
  for await (const chunk of database.chunks(rests)) {
    const halves = chunk.halves(0);
    for (const [at, rest] of chunk.texts(1).entries()) {
      const setting = settingOf(rest as string, path, make);
      if (setting === null) return null;
      settings[hashes.codeOf(halves[at * 2] as number, halves[at * 2 + 1] as number)] = setting;
    }
  }
  return firsts.every((_, code) => settings[code] !== undefined) ? parts : null;
}

function partOf(chunk: Chunk, settings: readonly RunSetting[]): Parts | null {
  const runs = chunk.size;
  const [rows, ids] = [chunk.ints(0), chunk.joinedTexts(2)];
  const startedMillis = startsOf(chunk.doubles(3), chunk.texts(4));
  if (ids === null || startedMillis === null || rows.includes(0) || ids.lengths.includes(0)) return null;
  return { runs, rows, ids, startedMillis, setting: new Int32Array(runs), settings };
}

/** `null` where a text is no time. */
function startsOf(millis: Float64Array, texts: readonly (string | null)[]): Float64Array | null {
  for (let run = 0; run < millis.length; run++) {
    if (!Number.isNaN(millis[run])) continue;
    const text = texts[run] ?? null;
    const read = text === null ? UNKNOWN : Date.parse(text);
    if (Number.isNaN(read)) return null;
    millis[run] = read;
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
