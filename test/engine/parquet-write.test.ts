import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeParquet } from '../../src/engine/parquet-write.js';
import { digestOf } from '../../src/formats/csv/digest.js';
import type { Json } from '../../src/model/json.js';
import type { Pass, Run } from '../../src/model/run.js';
import { hasClient, makeRun, NEEDS_CLIENT, readWhole, scratch, withDatabase } from './client.js';

const at = scratch();

function made(record: { [key: string]: Json }): Run {
  return makeRun({ id: 'a', status: 'running', passes: [], ...record }, { file: 'made', line: 1 }) as Run;
}

async function written(name: string, ...runs: readonly Run[]): Promise<string> {
  const path = at(name);
  await writeParquet(path, runs, digestOf);
  return path;
}

async function typesOf(path: string): Promise<string[]> {
  const types: string[] = [];
  await withDatabase(async (database) => {
    for await (const chunk of database.chunks(
      `SELECT column_name || ' ' || column_type FROM (DESCRIBE FROM '${path}')`,
    ))
      types.push(...chunk.texts(0).map(String));
  });
  return types;
}

const ALWAYS = [
  ...['run_id VARCHAR', 'status VARCHAR', 'check VARCHAR', 'claim VARCHAR', 'reason VARCHAR', 'started_at VARCHAR'],
  ...['pass INTEGER', 'input_tokens BIGINT', 'output_tokens BIGINT', 'cache_read_tokens BIGINT'],
  ...['cache_write_tokens BIGINT', 'seconds DECIMAL(18,6)', 'usd DECIMAL(18,9)'],
  ...['tool VARCHAR', 'args_digest VARCHAR', 'result_digest VARCHAR', 'error BOOLEAN'],
];

describe.skipIf(!hasClient)(`writing Parquet (${NEEDS_CLIENT})`, () => {
  it('makes the columns of the CSV, typed, and others only where they are needed', async () => {
    const plain = await written('plain.parquet', made({ labels: { kind: 'x' }, recorded_under: { passes: 60 } }));
    expect(await typesOf(plain)).toEqual([...ALWAYS, 'label.kind VARCHAR', 'recorded_under.passes DOUBLE']);
    const full = await written(
      'full.parquet',
      made({ passes: [{ steps: 3, model: 'm' }], blocker: 'b', evidence: [1] }),
      made({ id: 'b', passes: null, totals: { passes: 1, tokens: 2, seconds: 3, usd: 4 } }),
    );
    expect((await typesOf(full)).filter((type) => !ALWAYS.includes(type))).toEqual([
      ...['blocker VARCHAR', 'evidence VARCHAR', 'totals.passes BIGINT', 'totals.tokens BIGINT'],
      ...['totals.seconds DECIMAL(18,6)', 'totals.usd DECIMAL(18,9)', 'steps BIGINT', 'model VARCHAR'],
      'passes_recorded BOOLEAN',
    ]);
  });

  it('keeps the largest figures to the last digit', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const run = made({ passes: [{ input_tokens: most, output_tokens: 0 }] });
    const pass: Pass = { ...(run.passes?.[0] as Pass), micros: most, nanos: most };
    const path = await written('large.parquet', { ...run, passes: [pass] });
    expect(((await readWhole(path)) as Run[])[0]?.passes).toEqual([pass]);
  });

  it('keeps labels that SQL would take for one, and names that it cannot hold', async () => {
    const labels = { Kind: 'a', kind: 'b', KIND: 'c', 'nul\0': 'd', '': 'e', '\ud800': 'f' };
    const path = await written('names.parquet', made({ labels }), made({ id: 'b', labels: { kind: 'only' } }));
    const [a, b] = (await readWhole(path)) as Run[];
    expect(Object.fromEntries((a as Run).labels)).toEqual(labels);
    expect([...(b as Run).labels]).toEqual([['kind', 'only']]);
  });

  it('writes half a character pair as the sign for what is no character', async () => {
    const path = await written('half.parquet', made({ id: 'half \ud800' }));
    expect(((await readWhole(path)) as Run[])[0]?.id).toBe('half \ufffd');
  });

  it('gathers labels as they come, and says how many runs were written', async () => {
    async function* coming() {
      yield made({ id: '1', labels: { one: 'x' } });
      yield made({ id: '2', labels: { two: 'y' } });
      yield made({ id: '3', labels: { one: 'z', two: 'z' } });
    }
    const path = at('coming.parquet');
    expect(await writeParquet(path, coming(), digestOf)).toBe(3);
    expect(((await readWhole(path)) as Run[]).map(({ labels }) => Object.fromEntries(labels))).toEqual([
      { one: 'x' },
      { two: 'y' },
      { one: 'z', two: 'z' },
    ]);
  });

  it('keeps labels beyond a table of columns', async () => {
    const labels = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`l${index}`, String(index)]));
    const path = await written('many.parquet', made({ labels }));
    expect(Object.fromEntries(((await readWhole(path)) as Run[])[0]?.labels as Run['labels'])).toEqual(labels);
    expect((await typesOf(path)).filter((type) => type.startsWith('label.'))).toHaveLength(200);
  });

  it('makes a file of its own kind and leaves nothing beside it', async () => {
    const path = await written('kind.parquet', made({}));
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1');
    expect(existsSync(`${path}.spill`)).toBe(false);
  });

  it('fails with the reason where the file cannot be made', async () => {
    await expect(writeParquet(at('no/such/folder.parquet'), [made({})], digestOf)).rejects.toMatchObject({
      name: 'Error',
      isMissing: false,
      hint: 'check the file',
    });
  });
});
