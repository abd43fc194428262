import { afterAll, beforeAll, describe } from 'vitest';
import { hasServer, NEEDS_SERVER, openServerLink, type Servers, startServers } from '../ask-clickhouse/servers.js';
import { answersAsMemory } from './answers-as-memory.js';

describe.skipIf(!hasServer)(`two ClickHouse servers answer as memory does (${NEEDS_SERVER})`, () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(2);
  }, 120_000);
  afterAll(() => servers.stop());
  answersAsMemory((runs) => openServerLink(runs, servers), 4);
});
