import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ClickHouseOptions } from '../engine/ask-clickhouse/link.js';

/**
 * What a link needs of this machine. Each question has a connection of its own: an idle one is closed by servers after some
 * seconds, and the next question would meet that.
 */
export const CONNECTIONS: Pick<ClickHouseOptions, 'readFile' | 'agentOf'> = {
  readFile: (path) => readFileSync(path),
  agentOf: ({ isSecure, ca }) =>
    isSecure
      ? new HttpsAgent({ keepAlive: false, ...(ca === null ? {} : { ca }) })
      : new HttpAgent({ keepAlive: false }),
};
