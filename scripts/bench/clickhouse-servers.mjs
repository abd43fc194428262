import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

/* Real ClickHouse servers on this machine: processes of our own on free ports, with folders that go with them. */

const PASS_TABLE = join(import.meta.dirname, '../../sql/clickhouse/pass-table.sql');
const READER = { user: 'reader', password: 'bench' };
const LONGEST_START = 30_000;
const LONGEST_MERGE = 300_000;

/** The program, also where the path of a user lacks the folder; `null` where it is not installed. */
export function serverProgram() {
  for (const program of ['clickhouse-server', '/usr/sbin/clickhouse-server']) {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
      return program;
    } catch {}
  }
  return null;
}

/**
 * Starts servers that know each other as the shards of one cluster, `capfit`.
 *
 * @param {{ count: number, settings?: Readonly<Record<string, string | number>> }} options settings of every query
 */
export async function startServers({ count, settings = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-clickhouse-'));
  const ports = await freePorts(2 * count);
  const tcpPorts = ports.slice(count);
  const children = tcpPorts.map((_, index) =>
    start(join(folder, String(index)), index, ports[index], tcpPorts, settings),
  );
  const kill = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Whoever is ended before it stops them leaves none behind.
  process.once('exit', kill);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  const command = (sql, index = 0) => send(ports[index], '', Readable.from([sql]));
  const stop = async () => {
    await Promise.all(children.map(ended));
    kill();
    process.off('exit', kill);
  };
  try {
    for (const [index, child] of children.entries()) await untilUp(child, () => command('SELECT 1', index));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pids: children.map(({ pid }) => pid),
    command,
    stop,
    /** Sends rows as JSONEachRow while they come. */
    insert: (table, rows) => send(ports[0], `INSERT INTO ${table} FORMAT JSONEachRow`, rows),
    env: {
      CAPFIT_CLICKHOUSE_URL: `http://127.0.0.1:${ports[0]}`,
      CLICKHOUSE_USER: READER.user,
      CLICKHOUSE_PASSWORD: READER.password,
    },
  };
}

/** The statement that makes a pass table of that name, as it is told to users. */
export function passTableSql(table, engine) {
  const sql = readFileSync(PASS_TABLE, 'utf8').replace('capfit_passes', table);
  return engine === undefined ? sql : sql.replace(/ENGINE = .*/s, `ENGINE = ${engine}`);
}

/** Makes a table that lies on the first server alone. */
export function createTable(servers, table) {
  return servers.command(passTableSql(table));
}

/** Makes a table that lies on all servers, each run on one of them. */
export async function createSharded(servers, table) {
  for (const index of servers.pids.keys()) await servers.command(passTableSql(`${table}_local`), index);
  const engine = `Distributed(capfit, default, ${table}_local, cityHash64(run_id))`;
  await servers.command(passTableSql(table, engine));
}

/** Waits until no server merges parts, as they do for a while after rows came. */
export async function untilMerged(servers) {
  const until = Date.now() + LONGEST_MERGE;
  for (const index of servers.pids.keys()) {
    while ((await servers.command('SELECT count() FROM system.merges', index)) !== '0') {
      if (Date.now() > until) throw new Error('the server still merges parts');
      await setTimeout(500);
    }
  }
}

/** Rows, bytes on disk, bytes before packing, and parts of a table, on all servers together. */
export async function sizeOf(servers, table) {
  const total = { rows: 0, bytes: 0, unpacked: 0, parts: 0 };
  const sql = `SELECT sum(rows), sum(bytes_on_disk), sum(data_uncompressed_bytes), count() FROM system.parts
    WHERE active AND database = 'default' AND table IN ('${table}', '${table}_local')`;
  for (const index of servers.pids.keys()) {
    const [rows, bytes, unpacked, parts] = (await servers.command(sql, index)).split('\t').map(Number);
    total.rows += rows;
    total.bytes += bytes;
    total.unpacked += unpacked;
    total.parts += parts;
  }
  return total;
}

/** What was asked of the first server since a time in seconds, the longest queries first by their median time. */
export async function slowestQueries(servers, since, most) {
  await servers.command('SYSTEM FLUSH LOGS');
  const text = await servers.command(`SELECT query, median(query_duration_ms) AS duration, max(memory_usage) AS memory,
    max(read_rows) AS rows, max(result_rows) AS answered
    FROM system.query_log WHERE type > 1 AND user = '${READER.user}' AND is_initial_query = 1
    AND toUInt32(query_start_time) >= ${Math.floor(since)}
    GROUP BY query ORDER BY duration DESC LIMIT ${most} FORMAT JSON`);
  return JSON.parse(text).data.map(({ query, duration, memory, rows, answered }) => ({
    query: query.replace(/\s+/g, ' '),
    seconds: duration / 1000,
    memory: Number(memory) / 2 ** 20,
    rows: Number(rows),
    answered: Number(answered),
  }));
}

/** Starts to count the most memory of a process anew; only whose process it is may do so. */
export function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The most memory of a process in MB since then. */
export function peakOf(pid) {
  const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** The CPU seconds of a process so far. */
export function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program comes in brackets and may have spaces; the times are the 14th and 15th fields.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / TICKS;
}

/** Linux tells times in hundredths of a second to everyone. */
const TICKS = 100;

function start(folder, index, port, tcpPorts, settings) {
  mkdirSync(folder);
  const shards = tcpPorts.map((each) => `<shard><replica><host>127.0.0.1</host><port>${each}</port></replica></shard>`);
  const config = `<yandex><logger><level>fatal</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
<http_port>${port}</http_port><tcp_port>${tcpPorts[index]}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${folder}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>10000000</mark_cache_size><remote_servers><capfit>${shards.join('')}</capfit></remote_servers>
<query_log><database>system</database><table>query_log</table>
<flush_interval_milliseconds>1000</flush_interval_milliseconds></query_log></yandex>`;
  writeFileSync(join(folder, 'config.xml'), config);
  writeFileSync(join(folder, 'users.xml'), usersXml(settings));
  return spawn(serverProgram(), [`--config-file=${folder}/config.xml`], { stdio: 'ignore' });
}

function usersXml(settings) {
  const local = '<networks><ip>127.0.0.1</ip></networks><quota>default</quota><profile>default</profile>';
  const chosen = Object.entries({ log_queries: 1, ...settings }).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<yandex><profiles><default>${chosen.join('')}</default></profiles><users>
<default><password></password>${local}</default>
<${READER.user}><password>${READER.password}</password>${local}</${READER.user}>
</users><quotas><default/></quotas></yandex>`;
}

/** Not by fetch, which waits five minutes for an answer at most. */
async function send(port, query, body) {
  const path = `/?insert_distributed_sync=1${query === '' ? '' : `&query=${encodeURIComponent(query)}`}`;
  // A connection of its own each: servers close an idle one after some seconds.
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', agent: false });
  const answer = new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
  });
  const [response] = await Promise.all([answer, pipeline(body, asked)]);
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  if (response.statusCode !== 200) throw new Error(text.trim());
  return text.trim();
}

async function untilUp(child, ask) {
  const until = Date.now() + LONGEST_START;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > until) throw error;
      await setTimeout(100);
    }
  }
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGKILL');
  });
}

async function freePorts(count) {
  const held = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = held.map((server) => server.address().port);
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
