import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { EngineError } from '../duckdb.js';
import { rowsOfAnswer } from './answer.js';
import { type Asking, faultOf } from './faults.js';
import { type Query, settingsFor } from './settings.js';

/** How long a server may take to hear that a query is given up. */
const LONGEST_FAREWELL_MS = 2000;

/**
 * Asks by a client; all faults are ours.
 *
 * @param signal gives up what is asked then, and whatever is asked after
 */
export function queryOf(client: ClickHouseClient, asking: Asking, signal?: AbortSignal): Query {
  return async function* (sql, settings) {
    if (signal?.aborted) throw givenUp();
    const id = randomUUID();
    const query = `${sql} FORMAT JSONCompact`;
    try {
      const { stream } = await client.exec({
        query,
        query_id: id,
        clickhouse_settings: settingsFor(query, settings),
        ...(signal === undefined ? {} : { abort_signal: signal }),
      });
      yield* rowsOfAnswer(stream);
    } catch (error) {
      if (!signal?.aborted) throw faultOf(error, asking);
      await endOnServer(client, id);
      throw givenUp();
    }
  };
}

/**
 * Ends a query by one that takes its place: every user may do that, also one who only reads, on servers of all years.
 * Whether it worked is nothing to wait for, since whoever gives up wants to go.
 */
async function endOnServer(client: ClickHouseClient, id: string): Promise<void> {
  try {
    const { stream } = await client.exec({
      query: 'SELECT 1',
      query_id: id,
      clickhouse_settings: { replace_running_query: 1 },
      abort_signal: AbortSignal.timeout(LONGEST_FAREWELL_MS),
    });
    stream.destroy();
  } catch {
    // The server is gone, or the user may set nothing.
  }
}

function givenUp(): EngineError {
  return new EngineError('the question was given up', 'no part of an answer was used');
}
