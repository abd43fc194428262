import type { Duplex } from 'node:stream';
import type { ClickHouseClientConfigOptions } from '@clickhouse/client';

/** What makes connections: an agent of Node's HTTP. */
export type ConnectionAgent = NonNullable<ClickHouseClientConfigOptions['http_agent']>;

/** How far the server has read for a query. */
export interface Progress {
  readonly readRows: number;
  readonly totalRows?: number;
}

/** A line of the answer's head: servers write one whenever some time has passed. */
const LINE = /^X-ClickHouse-Progress: (\{.*\})\r?$/i;

/** A head that is not yet whole is told by no client, so that progress is read where bytes come in. */
export function watchConnections(agent: ConnectionAgent, onProgress: (progress: Progress) => void): ConnectionAgent {
  const connect = agent.createConnection.bind(agent);
  type Asked = Parameters<typeof connect>;
  agent.createConnection = (options: Asked[0], callback: Asked[1]) => {
    const socket = connect(options, callback);
    if (socket) watch(socket, onProgress);
    return socket;
  };
  return agent;
}

function watch(socket: Duplex, onProgress: (progress: Progress) => void): void {
  let rest = '';
  const see = (chunk: Buffer): void => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      if (line === '' || line === '\r') return void socket.off('data', see);
      const told = LINE.exec(line)?.[1];
      const progress = told === undefined ? null : progressOf(told);
      if (progress !== null) onProgress(progress);
    }
  };
  socket.on('data', see);
}

function progressOf(told: string): Progress | null {
  try {
    const { read_rows, total_rows, total_rows_to_read } = JSON.parse(told) as Record<string, string | undefined>;
    const total = Number(total_rows_to_read ?? total_rows ?? 0);
    return { readRows: Number(read_rows ?? 0), ...(total > 0 ? { totalRows: total } : {}) };
  } catch {
    return null;
  }
}
