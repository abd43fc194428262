import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** The embedded ClickHouse that the views are tried in, a copy of which may lie beside the installed packages. */
const HOME = join(import.meta.dirname, '../../../node_modules/.cache/chdb/node_modules/chdb');
const VIEWS = join(import.meta.dirname, '../../../sql/clickhouse');

/** Whether the embedded ClickHouse is there. */
export const hasChdb: boolean = existsSync(join(HOME, 'package.json'));
export const NEEDS_CHDB = 'skipped where no embedded ClickHouse (chdb) lies in node_modules/.cache/chdb';

interface Session {
  query(sql: string, format?: string): string;
  cleanup(): void;
}

/** Time for a query of a view: it takes seconds to be planned, more on a busy machine. */
export const PATIENCE = 120_000;

/** A database of its own, with tables and views as they are shipped. */
export interface Warehouse {
  run(sql: string): void;
  insert(table: string, rows: readonly object[]): void;
  select<Row>(sql: string): Row[];
}

/** A database with some tables and the views of shipped files, for one test file; it is opened when it is first asked. */
export function warehouseOf(tables: readonly string[], ...viewFiles: string[]): Warehouse {
  let opened: Session | null = null;
  const session = (): Session => {
    opened ??= open([...tables, ...viewFiles.map(viewSql)]);
    return opened;
  };
  afterAll(() => opened?.cleanup());
  const run = (sql: string): void => {
    session().query(sql);
  };
  return {
    run,
    insert: (table, rows) => {
      if (rows.length === 0) return;
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      run(`INSERT INTO ${table} SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${lines}`);
    },
    select: <Row>(sql: string) =>
      session()
        .query(`${sql} SETTINGS output_format_json_quote_64bit_integers = 0`, 'JSONEachRow')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row),
  };
}

function open(statements: readonly string[]): Session {
  const { Session } = createRequire(join(HOME, '/'))('chdb') as { Session: new () => Session };
  const session = new Session();
  for (const statement of ['CREATE DATABASE trial ENGINE = Atomic', 'USE trial', ...statements])
    session.query(statement);
  return session;
}

/** The text of a shipped view. */
export function viewSql(file: string): string {
  return readFileSync(join(VIEWS, file), 'utf8').replace(/;\s*$/, '');
}
