import type { RunFacts } from '../model/table.js';
import type { Database } from './duckdb.js';
import type { PlainSql } from './plain-sql.js';
import { type MakeRun, membersOf, RowFault } from './run-facts.js';

/** The runs of a plain file in the order of their rows, without their passes. */
export interface Parts {
  readonly length: number;
  /** Whether the rows of a part bear this hash. */
  isOf(part: number, low: number, high: number): boolean;
  facts(part: number): RunFacts;
}

/** What most runs share. */
type Shared = Omit<RunFacts, 'id' | 'startedMillis'>;

/**
 * The runs of a file whose rows of a run stand together and agree; `null` where some do not, or where a run is bad: each
 * stretch of rows with the same run fields is then no run of its own.
 */
export async function readParts(database: Database, sql: PlainSql, path: string, make: MakeRun): Promise<Parts | null> {
  const ids: string[] = [];
  const seen = new Set<string>();
  const starts: (number | null)[] = [];
  const halves: Int32Array[] = [];
  const shared = createShared(path, make);
  const sharedOf: Shared[] = [];
  const firstOf: number[] = [];
  for await (const chunk of database.chunks(sql.parts)) {
    firstOf.push(ids.length);
    halves.push(chunk.halves(0));
    const [chunkIds, chunkStarts, rests] = [chunk.texts(1), chunk.texts(2), chunk.texts(3)];
    for (let row = 0; row < chunk.size; row++) {
      const id = chunkIds[row] ?? null;
      const started = chunkStarts[row] ?? null;
      const millis = started === null ? null : Date.parse(started);
      const facts = shared(rests[row] as string);
      if (id === null || id === '' || seen.has(id) || Number.isNaN(millis) || facts === null) return null;
      seen.add(id);
      ids.push(id);
      starts.push(millis);
      sharedOf.push(facts);
    }
  }
  // Chunks differ in size, and parts are asked for one behind the other.
  let at = 0;
  const chunkAt = (part: number): number => {
    while ((firstOf[at + 1] ?? Number.POSITIVE_INFINITY) <= part) at++;
    return at;
  };
  return {
    length: ids.length,
    isOf(part, low, high) {
      const chunk = chunkAt(part);
      const place = (part - (firstOf[chunk] as number)) * 2;
      const values = halves[chunk] as Int32Array;
      return values[place] === low && values[place + 1] === high;
    },
    facts: (part) => ({ ...(sharedOf[part] as Shared), id: ids[part] as string, startedMillis: starts[part] ?? null }),
  };
}

/** Reads what runs share once for all that share it; `null`: it is in no order. */
function createShared(path: string, make: MakeRun): (rest: string) => Shared | null {
  const known = new Map<string, Shared | null>();
  const origin = { file: path, line: null };
  const read = (rest: string): Shared | null => {
    try {
      const run = make({ ...membersOf(rest), id: 'run', passes: null }, origin);
      if ('kind' in run) return null;
      const { status, reason, check, claim, labels, recordedUnder, totals } = run;
      return { status, reason, check, claim, labels, recordedUnder, totals, origin };
    } catch (error) {
      if (error instanceof RowFault) return null;
      throw error;
    }
  };
  return (rest) => {
    const before = known.get(rest);
    if (before !== undefined) return before;
    const facts = read(rest);
    known.set(rest, facts);
    return facts;
  };
}
