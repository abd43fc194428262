import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesAt, isRemote } from '../../../src/engine/ask-duckdb/remote.js';
import { openStage } from '../../../src/engine/ask-duckdb/stage.js';
import { stageParquet } from '../../../src/engine/ask-duckdb/stage-parquet.js';
import { hasClient, makeRun, NEEDS_CLIENT, scratch, withDatabase } from '../client.js';
import { stageFolder } from './stage-runs.js';

describe.skipIf(!hasClient)(`files that DuckDB reads (${NEEDS_CLIENT})`, () => {
  const at = scratch();

  it('are known by their address', () => {
    expect(['s3://b/x.parquet', 'https://h/x', 'gs://b/x'].every(isRemote)).toBe(true);
    expect(['runs.jsonl', '/s3/x', 'C:\\runs', 'https.jsonl'].some(isRemote)).toBe(false);
  });

  it('are found by wildcards in the order of their names', async () => {
    for (const name of ['part-2.txt', 'part-1.txt', 'other.csv']) writeFileSync(at(name), 'x');
    await withDatabase(async (database) => {
      expect(await filesAt(at('part-*.txt'), database)).toEqual([at('part-1.txt'), at('part-2.txt')]);
      expect(await filesAt(at('none-*.txt'), database)).toEqual([]);
      expect(await filesAt('https://h/x?y=*', database)).toEqual(['https://h/x?y=*']);
    });
  });

  it('say what is missing where an extension is not installed', async () => {
    let isInstalled = true;
    await withDatabase(async (database) => {
      const sql = "SELECT CAST(installed AS INTEGER) FROM duckdb_extensions() WHERE extension_name = 'httpfs'";
      for await (const chunk of database.chunks(sql)) isInstalled = chunk.ints(0)[0] === 1;
    });
    if (isInstalled) return;
    const missing = {
      message: "reading from there takes DuckDB's extension httpfs, which is not installed",
      hint: expect.stringContaining("duckdb -c 'INSTALL httpfs'"),
    };
    const stage = await openStage({ folder: stageFolder() });
    await expect(stageParquet(stage, 's3://bucket/runs.parquet', makeRun)).rejects.toMatchObject(missing);
    await expect(filesAt('s3://bucket/*.parquet', stage.database)).rejects.toMatchObject(missing);
    await stage.close();
  });
});
