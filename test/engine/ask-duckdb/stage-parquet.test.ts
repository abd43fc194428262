import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../../../src/engine/ask-duckdb/stage.js';
import { repeatedIdIn, stageParquet } from '../../../src/engine/ask-duckdb/stage-parquet.js';
import { EngineError } from '../../../src/engine/duckdb.js';
import { writeParquet } from '../../../src/engine/parquet-write.js';
import { digestOf } from '../../../src/formats/csv/digest.js';
import type { Run } from '../../../src/model/run.js';
import { createRunTable } from '../../../src/model/table.js';
import { hasClient, makeFile, makeRun, NEEDS_CLIENT, readWhole, scratch } from '../client.js';
import { rows, valuesSql } from '../made-rows.js';
import { runs } from './made.js';
import { stageFolder, stageRuns } from './stage-runs.js';

/** Everything that is staged; codes, which tell calls of one run apart, by the first call that has them. */
const TOLD = [
  'SELECT * FROM runs ORDER BY ord',
  'SELECT * FROM labels ORDER BY ord, place',
  'SELECT * FROM passes ORDER BY ord, pass',
  'SELECT row_number() OVER (), ord, pass, call FROM calls',
  'SELECT row_number() OVER (), ord, pass FROM passes',
  `SELECT ord, pass, call, seq, t.tool, min(seq) OVER (PARTITION BY ord, request),
    CASE WHEN result IS NOT NULL THEN min(seq) OVER (PARTITION BY ord, result) END, has_args, failed, streak
    FROM calls AS c JOIN tools AS t ON t.code = c.tool ORDER BY ord, seq`,
];

async function contents(stage: Stage): Promise<(string | null)[][][]> {
  const tables: (string | null)[][][] = [];
  for (const sql of TOLD) {
    const rows: (string | null)[][] = [];
    for await (const chunk of stage.database.chunks(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${sql})`)) {
      const columns = Array.from({ length: chunk.width }, (_, column) => chunk.texts(column));
      for (let row = 0; row < chunk.size; row++) rows.push(columns.map((texts) => texts[row] ?? null));
    }
    tables.push(rows);
  }
  return tables;
}

describe.skipIf(!hasClient)(`a Parquet file put into a stage (${NEEDS_CLIENT})`, () => {
  const at = scratch();

  it('gives what its runs give that are read one by one', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(3), async (made, split) => {
        const paths = [at('one.parquet'), at('two.parquet')];
        const parts = [made.slice(0, split), made.slice(split)];
        const read: Run[] = [];
        const byFile = await openStage({ folder: stageFolder() });
        for (const [index, part] of parts.entries()) {
          if (part.length === 0) continue;
          await writeParquet(paths[index] as string, part, digestOf);
          read.push(...((await readWhole(paths[index] as string)) as Run[]));
          expect(await stageParquet(byFile, paths[index] as string, makeRun)).toBe(true);
        }
        const byRuns = await stageRuns(read);
        const [found, expected] = [await contents(byFile), await contents(byRuns)];
        await byFile.close();
        await byRuns.close();
        expect(found).toEqual(expected);
      }),
      { seed: 3, numRuns: 40 },
    );
  }, 240_000);

  it('takes a file whole where nothing is wrong with it, and else nothing of it', async () => {
    const path = at('rows.parquet');
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        await makeFile(path, valuesSql(made));
        const read = await readWhole(path);
        const good = read.filter((item): item is Run => !('kind' in item));
        const stage = await openStage({ folder: stageFolder() });
        const isTaken = await stageParquet(stage, path, makeRun);
        const found = await contents(stage);
        // What was not taken must leave the stage as it was, so that the reader of records can go on.
        const again = isTaken ? found : await contents(await restaged(stage, good));
        const count = stage.runs;
        await stage.close();
        const byRuns = await stageRuns(good);
        const expected = await contents(byRuns);
        await byRuns.close();
        if (isTaken) taken++;
        else expect(found.flat()).toEqual([]);
        if (isTaken) expect(good).toHaveLength(read.length);
        expect(again).toEqual(expected);
        expect(count).toBe(good.length);
      }),
      { seed: 11, numRuns: 90 },
    );
    expect(taken).toBeGreaterThan(20);
  }, 240_000);

  it('takes no id twice', async () => {
    const path = await makeFile(
      at('twice.parquet'),
      "SELECT 'a' AS run_id, 'running' AS status, NULL::INTEGER AS pass",
    );
    const stage = await openStage({ folder: stageFolder() });
    expect(await stageParquet(stage, path, makeRun)).toBe(true);
    expect(await stageParquet(stage, path, makeRun)).toBe(false);
    expect(stage.runs).toBe(1);
    expect(await repeatedIdIn(stage)).toBeNull();
    await restaged(stage, (await readWhole(path)) as Run[]);
    expect(await repeatedIdIn(stage)).toBe('a');
    await stage.close();
  });

  it('says what to do where a file cannot be read', async () => {
    const stage = await openStage({ folder: stageFolder() });
    await expect(stageParquet(stage, at('absent.parquet'), makeRun)).rejects.toBeInstanceOf(EngineError);
    await stage.close();
  });
});

async function restaged(stage: Stage, runs: readonly Run[]): Promise<Stage> {
  const table = createRunTable();
  for (const run of runs) table.add(run);
  await stage.addRuns(table);
  return stage;
}
