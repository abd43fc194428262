import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDuckDb } from '../../../src/engine/ask-duckdb/link.js';
import { openStage } from '../../../src/engine/ask-duckdb/stage.js';
import { runOfRecord } from '../../../src/formats/record.js';
import type { Json } from '../../../src/model/json.js';
import { DEFAULT_RULE_COUNT, PLAIN_REPEAT } from '../../../src/policy/policy.js';
import { passes, run } from '../../builders.js';
import { hasClient, NEEDS_CLIENT } from '../client.js';
import { keptOf, markRow, reachedTools } from './oracle.js';
import { rowsOf } from './rows.js';
import { openDuckDbLink, stageFolder, stageRuns } from './stage-runs.js';

const EXAMPLE = join(import.meta.dirname, '../../../datasets/worked-example/runs.jsonl');

describe.skipIf(!hasClient)(`a stage (${NEEDS_CLIENT})`, () => {
  it('holds the worked example', async () => {
    const runs = readFileSync(EXAMPLE, 'utf8')
      .trim()
      .split('\n')
      .map((line, at) => runOfRecord(JSON.parse(line) as Json, { file: EXAMPLE, line: at + 1 }));
    const link = await openDuckDbLink(runs);
    const asked = { by: [], where: [], calls: true };
    const mark = { kind: 'rule', rule: PLAIN_REPEAT } as const;
    const marks = await rowsOf(link, ['p0', 'b0', 'e0'], link.dialect.marks(asked, [mark]), ' ORDER BY ord');
    const tools = await rowsOf(link, ['ord', 'tool'], link.dialect.reachedTools(asked, PLAIN_REPEAT));
    const kept = await rowsOf(
      link,
      ['n', 'passes'],
      `SELECT count(*) AS n, sum(kept) AS passes FROM (${link.dialect.runs(asked)})`,
    );
    await link.close();
    expect(marks).toEqual(runs.map((each) => markRow(each, mark, 0)));
    expect(tools).toHaveLength(runs.reduce((sum, each) => sum + reachedTools(each, PLAIN_REPEAT).size, 0));
    expect(kept).toEqual([{ n: '400', passes: String(runs.reduce((sum, each) => sum + keptOf(each), 0)) }]);
  });

  it('tells the same of runs in more pieces than the database takes at once', async () => {
    const runs = Array.from({ length: 700 }, (_, at) => {
      const calls = Array.from({ length: at % 5 }, () => ({ tool: `t${at % 3}`, args: { at }, result: at % 2 }));
      return run({ passes: passes(at % 9, { calls, usd: at / 7 }) }, at + 1);
    });
    const stage = await stageRuns(runs, 300);
    const link = openDuckDb(stage);
    const mark = { kind: 'rule', rule: { ...PLAIN_REPEAT, key: 'request', exempt: ['t1'], period: 2 } } as const;
    const found = await rowsOf(
      link,
      ['p0', 'b0', 'e0'],
      link.dialect.marks({ by: [], where: [], calls: false }, [mark]),
      ' ORDER BY ord',
    );
    await link.close();
    expect(mark.rule.count).toBe(DEFAULT_RULE_COUNT);
    expect(found).toEqual(runs.map((each) => markRow(each, mark, 0)));
  });

  it('answers one question while another is read, and keeps what was asked', async () => {
    const link = await openDuckDbLink([run({ passes: passes(3) }, 1), run({ passes: passes(2) }, 2)]);
    const sql = link.dialect.passes({ by: [], where: [], calls: false });
    const seen: (string | null)[][] = [];
    for await (const row of link.query(`SELECT ord, pass FROM (${sql}) ORDER BY 1, 2`)) {
      const kept = await link.keep(`SELECT 1 AS one`);
      expect(await rowsOf(link, ['one'], `SELECT * FROM ${kept.relation}`)).toEqual([{ one: '1' }]);
      await kept.release();
      seen.push([...row]);
    }
    await link.close();
    expect(seen).toEqual([
      ['0', '1'],
      ['0', '2'],
      ['0', '3'],
      ['1', '1'],
      ['1', '2'],
    ]);
  });

  it('leaves nothing behind', async () => {
    const folder = stageFolder();
    const stage = await openStage({ folder });
    expect(existsSync(join(folder.path, 'runs.duckdb'))).toBe(true);
    await stage.close();
    await stage.close();
    expect(existsSync(folder.path)).toBe(false);
    const other = stageFolder();
    await expect(openStage({ folder: other, memory: 'much' })).rejects.toMatchObject({ name: 'Error' });
    expect(existsSync(other.path)).toBe(false);
  });

  it('says which flag gives the database more memory', async () => {
    const link = openDuckDb(await openStage({ folder: stageFolder(), memory: '30MB' }));
    const ask = rowsOf(link, ['n'], 'SELECT list(range) AS n FROM range(40000000)');
    await expect(ask).rejects.toMatchObject({ hint: expect.stringContaining('--engine-memory') });
    await link.close();
  });
});
