import { EngineError } from '../duckdb.js';
import { BrokenAnswer } from './answer.js';
import { TABLE_HINT } from './columns.js';
import { tableParts } from './words.js';

/** What a message about a server may name, and what it must not. */
export interface Asking {
  /** `host:port`, without anything secret. */
  readonly address: string;
  readonly table: string;
  readonly user: string;
  /** What the server may take for a question. */
  readonly seconds: number;
  /** How long is waited for a server that says nothing. */
  readonly waited: number;
  readonly secrets: readonly string[];
}

const CONNECT_HINT = 'check CAPFIT_CLICKHOUSE_URL, and that the server is up';
/** What stands where other engines have files. */
export const TABLE_NAME_HINT =
  'with --engine clickhouse RUNS is a table or view, and database.table one of another database';
const LOGIN_HINT = 'check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD';
const AGAIN_HINT = 'no part of an answer was used; ask again, or ask the server why';

/** Any fault between here and the server as one of ours. */
export function faultOf(error: unknown, asking: Asking): EngineError {
  if (error instanceof EngineError) return error;
  const { message, hint } = described(error as NodeJS.ErrnoException, asking);
  return new EngineError(scrubbed(message, asking.secrets), hint);
}

interface Described {
  readonly message: string;
  readonly hint: string;
}

function described(error: NodeJS.ErrnoException, asking: Asking): Described {
  const told = error instanceof BrokenAnswer ? error.told : wholeMessage(error);
  if (told === null) return garbage(asking);
  const code = serverCode(error, told);
  return code === null ? clientFault(error, told, asking) : serverFault(code, plainText(told), asking);
}

/** Where every address of a host was tried, the message is empty and the faults stand beside it. */
function wholeMessage(error: NodeJS.ErrnoException & { readonly errors?: readonly Error[] }): string {
  return error.message !== '' ? error.message : (error.errors ?? []).map(({ message }) => message).join('; ');
}

/** The code of the server's own fault; what is told of another server within it has codes as well, but not the first. */
function serverCode(error: NodeJS.ErrnoException, told: string): number | null {
  const code = /^\s*Code: (\d+)/.exec(told)?.[1] ?? (/^\d+$/.test(error.code ?? '') ? error.code : undefined);
  return code === undefined ? null : Number(code);
}

/** One line, without what surrounds the words of the server. */
function plainText(told: string): string {
  const line = told.replace(/\s+/g, ' ').trim();
  const text = line.replace(/^Code: \d+[.,]? *(e\.displayText\(\) = )?/, '').replace(/, e\.what\(\) = .*$/, '');
  return text.replace(/ \(version [^)]*\)+$/, '').replace(/^DB::(\w*)Exception: /, '');
}

function clientFault(error: NodeJS.ErrnoException, told: string, asking: Asking): Described {
  const { code = '' } = error;
  const { address, waited } = asking;
  if (/^(CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/.test(code)) {
    return {
      message: `no trusted TLS connection to ClickHouse at ${address} (${code})`,
      hint: 'check the scheme and port of CAPFIT_CLICKHOUSE_URL; name a private authority in CLICKHOUSE_CA_CERT',
    };
  }
  if (code.startsWith('HPE_')) return garbage(asking);
  if (code === 'ECONNREFUSED') return { message: `no ClickHouse at ${address}: refused`, hint: CONNECT_HINT };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { message: `no ClickHouse at ${address}: the host is not known`, hint: CONNECT_HINT };
  if (code === 'ETIMEDOUT')
    return { message: `no ClickHouse at ${address}: the connection timed out`, hint: CONNECT_HINT };
  if (/timeout/i.test(told))
    return { message: `ClickHouse at ${address} did not answer within ${waited} s`, hint: CONNECT_HINT };
  if (code === 'ECONNRESET' || code === 'EPIPE' || /aborted|cut off|socket hang up|premature/i.test(told))
    return {
      message: `the connection to ClickHouse at ${address} broke before the answer was whole`,
      hint: AGAIN_HINT,
    };
  return { message: `ClickHouse at ${address} cannot be asked (${told.split('\n', 1)[0]})`, hint: CONNECT_HINT };
}

function garbage({ address }: Asking): Described {
  return {
    message: `what answers at ${address} is no ClickHouse over HTTP`,
    hint: 'CAPFIT_CLICKHOUSE_URL names the HTTP port, for instance http://localhost:8123',
  };
}

const LONGEST_TEXT = 200;

/** Codes that servers keep through all versions. */
function serverFault(code: number, text: string, asking: Asking): Described {
  const { address, table, user, seconds } = asking;
  switch (code) {
    case 192:
    case 193:
    case 194:
    case 516:
      return { message: `ClickHouse at ${address} does not let user ${user} in`, hint: LOGIN_HINT };
    case 60:
      return {
        message: `ClickHouse at ${address} has no table ${table} (${text})`,
        hint: `${TABLE_NAME_HINT}; ${TABLE_HINT}`,
      };
    case 81:
      return {
        message: `ClickHouse at ${address} has no such database (${text})`,
        hint: tableParts(table).database === null ? 'check CLICKHOUSE_DATABASE' : TABLE_NAME_HINT,
      };
    case 62:
      if (!/query size/i.test(text)) return remoteFault(code, text, asking);
      return {
        message: `ClickHouse reads no query that is so long (${text.slice(0, LONGEST_TEXT)})`,
        hint: "leave out fewer tools in the policy, or raise the user's max_query_size",
      };
    case 291:
    case 497:
      return {
        message: `user ${user} may not read ${table} (${text})`,
        hint: 'grant SELECT on the table to the user',
      };
    case 10:
    case 16:
    case 47:
      return { message: `${table} lacks a column: ${text}`, hint: TABLE_HINT };
    case 159:
      return {
        message: `ClickHouse gave the query up after ${seconds} s`,
        hint: 'allow it more time, or ask for fewer runs',
      };
    case 241:
      return {
        message: `ClickHouse has not enough memory for the query (${text})`,
        hint: "ask for fewer runs with --where, or raise the user's max_memory_usage",
      };
    case 394:
      return { message: `the query was killed on the server (${text})`, hint: AGAIN_HINT };
    default:
      return remoteFault(code, text, asking);
  }
}

/** Faults of the servers behind the one that is asked: no answer, a broken one, or none of the replicas can be had. */
const REMOTE: ReadonlySet<number> = new Set([3, 32, 99, 101, 198, 209, 210, 236, 279, 519]);

function remoteFault(code: number, text: string, { address }: Asking): Described {
  if (!REMOTE.has(code)) return { message: `ClickHouse at ${address}: ${text}`, hint: 'see the message of the server' };
  const shard = /([\w.-]+|\[[\w:]+\]):(\d{2,5})\b/.exec(text)?.[0];
  return {
    message: `a shard cannot be asked${shard === undefined ? '' : `: ${shard}`} (${text})`,
    hint: AGAIN_HINT,
  };
}

/** Nothing secret is told, whatever a message quotes. */
function scrubbed(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '***')), message);
}
