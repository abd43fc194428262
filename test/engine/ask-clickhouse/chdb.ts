import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Link, Row } from '../../../src/engine/ask/dialect.js';
import { rowsOfAnswer } from '../../../src/engine/ask-clickhouse/answer.js';
import { clickHouseDialect } from '../../../src/engine/ask-clickhouse/dialect.js';
import { passLines } from '../../../src/engine/ask-clickhouse/rows.js';
import { digestOf } from '../../../src/formats/csv/digest.js';
import type { Run } from '../../../src/model/run.js';

/* ClickHouse of today inside this process, asked the same texts as a server. */

interface Session {
  query(sql: string, format?: string): string;
  cleanup(): void;
}

interface Chdb {
  readonly Session: new () => Session;
  version?(): string;
}

const FOLDER = new URL('../../../node_modules/.cache/chdb/', import.meta.url);

function loadChdb(): Chdb | null {
  try {
    return createRequire(FOLDER)('chdb') as Chdb;
  } catch {
    return null;
  }
}

const chdb = loadChdb();

/** Whether chDB is there: it is no dependency, and what needs it is skipped where it is not installed. */
export const hasChdb: boolean = chdb !== null;
export const NEEDS_CHDB = 'skipped where chDB is not installed (node scripts/chdb.mjs)';

let session: Session | null = null;
let tables = 0;

/** The one session of this process, in a folder of its own that goes with it. */
export function chdbSession(): Session {
  if (chdb === null) throw new Error(NEEDS_CHDB);
  session ??= new chdb.Session();
  return session;
}

/** Ends the session; another one may be opened. */
export function closeChdb(): void {
  session?.cleanup();
  session = null;
}

/** The statement that makes a pass table, as it is told to users, for a table of that name. */
export function passTableSql(table: string, engine?: string): string {
  const sql = readFileSync(new URL('../../../sql/clickhouse/pass-table.sql', import.meta.url), 'utf8');
  const named = sql.replace('capfit_passes', table);
  return engine === undefined ? named : named.replace(/ENGINE = .*/s, `ENGINE = ${engine}`);
}

/** Rows of the pass table as text to insert. */
export function rowsText(runs: readonly Run[]): string {
  return runs.flatMap((run, order) => passLines(run, order, digestOf)).join('\n');
}

/**
 * The runs in a table of their own, asked in this process.
 *
 * @param viewOf the statement that makes a view of the table, to be asked in its stead
 */
export async function openChdbLink(
  runs: readonly Run[],
  viewOf: ((table: string) => string) | null = null,
): Promise<Link> {
  const { query } = bound(chdbSession());
  const table = `capfit_passes_${tables++}`;
  query(passTableSql(table));
  const rows = rowsText(runs);
  if (rows !== '') query(`INSERT INTO ${table} FORMAT JSONEachRow\n${rows}`);
  const view = viewOf?.(table);
  if (view !== undefined) query(view);
  return chdbLink(/^CREATE VIEW (\w+)/.exec(view ?? '')?.[1] ?? table, () => query(`DROP TABLE ${table}`));
}

/** Asks whatever table or view the session has. */
export function chdbLink(table: string, closed: () => void = () => undefined): Link {
  const { query } = bound(chdbSession());
  return {
    dialect: clickHouseDialect(table),
    async *query(sql): AsyncIterable<Row> {
      yield* rowsOfAnswer(bytesOf(query(sql, 'JSONCompact')));
    },
    keep: async (sql) => ({ relation: `(${sql})`, release: async () => undefined }),
    close: async () => closed(),
  };
}

function bound(of: Session): Pick<Session, 'query'> {
  return { query: (sql, format) => of.query(sql, format) };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
