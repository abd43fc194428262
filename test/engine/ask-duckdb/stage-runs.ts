import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Link } from '../../../src/engine/ask/dialect.js';
import { openDuckDb } from '../../../src/engine/ask-duckdb/link.js';
import { openStage, type Stage, type StageFolder } from '../../../src/engine/ask-duckdb/stage.js';
import type { Run } from '../../../src/model/run.js';
import { createRunTable } from '../../../src/model/table.js';

/** A folder for the time of one stage. */
export function stageFolder(): StageFolder {
  const path = mkdtempSync(join(tmpdir(), 'capfit-stage-'));
  return {
    path,
    async remove() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A stage with these runs, in pieces of so many. */
export async function stageRuns(runs: readonly Run[], piece = 3): Promise<Stage> {
  const stage = await openStage({ folder: stageFolder() });
  for (let from = 0; from < runs.length; from += piece) {
    const table = createRunTable();
    for (const run of runs.slice(from, from + piece)) table.add(run);
    await stage.addRuns(table);
  }
  return stage;
}

/** A link to a database that holds these runs. */
export async function openDuckDbLink(runs: readonly Run[]): Promise<Link> {
  return openDuckDb(await stageRuns(runs));
}
