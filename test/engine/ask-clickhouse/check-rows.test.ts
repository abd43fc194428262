import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRows, rowFaultsSql } from '../../../src/engine/ask-clickhouse/check-rows.js';
import { openClickHouse } from '../../../src/engine/ask-clickhouse/link.js';
import { ROW_FAULTS } from '../../../src/engine/ask-clickhouse/row-faults.js';
import { chdbLink, chdbSession, closeChdb, hasChdb, NEEDS_CHDB, openChdbLink, passTableSql } from './chdb.js';
import { expectFaults, faultyRows, oddRows, type PassRow, sound } from './faulty-rows.js';
import { CONNECTIONS, fillServers, hasServer, NEEDS_SERVER, type Servers, startServers } from './servers.js';
import { faultOf } from './thrown.js';

const text = (rows: readonly PassRow[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const FILL = 'fill the table once: TRUNCATE it first; run ids must be unique in it';

it('every fault has a bit of 64', () => {
  expect(ROW_FAULTS.length).toBeLessThanOrEqual(64);
});

describe.skipIf(!hasServer)(`rows that cannot be, on two servers of 2018 (${NEEDS_SERVER})`, () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(2);
  }, 60_000);
  afterAll(() => servers.stop());

  async function filled(...fills: readonly (readonly PassRow[])[]): Promise<string> {
    const table = await fillServers([], servers);
    for (const rows of fills) await servers.command(`INSERT INTO ${table} FORMAT JSONEachRow\n${text(rows)}`);
    return table;
  }
  const open = (table: string) => openClickHouse({ table, env: servers.env(), ...CONNECTIONS });

  it('are all told, each with the smallest run id', async () => {
    const link = await open(await filled());
    await expectFaults((sql) => link.query(sql), await filled(faultyRows()));
    await link.close();
  }, 60_000);

  it('end it before anything is asked: a table that was filled twice', async () => {
    const rows = ['r2', 'r1', 'r3'].flatMap((id) => sound(id));
    const table = await filled(rows, rows);
    const { message, hint } = await faultOf(() => open(table));
    expect(message).toBe(`run "r1" has pass 1 twice in ${table} (3 runs like that)`);
    expect(hint).toBe(FILL);
  });

  it('are counted where there are many kinds of them', async () => {
    const { message } = await faultOf(async () => open(await filled(faultyRows())));
    expect(message).toMatch(/^run "" has no run_id in \w+; run .* twice .*; run .* twice .*; and \d+ other faults$/);
  });

  it('may look odd and be sound; no rows are sound as well', async () => {
    await (await open(await filled(oddRows()))).close();
    await (await open(await filled())).close();
  });
});

describe.skipIf(!hasChdb)(`rows that cannot be, on chDB (${NEEDS_CHDB})`, () => {
  afterAll(closeChdb);
  let tables = 0;

  function filled(rows: readonly PassRow[]): string {
    const table = `rows_${tables++}`;
    chdbSession().query(passTableSql(table));
    if (rows.length > 0) chdbSession().query(`INSERT INTO ${table} FORMAT JSONEachRow\n${text(rows)}`);
    return table;
  }
  const check = (table: string): Promise<void> => {
    const link = chdbLink(table);
    return checkRows((sql) => link.query(sql), table);
  };

  it('are all told, each with the smallest run id', async () => {
    const table = filled(faultyRows());
    const link = chdbLink(table);
    await expectFaults((sql) => link.query(sql), table);
    await expect(check(filled(oddRows()))).resolves.toBeUndefined();
    await expect(check(filled([]))).resolves.toBeUndefined();
  }, 60_000);

  it.each([
    ["arrayPushBack(`labels.name`, 'y') AS `labels.name`", 'has not as many labels.value as labels.name'],
    ['arrayPushBack(`calls.failed`, 0) AS `calls.failed`', 'has arrays of calls of unequal length'],
    ['toInt32(pass) - 1 - (pass = 1) AS pass', 'has a pass that is not numbered from 0'],
    ['nullIf(pass, 2) AS pass', 'has a pass that is not numbered from 0'],
    ['toNullable(toInt64(run_order)) - 1 AS run_order', 'has no run_order from 0 to 2^53'],
    ['toUInt64(18446744073709551615) AS input_tokens', 'has input_tokens above 2^53, which are not exact'],
    ["nullIf(run_id, 'r') AS run_id", 'has no run_id'],
  ])('a view: %s', async (changed, says) => {
    const table = filled(sound('r'));
    chdbSession().query(`CREATE VIEW view_${table} AS SELECT * REPLACE (${changed}) FROM ${table}`);
    await expect(check(`view_${table}`)).rejects.toThrow(`${says} in view_${table}`);
  });

  it('of other types of the same kind are read', async () => {
    const table = filled(sound('r'));
    const packed = ['run_id', 'status', 'verdict'].map((name) => `${name}::LowCardinality(String) AS ${name}`);
    const arrays = ['labels.name', 'labels.value'].map(
      (name) => `\`${name}\`::Array(LowCardinality(String)) AS \`${name}\``,
    );
    const others = ["nullIf(claim, '') AS claim", 'passes_recorded::Bool AS passes_recorded', 'toUInt8(1) AS steps'];
    const changed = [...packed, ...arrays, ...others].join(', ');
    chdbSession().query(`CREATE VIEW view_${table} AS SELECT * REPLACE (${changed}) FROM ${table}`);
    await expect(check(`view_${table}`)).resolves.toBeUndefined();
  });

  it('is one question', async () => {
    const link = await openChdbLink([]);
    expect(rowFaultsSql('t').match(/FROM `t`/g)).toHaveLength(1);
    await link.close();
  });
});
