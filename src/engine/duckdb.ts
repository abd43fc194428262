import { createRequire } from 'node:module';
import { type Bulk, type BulkType, createBulk } from './ask-duckdb/bulk.js';
import type { Bindings, Handle } from './bindings.js';
import { type Chunk, chunkOf } from './chunk.js';

/** The release of the client that the engine was tried with. */
export const CLIENT = '@duckdb/node-api@1.5.6-r.1';

/** A database that cannot answer: the client is not installed, or a file cannot be read or written by it. */
export class EngineError extends Error {
  readonly hint: string;
  /** The client is not installed: the command line is right, the machine lacks a part. */
  readonly isMissing: boolean;

  constructor(message: string, hint: string, isMissing = false) {
    super(message);
    this.hint = hint;
    this.isMissing = isMissing;
  }
}

/** A connection to a database: in memory, for the time of one question, or in a file. */
export interface Database {
  /** @throws EngineError */
  run(sql: string): Promise<void>;
  /**
   * The answer in pieces of up to 2048 rows, in order, made while they are fetched.
   *
   * @throws EngineError
   */
  chunks(sql: string): AsyncGenerator<Chunk>;
  /** Rows to be appended to a table. */
  appender(table: string): Appender;
  /** Rows to be appended to a table by the thousand. */
  bulk(table: string, types: readonly BulkType[]): Bulk;
  /** Another connection to the same database, on which something else can be under way. */
  connect(): Promise<Database>;
  /** Closes the connection; the one that opened the database closes that as well. */
  close(): void;
}

/** Appends rows to a table value by value. */
export interface Appender {
  text(value: string | null): void;
  number(value: number | null): void;
  flag(value: boolean | null): void;
  endRow(): void;
  /** Nothing can be appended afterwards. */
  close(): void;
}

/** How much of an answer lies ready: enough to keep all cores reading ahead, little beside what is kept. */
const READ_AHEAD = '16MB';

/**
 * Opens a database, in memory or the one of a file, by the Node client's own bindings: its classes take 90 ms more to load, and make an object a value.
 *
 * @throws EngineError where the client is not installed
 */
export async function openDatabase(path = ':memory:'): Promise<Database> {
  const bindings = loadBindings();
  const database = await told(() => bindings.open(path));
  const connection = await bindings.connect(database);
  const open = opened(bindings, database, connection, true);
  // Nothing is fetched from elsewhere because a file or a query seems to ask for it.
  await open.run('SET autoinstall_known_extensions = false');
  await open.run(`SET streaming_buffer_size = '${READ_AHEAD}'`);
  return open;
}

function loadBindings(): Bindings {
  const own = createRequire(import.meta.url);
  try {
    // The bindings are a part of the client, and need not lie where this package finds them.
    const client = createRequire(own.resolve('@duckdb/node-api'));
    return client('@duckdb/node-bindings') as Bindings;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'MODULE_NOT_FOUND';
    throw new EngineError(
      isMissing
        ? "Parquet, and --engine duckdb, take DuckDB's Node client, which is not installed"
        : `DuckDB's Node client cannot be loaded (${firstLine(message)})`,
      `npm install ${CLIENT} (with -g where capfit itself is installed so)`,
      true,
    );
  }
}

function opened(bindings: Bindings, database: Handle, connection: Handle, isFirst: boolean): Database {
  return {
    run: (sql) =>
      told(async () => {
        await bindings.query(connection, sql);
      }),
    async *chunks(sql) {
      const result = await told(async () => {
        const statement = await bindings.prepare(connection, sql);
        return bindings.execute_prepared_streaming(statement);
      });
      const fetch = (): Promise<Handle | null> => told(() => bindings.fetch_chunk(result));
      let next: Promise<Handle | null> | null = fetch();
      try {
        while (next !== null) {
          const handle: Handle | null = await next;
          const chunk: Chunk | null = handle === null ? null : chunkOf(bindings, handle);
          next = null;
          if (chunk === null || chunk.size === 0) return;
          next = fetch();
          // A fault is told where the piece is asked for, which may be long after.
          next.catch(() => undefined);
          yield chunk;
        }
      } finally {
        // Whoever gives the rest up does not hear of its faults, but nothing may be under way when the next is asked.
        await next?.catch(() => undefined);
      }
    },
    appender: (table) => appenderOf(bindings, bindings.appender_create(connection, null, table)),
    bulk: (table, types) => createBulk(bindings, bindings.appender_create(connection, null, table), types, toldNow),
    connect: async () => opened(bindings, database, await bindings.connect(database), false),
    close() {
      bindings.disconnect_sync(connection);
      if (isFirst) bindings.close_sync(database);
    },
  };
}

function appenderOf(bindings: Bindings, appender: Handle): Appender {
  const nothing = (): void => bindings.append_null(appender);
  return {
    text: (value) => (value === null ? nothing() : bindings.append_varchar(appender, value)),
    number: (value) => (value === null ? nothing() : bindings.append_double(appender, value)),
    flag: (value) => (value === null ? nothing() : bindings.append_bool(appender, value)),
    endRow: () => bindings.appender_end_row(appender),
    close: () => bindings.appender_close_sync(appender),
  };
}

/** The database's own errors as ours, without the query that they quote. */
async function told<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw faultOf(error);
  }
}

/** The same for what is answered at once. */
function toldNow<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): EngineError {
  return new EngineError(firstLine((error as Error).message), 'check the file');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}

/** A text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column's name as SQL writes it. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A file of exactly that name: what a pattern would take for a wildcard stands for itself. */
export function sqlFile(path: string): string {
  // An address on the web has no wildcards, and its question mark begins a query.
  return sqlText(/^https?:\/\//.test(path) ? path : path.replace(/[[*?]/g, '[$&]'));
}

/** All rows of a Parquet file as a table to select from; texts without a type mark are texts all the same. */
export function sqlTable(path: string): string {
  return `read_parquet(${sqlFile(path)}, file_row_number = true, binary_as_string = true, hive_partitioning = false)`;
}
