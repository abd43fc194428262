import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../../src/engine/ask/dialect.js';
import { type ClickHouseOptions, openClickHouse } from '../../../src/engine/ask-clickhouse/link.js';
import type { Run } from '../../../src/model/run.js';
import { passes, run } from '../../builders.js';
import { CONNECTIONS, fillServers, hasServer, NEEDS_SERVER, PASSWORD, type Servers, startServers } from './servers.js';
import { faultOf } from './thrown.js';

const RUNS: Run[] = Array.from({ length: 40 }, (_, index) => run({ id: `r${index}`, passes: passes(3) }, index + 1));

describe.skipIf(!hasServer)(`faults of real servers (${NEEDS_SERVER})`, () => {
  let servers: Servers;
  let table: string;
  beforeAll(async () => {
    servers = await startServers(2);
    table = await fillServers(RUNS, servers);
  }, 100_000);
  afterAll(() => servers.stop());

  const open = (options: Partial<ClickHouseOptions> = {}) =>
    openClickHouse({ table, env: servers.env(), ...CONNECTIONS, ...options });
  // A row a block: servers let no block sleep for long.
  const slow = (): string => `SELECT count(), sum(sleepEachRow(0.1)) FROM ${table} SETTINGS max_block_size = 1`;

  it('a server that is down, or a host that is not there', async () => {
    const env = (url: string) => ({ ...servers.env(), CAPFIT_CLICKHOUSE_URL: url });
    const refused = await faultOf(() => open({ env: env('http://127.0.0.1:9') }));
    expect(refused.message).toBe('no ClickHouse at 127.0.0.1:9: refused');
    const unknown = await faultOf(() => open({ env: env('http://no-such-host.invalid:8123') }));
    expect(unknown.message).toContain('no-such-host.invalid:8123');
  });

  it('a wrong password, also one that stands in the address', async () => {
    const { CLICKHOUSE_PASSWORD: _, ...env } = servers.env();
    const address = env.CAPFIT_CLICKHOUSE_URL!.replace('//', '//reader:wrong-secret@');
    for (const wrong of [
      { ...env, CLICKHOUSE_PASSWORD: 'wrong-secret' },
      { ...env, CAPFIT_CLICKHOUSE_URL: address },
    ]) {
      const { message, hint } = await faultOf(() => open({ env: wrong }));
      expect(message).toMatch(/does not let user reader in/);
      expect(hint).toContain('CLICKHOUSE_PASSWORD');
    }
    const inside = env.CAPFIT_CLICKHOUSE_URL!.replace('//', `//reader:${encodeURIComponent(PASSWORD)}@`);
    const link = await open({ env: { CAPFIT_CLICKHOUSE_URL: inside } });
    await link.close();
  });

  it('an address that is none is not quoted', async () => {
    for (const url of [
      'wrong-secret@host',
      'tcp://u:wrong-secret@host:9000',
      'http://host:8123/?password=wrong-secret',
    ])
      await faultOf(() => open({ env: { CAPFIT_CLICKHOUSE_URL: url } }));
    // Where a password is not encoded, a piece of it would be the host or the port.
    for (const url of [
      'http://as:SEC@wrong-secret#x@127.0.0.1:9',
      'http://as:SEC@wrong-secret@127.0.0.1:9',
      'http://wrong-secret:12/3@127.0.0.1:9',
      'http://wrong-secret:12\\3@127.0.0.1:9',
      'http://wrong-secret?3@127.0.0.1:9',
      'http://127.0.0.1:9/#wrong-secret',
    ]) {
      const { message, hint } = await faultOf(() => open({ env: { CAPFIT_CLICKHOUSE_URL: url } }));
      expect(message).toBe('where the password ends in the address of the ClickHouse server is not clear');
      expect(hint).toBe('encode the password in the address, or give it as CLICKHOUSE_PASSWORD');
    }
    expect((await faultOf(() => open({ env: {} }))).message).toBe('no ClickHouse server is named');
  });

  it('a table or database that is not there', async () => {
    const { message, hint } = await faultOf(() => open({ table: 'no`such' }));
    expect(message).toContain('has no table no`such');
    expect(hint).toContain('sql/clickhouse/pass-table.sql');
    expect((await faultOf(() => open({ table: 'nowhere.passes' }))).message).toMatch(/database|table/);
    const env = { ...servers.env(), CLICKHOUSE_DATABASE: 'nowhere' };
    expect((await faultOf(() => open({ env }))).message).toMatch(/nowhere/);
  });

  it('files, or nothing, in the place of a table', async () => {
    for (const table of ['runs.jsonl', 'dir/runs', './runs/all.jsonl', '', '.', 'default.', '.t']) {
      const { hint } = await faultOf(() => open({ table }));
      expect(hint, table).toContain(
        'with --engine clickhouse RUNS is a table or view, and database.table one of another',
      );
    }
    expect((await faultOf(() => open({ table: '' }))).message).toBe('no table is named');
    expect((await faultOf(() => open({ table: 'default.' }))).message).toBe('"default." names no table');
  });

  it('a table that lacks columns or has others, all at once', async () => {
    await servers.command('CREATE TABLE odd (run_id String, pass Float64, `labels.name` Array(UInt8)) ENGINE = Log');
    const { message, hint } = await faultOf(() => open({ table: 'odd' }));
    expect(message).toContain('odd is no pass table: no run_order UInt64, status String');
    expect(message).toContain(
      'pass is Float64, not UInt32; labels.name is Array(UInt8), not Array(String)'.split('; ')[0],
    );
    expect(message).toContain('labels.name is Array(UInt8), not Array(String)');
    expect(hint).toContain('sql/clickhouse/pass-table.sql');
    const asked = await faultOf(() => open(), `SELECT nonesuch FROM ${table}`);
    expect(asked.message).toContain('nonesuch');
  });

  it('views with columns of other types of the same kind do', async () => {
    const sql = `CREATE VIEW seen AS SELECT *, run_id AS also FROM ${table}`;
    await servers.command(sql);
    const link = await open({ table: 'default.seen' });
    const rows: Row[] = [];
    for await (const row of link.query(
      `SELECT COUNT(*) FROM (${link.dialect.runs({ by: [], where: [], calls: true })})`,
    ))
      rows.push(row);
    await link.close();
    expect(rows).toEqual([['40']]);
  });

  it('a user who may set nothing is asked all the same; nobody can write', async () => {
    const link = await open({ env: servers.env('strict') });
    await link.close();
    const { message } = await faultOf(() => open(), `CREATE TABLE written (a UInt8) ENGINE = Log --`);
    expect(message).toMatch(/readonly/);
  });

  it('a query longer than the user may send', async () => {
    const sql = `SELECT count() FROM ${table} WHERE run_id IN ('${'x'.repeat(300_000)}')`;
    const { message, hint } = await faultOf(() => open({ env: servers.env('strict') }), sql);
    expect(message).toContain('ClickHouse reads no query that is so long');
    expect(hint).toContain('max_query_size');
    expect(message.length).toBeLessThan(400);
    const link = await open();
    const rows: Row[] = [];
    for await (const row of link.query(sql)) rows.push(row);
    await link.close();
    expect(rows).toEqual([['0']]);
  });

  it('a query that is killed', async () => {
    const killed = faultOf(() => open(), slow());
    await setTimeout(1500);
    await servers.command(`KILL QUERY WHERE user = 'reader' ASYNC`);
    const { message, rows } = await killed;
    expect(message).toMatch(/killed|cancelled/i);
    expect(rows).toEqual([]);
  });

  it('a query that takes too long', async () => {
    const { message, hint, rows } = await faultOf(() => open({ maxSeconds: 1 }), slow());
    expect(message).toBe('ClickHouse gave the query up after 1 s');
    expect(hint).toContain('more time');
    expect(rows).toEqual([]);
  });

  it('a query that needs more memory than the user has', async () => {
    const sql = 'SELECT groupArray(toString(number)) FROM numbers(10000000)';
    const { message, hint } = await faultOf(() => open({ env: servers.env('small') }), sql);
    expect(message).toContain('not enough memory');
    expect(hint).toContain('max_memory_usage');
  });

  it('a fault in the middle of an answer leaves no part of it', async () => {
    const sql =
      'SELECT throwIf(number = 900000), toString(number) FROM (SELECT number FROM system.numbers LIMIT 1000000)';
    const { rows } = await faultOf(() => open(), sql);
    expect(rows).toEqual([]);
  });

  it('one shard that dies in the middle of a query, and then is gone', async () => {
    const dying = faultOf(() => open(), slow());
    await setTimeout(1500);
    const gone = servers.all[1]!;
    await gone.kill();
    const first = await dying;
    expect(first.rows).toEqual([]);
    expect(first.message).toContain(`127.0.0.1:${gone.tcpPort}`);
    const second = await faultOf(() => open(), `SELECT count() FROM ${table}`);
    expect(second.message).toContain(`127.0.0.1:${gone.tcpPort}`);
    expect(second.rows).toEqual([]);
  }, 60_000);
});
