import { openClickHouse } from '../../../src/engine/ask-clickhouse/link.js';
import { CONNECTIONS } from './servers.js';

/* A process that asks something that takes long, and gives up at the first SIGINT: how the command line does it. */

const [table = '', sql = ''] = process.argv.slice(2);
const giving = new AbortController();
process.once('SIGINT', () => giving.abort());
try {
  const link = await openClickHouse({ table, env: process.env, ...CONNECTIONS, signal: giving.signal });
  for await (const _ of link.query(sql));
} catch (error) {
  process.stdout.write((error as Error).message);
  process.exitCode = giving.signal.aborted ? 130 : 3;
}
