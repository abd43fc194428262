import type { Place } from '../model/problem.js';
import type { RunFacts } from '../model/run-batch.js';
import type { Database } from './duckdb.js';
import type { PlainSql } from './plain-sql.js';
import { type MakeRun, membersOf, RowFault } from './run-facts.js';

/** The runs of a plain file in the order of their rows, without their passes. */
export interface Parts {
  readonly length: number;
  /** How many rows it has. */
  rows(part: number): number;
  facts(part: number): RunFacts;
}

/** What most runs share. */
type Shared = Omit<RunFacts, 'id' | 'startedMillis'>;

/** The runs of a file whose rows of a run stand together and agree; `null` where some do not, or where a run is bad. */
export async function readParts(database: Database, sql: PlainSql, path: string, make: MakeRun): Promise<Parts | null> {
  const shared = await readRests(database, sql, path, make);
  const ids: string[] = [];
  const starts: (number | null)[] = [];
  const sharedParts: Shared[] = [];
  const rows: number[] = [];
  for await (const chunk of database.chunks(sql.parts)) {
    const [counts, hashes] = [chunk.ints(0), chunk.halves(1)];
    const [chunkIds, chunkMillis, chunkStarts] = [chunk.texts(2), chunk.doubles(3), chunk.texts(4)];
    for (let row = 0; row < chunk.size; row++) {
      const id = chunkIds[row] ?? null;
      const millis = millisOf(chunkMillis[row] as number, chunkStarts[row] ?? null);
      const facts = shared(hashes, row) ?? null;
      if (id === null || id === '' || counts[row] === 0 || Number.isNaN(millis) || facts === null) return null;
      ids.push(id);
      starts.push(millis);
      sharedParts.push(facts);
      rows.push(counts[row] as number);
    }
  }
  return {
    length: ids.length,
    rows: (part) => rows[part] as number,
    facts: (part) => factsOf(sharedParts[part] as Shared, ids[part] as string, starts[part] ?? null),
  };
}

/** NaN for a text that is no time. */
function millisOf(millis: number, text: string | null): number | null {
  if (!Number.isNaN(millis)) return millis;
  return text === null ? null : Date.parse(text);
}

/** Member by member: a spread takes 3 us, a literal 30 ns. */
function factsOf(shared: Shared, id: string, startedMillis: number | null): RunFacts {
  return {
    id,
    status: shared.status,
    reason: shared.reason,
    check: shared.check,
    claim: shared.claim,
    labels: shared.labels,
    recordedUnder: shared.recordedUnder,
    totals: shared.totals,
    origin: shared.origin,
    startedMillis,
  };
}

/** What runs share, each read once, by the two halves of its hash; `null`: it is in no order. */
async function readRests(
  database: Database,
  sql: PlainSql,
  path: string,
  make: MakeRun,
): Promise<(halves: Int32Array, row: number) => Shared | null> {
  const rests = new Map<number, Map<number, Shared | null>>();
  const origin = { file: path, line: null };
  for await (const chunk of database.chunks(sql.rests)) {
    const halves = chunk.halves(0);
    for (const [row, rest] of chunk.texts(1).entries()) {
      const high = halves[row * 2 + 1] as number;
      const ofHigh = rests.get(high) ?? new Map<number, Shared | null>();
      rests.set(high, ofHigh.set(halves[row * 2] as number, sharedOf(rest as string, origin, make)));
    }
  }
  return (halves, row) => rests.get(halves[row * 2 + 1] as number)?.get(halves[row * 2] as number) ?? null;
}

function sharedOf(rest: string, origin: Place, make: MakeRun): Shared | null {
  try {
    const run = make({ ...membersOf(rest), id: 'run', passes: null }, origin);
    if ('kind' in run) return null;
    const { status, reason, check, claim, labels, recordedUnder, totals } = run;
    return { status, reason, check, claim, labels, recordedUnder, totals, origin };
  } catch (error) {
    if (error instanceof RowFault) return null;
    throw error;
  }
}
