import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readParquet } from '../../src/engine/parquet-read.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { hasClient, makeFile, makeRun, NEEDS_CLIENT, readWhole, scratch } from './client.js';

const at = scratch();

/** Rows with these columns, named in the first of them. */
async function file(name: string, names: string, ...rows: readonly string[]): Promise<string> {
  const columns = names.split(' ').map((each) => `"${each}"`);
  const values = rows.map((row) => `(${row})`).join(', ');
  return makeFile(at(name), `SELECT * FROM (VALUES ${values}) AS t(${columns.join(', ')})`);
}

async function runsIn(path: string): Promise<Run[]> {
  const items = await readWhole(path);
  expect(items.filter((item) => 'kind' in item)).toEqual([]);
  return items as Run[];
}

/** What a file gives: how many runs the scan takes without help, and what is read one by one behind them. */
async function scanned(path: string): Promise<{ runs: number; items: (Run | Problem)[] }> {
  const table = createRunTable();
  const items: (Run | Problem)[] = [];
  await readParquet(path, makeRun, {
    codeForTool: (tool) => table.codeForTool(tool),
    batch: (batch) => table.addBatch(batch),
    takeItem: (item) => void items.push(item),
  });
  return { runs: table.length, items };
}

async function scannedRuns(path: string): Promise<number> {
  return (await scanned(path)).runs;
}

async function problemsIn(path: string): Promise<string[]> {
  const items = await readWhole(path);
  return items.filter((item): item is Problem => 'kind' in item).map(({ reason, hint }) => `${reason} | ${hint}`);
}

describe.skipIf(!hasClient)(`Parquet of others (${NEEDS_CLIENT})`, () => {
  it('may hold figures in numbers of any kind', async () => {
    const path = await file(
      'kinds.parquet',
      'run_id status check pass input_tokens output_tokens seconds usd cache_read_tokens',
      "7::UINTEGER, 'done_verified', 'passed', 1::TINYINT, 5::HUGEINT, 6.0::DOUBLE, 0.0000005::DOUBLE, 0.1::DECIMAL(4,1), 2::UTINYINT",
      "7::UINTEGER, 'done_verified', 'passed', 2::TINYINT, 5::HUGEINT, 'NaN'::DOUBLE, 0.0000015::DOUBLE, 0.25::DECIMAL(4,2), 3::UTINYINT",
    );
    const [run] = await runsIn(path);
    expect(run?.id).toBe('7');
    expect(run?.passes?.map(({ calls: _, ...pass }) => pass)).toEqual([
      {
        inputTokens: 5,
        outputTokens: 6,
        cacheReadTokens: 2,
        cacheWriteTokens: null,
        micros: 0,
        nanos: 100_000_000,
        steps: null,
        model: null,
      },
      {
        inputTokens: 5,
        outputTokens: null,
        cacheReadTokens: 3,
        cacheWriteTokens: null,
        micros: 2,
        nanos: 250_000_000,
        steps: null,
        model: null,
      },
    ]);
    expect(await scannedRuns(path)).toBe(1);
  });

  it('may hold labels, flags and times in types of their own', async () => {
    const path = await file(
      'types.parquet',
      'run_id status pass tool error label.shard label.hot label.share started_at recorded_under.passes',
      "'a', 'running', '1', 'x', 'True', 12::BIGINT, true, 1.50::DECIMAL(5,2), TIMESTAMPTZ '2026-03-01 09:00:00.25+00', 60",
      "'b', 'running', 'unknown', NULL, NULL, 13::BIGINT, false, 2.00::DECIMAL(5,2), TIMESTAMPTZ '2026-03-01 09:00:00+00', NULL",
      "'c', 'running', NULL, NULL, NULL, 14::BIGINT, NULL, NULL, NULL, NULL",
    );
    const [a, b, c] = await runsIn(path);
    expect([...(a as Run).labels]).toEqual([
      ['shard', '12'],
      ['hot', 'true'],
      ['share', '1.5'],
    ]);
    expect(a?.startedAt).toBe('2026-03-01T09:00:00.25Z');
    expect(a?.passes?.[0]?.calls[0]?.error).toBe(true);
    expect([...(a as Run).recordedUnder]).toEqual([['passes', 60]]);
    expect(b?.startedAt).toBe('2026-03-01T09:00:00Z');
    expect(b?.passes).toBeNull();
    expect(c?.passes).toEqual([]);
  });

  it('may leave out every column but three', async () => {
    const path = await file('few.parquet', 'run_id status pass', "'a', 'running', 1", "'a', 'running', 2");
    const [run] = await runsIn(path);
    expect(run?.passes).toHaveLength(2);
    expect(await scannedRuns(path)).toBe(1);
  });

  it('may hold the rows of a run anywhere', async () => {
    const path = await file(
      'apart.parquet',
      'run_id status pass input_tokens',
      "'b', 'running', 2, 20",
      "'a', 'running', 1, 1",
      "'b', 'running', 1, 10",
    );
    const runs = await runsIn(path);
    expect(runs.map(({ id, passes }) => [id, passes?.map(({ inputTokens }) => inputTokens)])).toEqual([
      ['b', [10, 20]],
      ['a', [1]],
    ]);
    expect(await scannedRuns(path)).toBe(0);
  });

  it('may bear a name full of wildcards and quotes', async () => {
    const path = at("it's [1]*?.parquet");
    await makeFile(path.replaceAll("'", "''"), "SELECT 'a' AS run_id, 'running' AS status, 1 AS pass");
    expect(await runsIn(path)).toHaveLength(1);
  });
});

