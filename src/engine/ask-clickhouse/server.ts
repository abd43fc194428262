import { EngineError } from '../duckdb.js';

/** Where the environment says that a server is, and how it lets one in. */
export interface Server {
  /** Scheme, host and port: nothing secret. */
  readonly url: string;
  readonly address: string;
  readonly isSecure: boolean;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** The file with the certificate of a private authority. */
  readonly caFile: string | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const PASSWORD_HINT = 'encode the password in the address, or give it as CLICKHOUSE_PASSWORD';
const URL_HINT = 'CAPFIT_CLICKHOUSE_URL=http://localhost:8123, or https:// and the port';

/**
 * The server that the environment names. The command line is seen by everybody on the machine: nothing is taken from it.
 *
 * @throws EngineError that never quotes the address as given, which may hold a password
 */
export function serverOf(env: Environment): Server {
  const given = nonEmpty(env.CAPFIT_CLICKHOUSE_URL) ?? nonEmpty(env.CLICKHOUSE_URL);
  if (given === null) throw new EngineError('no ClickHouse server is named', URL_HINT);
  if (isAmbiguous(given))
    throw new EngineError(
      'where the password ends in the address of the ClickHouse server is not clear',
      PASSWORD_HINT,
    );
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new EngineError('the address of the ClickHouse server is no http:// or https:// URL', URL_HINT);
  if (url.search !== '')
    throw new EngineError('the address of the ClickHouse server carries settings, which are not sent', URL_HINT);
  const isSecure = url.protocol === 'https:';
  return {
    url: url.origin,
    address: url.port === '' ? `${url.hostname}:${isSecure ? 443 : 80}` : url.host,
    isSecure,
    user: nonEmpty(env.CLICKHOUSE_USER) ?? nonEmpty(decoded(url.username)) ?? 'default',
    password: env.CLICKHOUSE_PASSWORD ?? decoded(url.password),
    database: nonEmpty(env.CLICKHOUSE_DATABASE) ?? nonEmpty(decoded(url.pathname.slice(1))) ?? 'default',
    caFile: nonEmpty(env.CLICKHOUSE_CA_CERT),
  };
}

/** A sign of an unencoded password makes the rest of it a host, a path or a fragment, which messages would tell. */
function isAmbiguous(address: string): boolean {
  const [, ...behindUsers] = address.split('@');
  const authority = address.replace(/^\s*[a-z]+:[/\\]*/i, '').split(/[/\\?#]/, 1)[0] ?? '';
  return address.includes('#') || behindUsers.length > 1 || (behindUsers.length === 1 && !authority.includes('@'));
}

/** All forms in which a password may stand in a message. */
export function secretsOf({ user, password }: Server): string[] {
  if (password === '') return [];
  return [Buffer.from(`${user}:${password}`).toString('base64'), password, encodeURIComponent(password)];
}

/** @throws EngineError where the file cannot be read */
export function authorityOf({ caFile }: Server, readFile: (path: string) => Buffer): Buffer | null {
  if (caFile === null) return null;
  try {
    return readFile(caFile);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new EngineError(`the certificate ${caFile} cannot be read (${code ?? message})`, 'check CLICKHOUSE_CA_CERT');
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nonEmpty(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
