import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasClient, NEEDS_CLIENT } from '../engine/client.js';
import { capfit, goodLine, put, type Ran, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const POLICY = 'reports/worked-example/policy.yaml';
const folder = scratchFolder();

/** What a command says in memory and asked of DuckDB. */
async function both(argv: readonly string[]): Promise<[here: Ran, there: Ran]> {
  return [await capfit(argv), await capfit([...argv, '--engine', 'duckdb'])];
}

async function converted(name: string): Promise<string> {
  const path = join(folder, name);
  await capfit(['convert', WORKED_EXAMPLE, '-o', path]);
  return path;
}

describe.skipIf(!hasClient)(`--engine duckdb (${NEEDS_CLIENT})`, () => {
  test.each([
    ['derive', WORKED_EXAMPLE],
    ['derive', WORKED_EXAMPLE, '--by', 'kind', '--false-stop', '5%', '--method', 'linear'],
    ['derive', WORKED_EXAMPLE, '--where', 'kind!=success', '--claimed'],
    ['replay', WORKED_EXAMPLE, '--policy', POLICY, '--by', 'kind'],
    ['replay', WORKED_EXAMPLE, '--preset', 'six-conditions'],
    ['replay', WORKED_EXAMPLE, '--preset', 'eight-turns', '--where', 'status=done_verified'],
    ['replay', WORKED_EXAMPLE, '--preset', 'three-exits', '--exempt', 'search'],
    ['sweep', WORKED_EXAMPLE],
    ['sweep', WORKED_EXAMPLE, '--passes', '10:40:3,none', '--steps', '40,100', '--finished-only'],
  ])('%s %s %s %s %s %s: the JSON of memory', async (...argv) => {
    const [here, there] = await both([...argv, '--json']);
    expect(there).toStrictEqual(here);
    expect(here.out).toMatch(/^\{/);
  });

  test('reads what memory reads: Parquet, CSV, packed and several files, in their order', async () => {
    const expected = await capfit(['derive', WORKED_EXAMPLE, '--json']);
    const grouped = await capfit(['derive', WORKED_EXAMPLE, '--json', '--by', 'kind']);
    for (const name of ['runs.parquet', 'runs.csv', 'runs.jsonl.gz']) {
      const argv = ['derive', await converted(name), '--engine', 'duckdb', '--json'];
      expect(await capfit(argv)).toStrictEqual(expected);
      expect(await capfit([...argv, '--by', 'kind'])).toStrictEqual(grouped);
    }
    const mixed = [join(folder, 'runs.parquet'), put(folder, 'more.jsonl', goodLine('one more'))];
    const [here, there] = await both(['replay', ...mixed, '--policy', POLICY, '--json']);
    expect(there).toStrictEqual(here);
    expect(JSON.parse(there.out).runs).toBe(401);
  });

  test('sweeps print the same rows as CSV, and the same frontier as text', async () => {
    const [here, there] = await both(['sweep', WORKED_EXAMPLE, '--passes', '10,20', '--csv']);
    expect(there).toStrictEqual(here);
    const [text, same] = await both(['sweep', WORKED_EXAMPLE, '--value', '400_000tokens']);
    expect(same).toStrictEqual(text);
  });

  test('a bad record ends it with its line, and is left out where that is asked for', async () => {
    const path = put(folder, 'bad.jsonl', `${goodLine('a')}{"id": 1}\n${goodLine('b')}`);
    const [here, there] = await both(['derive', path]);
    expect(there).toStrictEqual(here);
    expect(there.code).toBe(3);
    expect(there.err).toContain('bad.jsonl:2');
    const [left, right] = await both(['derive', path, '--on-error', 'skip', '--json']);
    expect(right).toStrictEqual(left);
  });

  test('an id that occurs in two files ends it, whichever way they are read', async () => {
    const { code, err } = await capfit([
      'derive',
      await converted('twice.parquet'),
      put(folder, 'again.jsonl', goodLine('run-0007')),
      '--engine',
      'duckdb',
    ]);
    expect(code).toBe(3);
    expect(err).toContain('run-0007');
  });

  test('nothing is left on the disk', async () => {
    const before = readdirSync(tmpdir()).filter((name) => /^capfit-.{6}$/.test(name));
    await capfit(['derive', WORKED_EXAMPLE, '--engine', 'duckdb']);
    await capfit(['derive', put(folder, 'worse.jsonl', '{\n'), '--engine', 'duckdb']);
    expect(readdirSync(tmpdir()).filter((name) => /^capfit-.{6}$/.test(name))).toStrictEqual(before);
  });

  test('a label that no run has is told with those there are', async () => {
    const [here, there] = await both(['derive', WORKED_EXAMPLE, '--by', 'kimd']);
    expect(there).toStrictEqual(here);
    expect(there.code).toBe(2);
  });

  test.each([['kind=x'], ['kind=sucess'], ['knid=success'], ['status=running', 'kind=stuck']])(
    '--where %s, which no run meets, is told as in memory',
    async (...conditions) => {
      const argv = ['derive', WORKED_EXAMPLE, ...conditions.flatMap((each) => ['--where', each])];
      const [here, there] = await both(argv);
      expect(there).toStrictEqual(here);
      expect(there.code).toBe(1);
    },
  );

  test('a sweep that records cannot bear says what they lack', async () => {
    const unpriced = await capfit(['sweep', WORKED_EXAMPLE, '--usd', '1,2', '--engine', 'duckdb']);
    expect([unpriced.code, unpriced.err]).toStrictEqual([
      2,
      expect.stringContaining('their usd are not all known (400)'),
    ]);
    const totals = put(folder, 'totals.jsonl', goodLine('a', { passes: null, totals: { passes: 3, tokens: 40 } }));
    const { code, err } = await capfit(['sweep', totals, '--tokens', '20', '--engine', 'duckdb']);
    expect([code, err]).toStrictEqual([2, expect.stringContaining('their passes are not all recorded (1)')]);
  });

  test('a sweep keeps the caps of a policy without rules, and of no other', async () => {
    const caps = put(
      folder,
      'caps.yaml',
      'capfit: policy/v1\ncaps: {passes: 26, tokens: 460000}\norder: [tokens, passes]\n',
    );
    const [here, there] = await both([
      'sweep',
      WORKED_EXAMPLE,
      '--seconds',
      '150,200,none',
      '--policy',
      caps,
      '--json',
    ]);
    expect(there).toStrictEqual(here);
    const empty = put(folder, 'empty.yaml', 'capfit: policy/v1\n');
    const [one, other] = await both(['sweep', WORKED_EXAMPLE, '--passes', '10,20', '--policy', empty, '--json']);
    expect(other).toStrictEqual(one);
    const ruled = await capfit(['sweep', WORKED_EXAMPLE, '--passes', '9', '--policy', POLICY, '--engine', 'duckdb']);
    expect([ruled.code, ruled.err]).toStrictEqual([2, expect.stringContaining('a sweep with rules is not asked')]);
  });

  test('long lists of caps', async () => {
    const [here, there] = await both(['sweep', WORKED_EXAMPLE, '--seconds', '100:300:0.2', '--csv']);
    expect(there).toStrictEqual(here);
    expect(there.out.split('\n').length).toBeGreaterThan(1000);
  });

  test('a temporary folder that cannot be made', async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = join(folder, 'nowhere');
    try {
      const { code, err } = await capfit(['derive', WORKED_EXAMPLE, '--engine', 'duckdb']);
      expect([code, err]).toStrictEqual([3, expect.stringContaining('no temporary folder can be made in')]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

describe('what a database is not asked', () => {
  test.each([
    [['derive', WORKED_EXAMPLE, '--engine', 'duckdb', '--joint'], '--joint is not asked of a database'],
    [['derive', WORKED_EXAMPLE, '--engine', 'duckdb', '--cross-validate'], '--cross-validate is not asked'],
    [['sweep', WORKED_EXAMPLE, '--engine', 'duckdb', '--repeat', '2,3'], '--repeat is not asked'],
    [['derive', WORKED_EXAMPLE, '--engine', 'duckdb', '--outcomes', 'x.csv'], '--outcomes is not asked'],
    [['derive', 't', '--engine', 'clickhouse', '--prices', 'builtin'], '--prices is not asked'],
    [['derive', 't', 'u', '--engine', 'clickhouse'], 'asks one table or view'],
    [['derive', 't', '--engine', 'postgres'], '--engine postgres: unknown'],
    [['derive', WORKED_EXAMPLE, '--engine-memory', '1GB'], '--engine-memory is for --engine'],
    [['derive', WORKED_EXAMPLE, '--engine', 'duckdb', '--engine-memory', 'lots'], 'not a size'],
    [['derive', 't', '--engine', 'clickhouse', '--engine-timeout', '0'], 'not a whole number'],
  ])('%j', async (argv, message) => {
    const { code, out, err } = await capfit(argv);
    expect([code, out]).toStrictEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toContain('\n');
  });

  test('no server is named', async () => {
    const { code, err } = await capfit(['derive', 't', '--engine', 'clickhouse'], { env: {} });
    expect(code).toBe(3);
    expect(err).toContain('CAPFIT_CLICKHOUSE_URL');
  });
});