describe.skipIf(!hasClient)(`faults in Parquet (${NEEDS_CLIENT})`, () => {
  let names = '';
  beforeAll(() => {
    names = 'run_id status check pass input_tokens seconds tool args_digest label.kind';
  });

  it('are told by run and pass', async () => {
    const path = await file(
      'faults.parquet',
      names,
      "'a', 'done', 'passed', 1, 5, 0.1, NULL, NULL, 'x'",
      "'b', 'done_verified', 'none', 1, 5, 0.1, NULL, NULL, 'x'",
      "'c', 'running', 'none', 1, -5, 0.1, NULL, NULL, 'x'",
      "'d', 'running', 'none', 1, 5, 0.1, NULL, NULL, 'x'",
      "'d', 'running', 'none', 2, 5, 0.1, NULL, NULL, 'y'",
      "'e', 'running', 'none', 1, 5, 0.1, 's', 'p', 'x'",
      "'e', 'running', 'none', 1, 6, 0.1, 's', 'q', 'x'",
      "'f', 'running', 'none', 1, 5, 0.1, NULL, NULL, 'x'",
      "'f', 'running', 'none', 3, 5, 0.1, NULL, NULL, 'x'",
      "'g', 'running', 'none', 0, 5, 0.1, NULL, NULL, 'x'",
      "'h', 'running', 'none', 1, 5, 0.1, NULL, 'p', 'x'",
      "'i', 'running', 'none', NULL, 5, NULL, NULL, NULL, 'x'",
      "'j', 'running', 'none', 1, 5, 0.1, NULL, NULL, 'x'",
      "'j', 'running', 'none', 1, 5, 0.1, 's', NULL, 'x'",
      "'k', 'running', 'none', 1, 5, 0.1, NULL, NULL, 'x'",
    );
    expect(await problemsIn(path)).toEqual([
      'run "a": unknown status "done" | status must be one of done_verified, done_claimed, stopped_budget, halted_error, running',
      'run "b": status "done_verified" requires check "passed", but check is "none" | correct one of the two',
      'run "c": passes[0].input_tokens is -5 | passes[0].input_tokens must be a whole number, 0 or more; leave it out where it is not known',
      'run "d", pass 2: label.kind is "y", but "x" on another row of the same run | run fields must be the same on every row of a run; give different runs different ids',
      'run "e", pass 1: input_tokens is 6, but 5 on another row of the same pass | the rows of one pass are its calls: the figures of the pass must be the same on each',
      'run "f": pass 2 of the run has no row | number the passes of a run 1, 2, 3 … without a gap; is a row missing?',
      'run "g", pass 0: pass is "0" | number the passes of a run from 1 with whole numbers; leave pass NULL for a run without any',
      'run "h", pass 1: tool is not given, but args_digest is "p" | name the tool of the call',
      'run "i": input_tokens is 5 on a row without a pass | number the pass, or leave the other columns of the row NULL',
      'run "j", pass 1: the pass has several rows, and one of them names no tool | the rows of one pass are its calls: name a tool on each, or remove the repeated row',
    ]);
    expect((await readWhole(path)).map((item) => ('kind' in item ? 'bad' : item.id)).at(-1)).toBe('k');
  });

  it('keep the bad rows for quarantine', async () => {
    const path = await file('raw.parquet', names, "'a', 'done', 'passed', 1, 5, 0.5, 's', 'p', 'x'");
    const [bad] = (await readWhole(path)) as Problem[];
    expect(bad?.place).toEqual({ file: path, line: null });
    expect(JSON.parse(bad?.raw as string)).toMatchObject({
      run_id: 'a',
      pass: '1',
      run: { status: 'done', labels: { kind: 'x' } },
      figures: { input_tokens: 5, seconds: 0.5 },
      call: { tool: 's', args_digest: 'p' },
    });
  });

  it('of the whole file are one fault', async () => {
    const torn = at('torn.parquet');
    writeFileSync(torn, 'PAR1 and then nothing');
    const files = [
      await file('missing.parquet', 'run status', "'a', 'running'"),
      await file('nested.parquet', 'run_id status pass label.kind', "'a', 'running', 1, {'x': 1}"),
      await file('nameless.parquet', 'run_id status pass', "'a', 'running', 1", "NULL, 'running', 1"),
      torn,
      at('none.parquet'),
    ];
    const problems: string[] = [];
    for (const path of files)
      problems.push(...(await problemsIn(path)).map((text) => text.replaceAll(`${at('')}/`, '')));
    expect(problems).toEqual([
      'no column run_id, pass | add it; the table needs one row a pass, and the columns found are "run", "status"',
      'column "label.kind" is of type STRUCT(x INTEGER) | a column must hold plain values: texts, numbers, true or false; labels stand in columns of their own, label.NAME',
      'run_id is not known in 1 of 2 rows | name the run of every row',
      `the file cannot be read as Parquet (Invalid Input Error: No magic bytes found at end of file 'torn.parquet') | was it copied whole? DuckDB can say more`,
      'the file cannot be read as Parquet (IO Error: No files found that match the pattern "none.parquet") | was it copied whole? DuckDB can say more',
    ]);
  });

  it('is that there are no rows', async () => {
    const path = await makeFile(at('empty.parquet'), "SELECT 'a' AS run_id, 'running' AS status, 1 AS pass LIMIT 0");
    const [item] = await readWhole(path);
    expect(item).toMatchObject({ reason: 'the table has no rows', isEmptySource: true });
  });

  it('do not keep the scan from the thousands of runs before them', async () => {
    const runs = `SELECT 'r' || run AS run_id, 'running' AS status, CASE WHEN run = 2999 THEN pass + 1 ELSE pass END AS pass,
      'x' AS tool FROM range(3000) AS a(run), (VALUES (1), (1), (2)) AS b(pass) ORDER BY run, pass`;
    const path = await makeFile(at('late.parquet'), runs);
    const { runs: byScan, items } = await scanned(path);
    expect(byScan).toBe(2048);
    expect(items).toHaveLength(952);
    expect(items.at(-2)).toMatchObject({ id: 'r2998' });
    expect(items.at(-1)).toMatchObject({ reason: 'run "r2999": pass 1 of the run has no row' });
  });

  it('are not made of runs whose rows lie on both sides of a piece of the answer', async () => {
    const runs = `SELECT 'run of a long name ' || run AS run_id, 'running' AS status, pass, 3 AS input_tokens,
      4 AS output_tokens, pass / 8 AS seconds, 'x' AS tool, 'y' || pass AS args_digest
      FROM range(500) AS a(run), range(1, 31) AS b(pass), range(2) AS c(call) ORDER BY run, pass`;
    const path = await makeFile(at('pieces.parquet'), runs);
    const table = createRunTable();
    await readParquet(path, makeRun, {
      codeForTool: (tool) => table.codeForTool(tool),
      batch: (batch) => table.addBatch(batch),
      takeItem: (item) => expect(item).toBeNull(),
    });
    expect(table.length).toBe(500);
    const own = ({ id, passes }: Run) => ({ id, passes: passes?.map(({ micros, calls }) => [micros, calls.length]) });
    expect(Array.from(table, own)).toEqual((await runsIn(path)).map(own));
  });
});
