import type { Link, Row } from '../ask/dialect.js';
import { EngineError } from '../duckdb.js';
import { checkRows } from './check-rows.js';
import { checkColumns } from './columns.js';
import { clickHouseDialect } from './dialect.js';
import { type Asking, TABLE_NAME_HINT } from './faults.js';
import { type ConnectionAgent, type Progress, watchConnections } from './progress.js';
import { queryOf } from './query.js';
import { authorityOf, type Environment, type Server, secretsOf, serverOf } from './server.js';
import { agreedSettings } from './settings.js';
import { tableParts, tableSql } from './words.js';

/** The release of the client that the engine was tried with. */
export const CLICKHOUSE_CLIENT = '@clickhouse/client@1.23.1';

/** What is asked, and how long at most. */
export interface ClickHouseOptions {
  /** `table` or `database.table`: a pass table, or a view with its columns. */
  readonly table: string;
  /** Where the server is and how it lets one in. */
  readonly env: Environment;
  /** Reads the certificate that the environment names. */
  readonly readFile: (path: string) => Buffer;
  /** Makes the connections, and should keep none: servers close an idle one after some seconds. */
  readonly agentOf: (over: Pick<Server, 'isSecure'> & { readonly ca: Buffer | null }) => ConnectionAgent;
  /** A question that takes longer is given up by the server. */
  readonly maxSeconds?: number;
  /** Told while a question is asked, where the server tells: those of 2018 do not. */
  readonly onProgress?: (progress: Progress) => void;
  /** Gives up what is asked: here, and on the server. Servers before 2019 do not see that nobody listens any more. */
  readonly signal?: AbortSignal;
}

const MAX_SECONDS = 600;
/** The server gives up first and says so; this ends the wait for one that says nothing. */
const PATIENCE = 3;
/** A head with a line of progress a second for an hour. */
const LONGEST_HEAD = 2 ** 20;

/**
 * Opens a pass table on a ClickHouse server by the official client, and looks whether it has what questions need
 * and whether what it holds can be. Nothing is written there: questions are asked read-only.
 *
 * @throws EngineError
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<Link> {
  const seconds = options.maxSeconds ?? MAX_SECONDS;
  checkName(options.table);
  const server = serverOf(options.env);
  const { onProgress } = options;
  const agent = options.agentOf({ isSecure: server.isSecure, ca: authorityOf(server, options.readFile) });
  const { createClient, ClickHouseLogLevel } = await loadClient();
  const client = createClient({
    url: server.url,
    username: server.user,
    password: server.password,
    database: server.database,
    application: 'capfit',
    request_timeout: (seconds + PATIENCE) * 1000,
    http_agent: onProgress === undefined ? agent : watchConnections(agent, onProgress),
    max_response_headers_size: LONGEST_HEAD,
    // What it logs has the query and the address in it.
    log: { level: ClickHouseLogLevel.OFF },
  });
  const asking = { ...namedOf(server), table: options.table, seconds, waited: seconds + PATIENCE };
  try {
    const query = queryOf(client, asking, options.signal);
    const settings = await agreedSettings(query, seconds);
    const described = await collected(query(`DESCRIBE TABLE ${tableSql(options.table)}`, settings));
    checkColumns(options.table, described);
    await checkRows((sql) => query(sql, settings), options.table);
    return {
      dialect: clickHouseDialect(options.table),
      query: (sql) => query(sql, settings),
      // Nothing may be written, so that what is asked again is counted again.
      keep: async (sql) => ({ relation: `(${sql})`, release: async () => undefined }),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** @throws EngineError where the name, or a part of it, is empty */
function checkName(table: string): void {
  const { database, name } = tableParts(table);
  if (name !== '' && database !== '') return;
  const given = table === '' ? 'no table is named' : `${JSON.stringify(table)} names no table`;
  throw new EngineError(given, TABLE_NAME_HINT);
}

async function collected(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function namedOf(server: Server): Pick<Asking, 'address' | 'user' | 'secrets'> {
  return { address: server.address, user: server.user, secrets: secretsOf(server) };
}

async function loadClient(): Promise<typeof import('@clickhouse/client')> {
  try {
    return await import('@clickhouse/client');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new EngineError(
      code === 'ERR_MODULE_NOT_FOUND'
        ? 'ClickHouse is asked by its own client, which is not installed'
        : `the client of ClickHouse cannot be loaded (${message.split('\n', 1)[0]})`,
      `npm install ${CLICKHOUSE_CLIENT} (with -g where capfit itself is installed so)`,
      true,
    );
  }
}
