import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Link } from '../../../src/engine/ask/dialect.js';
import { type ClickHouseOptions, openClickHouse } from '../../../src/engine/ask-clickhouse/link.js';
import type { Run } from '../../../src/model/run.js';
import { passTableSql, rowsText } from './chdb.js';

/* Real servers on this machine: processes of our own on free ports, with folders that go with them. */

/** Whether a ClickHouse server is installed: what needs one is skipped where it is not. */
export const hasServer: boolean = isInstalled();
export const NEEDS_SERVER = 'skipped where clickhouse-server is not installed';

function isInstalled(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v clickhouse-server'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Who may ask: `reader` as most would be, `strict` who may change no setting, `small` with little memory. */
export const PASSWORD = "pass:w'rd @/%?&";
const USERS = { reader: 'readers', strict: 'strict', small: 'small' };

export interface Server {
  readonly port: number;
  readonly tcpPort: number;
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>;
}

export interface Servers {
  readonly all: readonly Server[];
  /** The answer of one server to its own administrator. */
  command(sql: string, index?: number): Promise<string>;
  /** What the environment of a command names for `reader`, and for other users. */
  env(user?: string): Record<string, string>;
  stop(): Promise<void>;
}

/** Servers that know each other as the shards of one cluster, `capfit`. */
export async function startServers(count: number): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-clickhouse-'));
  const ports = await freePorts(2 * count);
  const tcpPorts = ports.slice(count);
  const children = Array.from({ length: count }, (_, index) =>
    start(join(folder, String(index)), ports[index]!, tcpPorts),
  );
  // Whoever is ended before it stops them leaves none behind.
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  const command = async (sql: string, index = 0): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${ports[index]}/?insert_distributed_sync=1`, {
      method: 'POST',
      body: sql,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trim();
  };
  const all = children.map((child, index) => ({
    port: ports[index]!,
    tcpPort: tcpPorts[index]!,
    kill: () => ended(child, 'SIGKILL'),
  }));
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => ended(child, 'SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const index of all.keys()) await untilUp(() => command('SELECT 1', index));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    all,
    command,
    stop,
    env: (user = 'reader') => ({
      CAPFIT_CLICKHOUSE_URL: `http://127.0.0.1:${ports[0]}`,
      CLICKHOUSE_USER: user,
      CLICKHOUSE_PASSWORD: PASSWORD,
    }),
  };
}

function start(folder: string, port: number, tcpPorts: readonly number[]): ChildProcess {
  mkdirSync(folder);
  const shards = tcpPorts.map((each) => `<shard><replica><host>127.0.0.1</host><port>${each}</port></replica></shard>`);
  const own = tcpPorts[folder.endsWith('0') ? 0 : Number(folder.slice(-1))];
  const config = `<yandex><logger><level>fatal</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
<http_port>${port}</http_port><tcp_port>${own}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${folder}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>10000000</mark_cache_size><remote_servers><capfit>${shards.join('')}</capfit></remote_servers></yandex>`;
  writeFileSync(join(folder, 'config.xml'), config);
  writeFileSync(join(folder, 'users.xml'), usersXml());
  return spawn('clickhouse-server', [`--config-file=${folder}/config.xml`], { stdio: 'ignore' });
}

function usersXml(): string {
  const local = '<networks><ip>127.0.0.1</ip></networks><quota>default</quota>';
  const password = PASSWORD.replaceAll('&', '&amp;');
  const users = Object.entries(USERS).map(
    ([user, profile]) => `<${user}><password>${password}</password>${local}<profile>${profile}</profile></${user}>`,
  );
  const profiles = `<default/><readers/><strict><readonly>1</readonly></strict><small><max_memory_usage>1000000</max_memory_usage></small>`;
  return `<yandex><profiles>${profiles}</profiles><users><default><password></password>${local}<profile>default</profile></default>
${users.join('')}</users><quotas><default/></quotas></yandex>`;
}

async function untilUp(ask: () => Promise<string>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await ask();
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await setTimeout(100);
    }
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

let tables = 0;

/** Fills a table that lies on all servers, each run on one of them. @returns its name on the first server */
export async function fillServers(runs: readonly Run[], servers: Servers): Promise<string> {
  const table = `passes_${tables++}`;
  for (const index of servers.all.keys()) await servers.command(passTableSql(`${table}_local`), index);
  const sharded = `Distributed(capfit, default, ${table}_local, cityHash64(run_id))`;
  await servers.command(passTableSql(table, sharded));
  const rows = rowsText(runs);
  if (rows !== '') await servers.command(`INSERT INTO ${table} FORMAT JSONEachRow\n${rows}`);
  return table;
}

/** What a command hands in beside the table and the environment. */
export const CONNECTIONS: Pick<ClickHouseOptions, 'readFile' | 'agentOf'> = {
  readFile: (path) => readFileSync(path),
  agentOf: ({ isSecure, ca }) =>
    isSecure
      ? new HttpsAgent({ keepAlive: false, ...(ca === null ? {} : { ca }) })
      : new HttpAgent({ keepAlive: false }),
};

/** The runs on all servers, asked through the first one by the official client. */
export async function openServerLink(
  runs: readonly Run[],
  servers: Servers,
  options: Partial<ClickHouseOptions> = {},
): Promise<Link> {
  const table = await fillServers(runs, servers);
  return openClickHouse({ table, env: servers.env(), ...CONNECTIONS, ...options });
}
