import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClickHouse } from '../../../src/engine/ask-clickhouse/link.js';
import type { Run } from '../../../src/model/run.js';
import { passes, run } from '../../builders.js';
import { CONNECTIONS, fillServers, hasServer, NEEDS_SERVER, type Servers, startServers } from './servers.js';
import { faultOf } from './thrown.js';

const RUNS: Run[] = Array.from({ length: 40 }, (_, index) => run({ id: `r${index}`, passes: passes(3) }, index + 1));
/** Within node_modules, so that packages are found from there. */
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/capfit-asks-long');

describe.skipIf(!hasServer)(`questions that are given up (${NEEDS_SERVER})`, () => {
  let servers: Servers;
  let table: string;
  beforeAll(async () => {
    servers = await startServers(2);
    table = await fillServers(RUNS, servers);
  }, 60_000);
  afterAll(async () => {
    await servers.stop();
    rmSync(FOLDER, { recursive: true, force: true });
  });

  const slow = (): string => `SELECT count(), sum(sleepEachRow(0.2)) FROM ${table} SETTINGS max_block_size = 1`;

  /** Waits until so many servers are busy with it. */
  async function running(wanted: number): Promise<void> {
    const sql =
      "SELECT count() FROM system.processes WHERE query LIKE '%sleepEachRow%' AND query NOT LIKE '%processes%'";
    for (let tries = 0; tries < 40; tries++) {
      const busy = await Promise.all([0, 1].map((index) => servers.command(sql, index)));
      if (busy.filter((count) => count !== '0').length === wanted) return;
      await setTimeout(50);
    }
    throw new Error(`not ${wanted} servers are busy`);
  }

  it('end on all servers, also for a user who only reads', async () => {
    const giving = new AbortController();
    const asking = faultOf(
      () => openClickHouse({ table, env: servers.env(), ...CONNECTIONS, signal: giving.signal }),
      slow(),
    );
    await running(2);
    giving.abort();
    expect((await asking).message).toBe('the question was given up');
    await running(0);
  }, 20_000);

  it('are not asked after that', async () => {
    const signal = AbortSignal.abort();
    const { message } = await faultOf(() => openClickHouse({ table, env: servers.env(), ...CONNECTIONS, signal }));
    expect(message).toBe('the question was given up');
  });

  it('end with a process at its SIGINT', async () => {
    mkdirSync(FOLDER, { recursive: true });
    const outfile = join(FOLDER, 'asks-long.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'asks-long.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    });
    const child = spawn(process.execPath, [outfile, table, slow()], { env: { ...process.env, ...servers.env() } });
    const ended = endOf(child);
    await running(2);
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 130, out: 'the question was given up' });
    await running(0);
  }, 20_000);
});

async function endOf(child: ChildProcess): Promise<{ code: number | null; out: string }> {
  let out = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, out };
}
