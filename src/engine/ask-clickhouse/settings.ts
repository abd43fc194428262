import type { Row } from '../ask/dialect.js';
import { EngineError } from '../duckdb.js';

/** Settings of a query as the client sends them. */
export type Settings = Readonly<Record<string, string | number>>;

/** Asks with the settings given. */
export type Query = (sql: string, settings: Settings) => AsyncGenerator<Row>;

/** Not settings but parameters of the request: every user may send them. The server sends nothing before it has all. */
const REQUEST: Settings = { wait_end_of_query: 1 };

/** Read-only, and yet free to choose the settings beside it. */
const READ_ONLY: Settings = { readonly: 2 };

/** A shard that cannot be asked is a fault: half an answer looks like a whole one. */
const WHOLE: Settings = { skip_unavailable_shards: 0 };

const PROGRESS: Settings = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: 1000 };

/** Servers since 2019: whoever leaves does not leave the query running. */
const YOUNGER: Settings = { cancel_http_readonly_queries_on_client_close: 1 };

/** In which order settings are given up that a server does not know or a user may not send. */
function attempts(seconds: number): Settings[] {
  const most = { ...WHOLE, max_execution_time: seconds, ...PROGRESS };
  return [
    { ...REQUEST, ...READ_ONLY, ...most, ...YOUNGER },
    { ...REQUEST, ...READ_ONLY, ...most },
    { ...REQUEST, ...most, ...YOUNGER },
    { ...REQUEST, ...most },
    REQUEST,
  ];
}

/** Bytes of a query from which servers may have to be told that it is long: by itself they read 256 KB. */
const LONG_QUERY = 128 * 1024;

/** Settings of one query, beside those agreed upon: lists of tools that a policy leaves out may be long. */
export function settingsFor(query: string, agreed: Settings): Settings {
  const bytes = Buffer.byteLength(query);
  const maySet = 'max_execution_time' in agreed;
  // A server asks others of its cluster in more words than it was asked itself.
  return bytes < LONG_QUERY || !maySet ? agreed : { ...agreed, max_query_size: 4 * bytes };
}

/** What a server says of settings: unknown, or not to be changed by a user who only reads. */
const UNKNOWN_SETTING = /unknown setting|setting .* is neither/i;
const MAY_NOT_SET = /readonly mode|should not be changed/i;

/**
 * The most that this server and user take. A user who may change nothing reads only as it is; then the server's own
 * settings must do.
 *
 * @throws EngineError
 */
export async function agreedSettings(query: Query, seconds: number): Promise<Settings> {
  for (const settings of attempts(seconds)) {
    const refused = await tried(query, settings);
    if (refused !== null) continue;
    if (settings === REQUEST) await checkWhole(query);
    return settings;
  }
  // The last attempt sends nothing that could be refused.
  throw new EngineError('ClickHouse takes none of the settings', 'ask the server why');
}

async function tried(query: Query, settings: Settings): Promise<EngineError | null> {
  try {
    for await (const _ of query('SELECT 1', settings));
    return null;
  } catch (error) {
    const fault = error as EngineError;
    const isOfSettings = UNKNOWN_SETTING.test(fault.message) || MAY_NOT_SET.test(fault.message);
    if (!isOfSettings || settings === REQUEST) throw fault;
    return fault;
  }
}

async function checkWhole(query: Query): Promise<void> {
  const sql = "SELECT value FROM system.settings WHERE name = 'skip_unavailable_shards'";
  for await (const [value] of query(sql, REQUEST)) {
    if (value === '0' || value === 'false') continue;
    throw new EngineError(
      'the user is read-only, and answers would silently lack shards that are down',
      'set skip_unavailable_shards to 0 for the user, or readonly to 2',
    );
  }
}
