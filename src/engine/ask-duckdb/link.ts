import type { Link, Row } from '../ask/dialect.js';
import type { Chunk } from '../chunk.js';
import { type Database, EngineError } from '../duckdb.js';
import { createDuckDbDialect } from './dialect.js';
import { askedOf } from './faults.js';
import type { Stage } from './stage.js';

/** Asks questions of staged runs; closing it removes the stage. */
export function openDuckDb(stage: Stage): Link {
  let kept = 0;
  return {
    dialect: createDuckDbDialect((tool) => stage.codesOfTool(tool)),
    query: (sql) => rowsOf(stage.database, sql),
    async keep(sql) {
      // In the file and not among the temporary tables: there it is packed, and every connection sees it.
      const relation = `kept_${++kept}`;
      await told(() => stage.database.run(`CREATE TABLE ${relation} AS ${sql}`));
      return { relation, release: () => told(() => stage.database.run(`DROP TABLE IF EXISTS ${relation}`)) };
    },
    close: () => stage.close(),
  };
}

/** On a connection of its own, since an answer ends where its connection is asked something else. */
async function* rowsOf(database: Database, sql: string): AsyncGenerator<Row> {
  const connection = await told(() => database.connect());
  try {
    const chunks = connection.chunks(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`);
    for (;;) {
      const { value, done } = await told(() => chunks.next());
      if (done === true) return;
      yield* rowsIn(value);
    }
  } finally {
    connection.close();
  }
}

function* rowsIn(chunk: Chunk): Generator<Row> {
  const columns = Array.from({ length: chunk.width }, (_, column) => chunk.texts(column));
  for (let row = 0; row < chunk.size; row++) yield columns.map((texts) => texts[row] ?? null);
}

async function told<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof EngineError ? askedOf(error) : error;
  }
}
