import type { IdText } from '../model/id-column.js';
import type { RunSetting } from '../model/run-batch.js';
import type { Chunk } from './chunk.js';
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
  readonly settings: readonly RunSetting[];
}

/** What the run has of which an answer holds the hash; `null`: that is in no order. */
export type SettingAt = (halves: Int32Array, row: number) => RunSetting | null;

/** The runs of a chunk; `null` where the rows of one do not stand together or do not agree, or where one is bad. */
export function partsOf(chunk: Chunk, settingAt: SettingAt): Parts | null {
  const [rows, hashes, ids] = [chunk.ints(0), chunk.halves(1), chunk.joinedTexts(2)];
  if (ids === null || rows.includes(0) || ids.lengths.includes(0)) return null;
  const startedMillis = startsOf(chunk.doubles(3), chunk.texts(4));
  const settings: RunSetting[] = [];
  for (let run = 0; run < chunk.size; run++) {
    const setting = settingAt(hashes, run);
    if (setting === null) return null;
    settings.push(setting);
  }
  return startedMillis === null ? null : { runs: chunk.size, rows, ids, startedMillis, settings };
}

/** `null` where a text is no time. */
function startsOf(millis: Float64Array, texts: readonly (string | null)[]): Float64Array | null {
  for (let run = 0; run < millis.length; run++) {
    if (!Number.isNaN(millis[run])) continue;
    const text = texts[run] ?? null;
    const start = text === null ? UNKNOWN : Date.parse(text);
    if (Number.isNaN(start)) return null;
    millis[run] = start;
  }
  return millis;
}

const UNKNOWN = -1;

/** What runs share, each read once, by the two halves of its hash. */
export async function readSettings(database: Database, sql: PlainSql, path: string, make: MakeRun): Promise<SettingAt> {
  const settings = new Map<number, Map<number, RunSetting | null>>();
  for await (const chunk of database.chunks(sql.rests)) {
    const halves = chunk.halves(0);
    for (const [row, rest] of chunk.texts(1).entries()) {
      const high = halves[row * 2 + 1] as number;
      const ofHigh = settings.get(high) ?? new Map<number, RunSetting | null>();
      settings.set(high, ofHigh.set(halves[row * 2] as number, settingOf(rest as string, path, make)));
    }
  }
  return (halves, row) => settings.get(halves[row * 2 + 1] as number)?.get(halves[row * 2] as number) ?? null;
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
