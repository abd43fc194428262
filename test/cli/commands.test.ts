import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const POLICY = 'reports/worked-example/policy.yaml';

describe('exit codes', () => {
  test.each([
    [0, ['--version']],
    [0, ['--help']],
    [0, ['calibrate', '--help']],
    [0, ['derive', WORKED_EXAMPLE]],
    [2, ['derive']],
    [2, ['nonsense']],
    [2, ['derive', WORKED_EXAMPLE, '--nonsense']],
    [2, ['derive', WORKED_EXAMPLE, '--p', '1.5']],
    [2, ['derive', WORKED_EXAMPLE, '--p', '0.99', '--false-stop', '1%']],
    [2, ['derive', WORKED_EXAMPLE, '--padding', '0.9']],
    [2, ['derive', WORKED_EXAMPLE, '--round', 'tokens=0.5']],
    [2, ['derive', WORKED_EXAMPLE, '--method', 'guess']],
    [2, ['derive', WORKED_EXAMPLE, '--where', 'kind']],
    [2, ['derive', WORKED_EXAMPLE, '--by', 'kidn']],
    [2, ['derive', WORKED_EXAMPLE, '--p', '0.99999999999999999']],
    [2, ['derive', WORKED_EXAMPLE, '--padding', '1e400']],
    [2, ['derive', WORKED_EXAMPLE, '--round', 'tokens=1e30']],
    [2, ['calibrate', WORKED_EXAMPLE, '--date', 'yesterday']],
    [3, ['calibrate', WORKED_EXAMPLE, '--out', 'package.json/x']],
    [2, ['derive', WORKED_EXAMPLE, '--from', 'xml']],
    [2, ['calibrate', WORKED_EXAMPLE, '--repeat', '1']],
    [2, ['calibrate', WORKED_EXAMPLE, '--no-repeat', '--exempt', 'x']],
    [2, ['card']],
    [2, ['replay', WORKED_EXAMPLE]],
    [2, ['generate', '--profile', 'none']],
    [2, ['generate', '--runs', '-1']],
    [2, ['convert', WORKED_EXAMPLE, '-o', 'runs.xml']],
    [3, ['replay', WORKED_EXAMPLE, '--policy', 'none.yaml']],
    [1, ['derive', WORKED_EXAMPLE, '--where', 'kind=none']],
    [1, ['derive', WORKED_EXAMPLE, '--where', 'kind=stuck']],
    [1, ['calibrate', WORKED_EXAMPLE, '--where', 'kind=stuck']],
    [1, ['card', WORKED_EXAMPLE, '--where', 'kind=stuck']],
  ])('%d: capfit %j', async (code, argv) => {
    expect((await capfit(argv)).code).toBe(code);
  });

  test('a mistyped command or option is answered with the nearest one, on standard error', async () => {
    expect((await capfit(['calbrate', 'x'])).err).toMatch(/Did you mean calibrate\?/);
    expect(await capfit(['derive', 'x', '--paddin', '2'])).toMatchObject({
      out: '',
      err: expect.stringMatching(/Did you mean --padding\?/),
    });
  });

  test('every command shows an example in its help', async () => {
    for (const command of ['calibrate', 'derive', 'replay', 'audit', 'card', 'convert', 'generate']) {
      expect((await capfit([command, '--help'])).out).toMatch(new RegExp(`Examples?:\\n {2}\\$ capfit ${command} `));
    }
  });
});

describe('derive', () => {
  const derived = async (
    ...argv: string[]
  ): Promise<{
    caps: Record<string, { cap: number; p: number; rank: number | null; unit: number; method: string } | null>;
    [key: string]: unknown;
  }> => JSON.parse((await capfit(['derive', WORKED_EXAMPLE, '--json', ...argv])).out);

  test('the accepted rate can be said in three ways', async () => {
    const answers = [
      await derived('--false-stop', '5%'),
      await derived('--p', '0.95'),
      await derived('--false-stop', '0.05'),
      await derived('--p', 'p95'),
    ];
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(answers[0]?.caps.passes).toMatchObject({ p: 0.95, rank: 295, cap: 20 });
  });

  test('units by hand, padding, method', async () => {
    expect((await derived('--round', 'tokens=1000', '--round', 'seconds=1')).caps).toMatchObject({
      tokens: { cap: 452_000, unit: 1000 },
      seconds: { cap: 254 },
    });
    expect((await derived('--padding', '1')).caps.passes).toMatchObject({ cap: 21 });
    expect((await derived('--method', 'linear')).caps.passes).toMatchObject({ method: 'linear', rank: null });
  });

  test('--where and --by', async () => {
    expect(await derived('--where', 'kind=success')).toMatchObject({ runs: 310, verified: 310 });
    expect(await derived('--where', 'kind!=success', '--where', 'status=halted_error')).toMatchObject({ runs: 11 });
    const { groups } = (await derived('--by', 'kind')) as unknown as {
      groups: { labels: object; runs: number; verified: number }[];
    };
    const counts = groups.map(
      ({ labels, runs, verified }) => [(labels as { kind: string }).kind, [runs, verified]] as const,
    );
    expect(Object.fromEntries(counts)).toEqual({ halt: [11, 0], stuck: [53, 0], success: [310, 310], wander: [26, 0] });
  });

  test('claimed runs widen the population and every output says so', async () => {
    const path = put(
      folder,
      'claimed.jsonl',
      goodLine('a', { status: 'done_claimed', check: 'none', claim: 'completed' }) +
        goodLine('b', { status: 'done_claimed', check: 'none', claim: 'blocked' }) +
        goodLine('c', { status: 'done_claimed', check: 'failed' }),
    );
    expect(await capfit(['derive', path, '--json'])).toMatchObject({ code: 1 });
    const widened = await capfit(['derive', path, '--json', '--claimed']);
    expect([widened.code, JSON.parse(widened.out)]).toEqual([
      0,
      expect.objectContaining({ verified: 1, population: 'claimed, not verified' }),
    ]);
    for (const command of ['derive', 'calibrate', 'card']) {
      expect((await capfit([command, path, '--claimed'])).out).toContain('claimed, not verified');
    }
    const unchecked = put(folder, 'unchecked.jsonl', goodLine('a', { status: 'done_claimed', check: 'none' }));
    expect((await capfit(['calibrate', unchecked])).out).toContain('(no_check)');
    expect((await capfit(['calibrate', path])).out).toContain('(no_verified)');
  });

  test('runs without passes are warned about and enter no percentile', async () => {
    const path = put(folder, 'zero.jsonl', goodLine('a') + goodLine('zero', { passes: [] }));
    const report = JSON.parse((await capfit(['derive', path, '--json'])).out);
    expect(report).toMatchObject({ runs: 2, verified: 1, quantiles: { passes: { n: 1, p50: 1 } } });
    expect(report.warnings.map(({ code }: { code: string }) => code)).toContain('zero_pass_runs');
  });

  test('a success that was stopped counts, apart, unless --finished-only', async () => {
    const path = put(
      folder,
      'late.jsonl',
      goodLine('a') + goodLine('late', { status: 'stopped_budget', reason: 'passes' }),
    );
    expect(JSON.parse((await capfit(['derive', path, '--json'])).out)).toMatchObject({
      verified: 2,
      passed_unfinished: 1,
    });
    expect(JSON.parse((await capfit(['derive', path, '--json', '--finished-only'])).out)).toMatchObject({
      verified: 1,
      passed_unfinished: 0,
    });
  });
});

describe('calibrate --out', () => {
  test('writes policy, card and replay, and the policy replays to the same', async () => {
    const out = join(folder, 'policy', 'deep');
    const { code } = await capfit([
      'calibrate',
      WORKED_EXAMPLE,
      '--out',
      out,
      '--repeat',
      '4',
      '--exempt',
      'poll',
      '--key',
      'request',
    ]);
    expect(code).toBe(0);
    const replayed = await capfit(['replay', WORKED_EXAMPLE, '--policy', join(out, 'policy.yaml'), '--json']);
    expect(JSON.parse(replayed.out)).toEqual(JSON.parse(readFileSync(join(out, 'replay.json'), 'utf8')));
    expect(readFileSync(join(out, 'policy.yaml'), 'utf8')).toMatch(
      /key: request\n {4}count: 4\n {4}exempt:\n {6}- poll\n/,
    );
    expect(readFileSync(join(out, 'card.md'), 'utf8')).toMatch(/^# Stop-policy card/);
  });

  test('writes nothing where no cap can be derived', async () => {
    const out = join(folder, 'nothing');
    expect((await capfit(['calibrate', WORKED_EXAMPLE, '--where', 'kind=stuck', '--out', out])).code).toBe(1);
    expect(existsSync(out)).toBe(false);
  });
});

describe('card', () => {
  test.each(['text', 'markdown', 'json', 'yaml'])('of a policy file as %s', async (format) => {
    const { code, out } = await capfit(['card', '--policy', POLICY, '--format', format]);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('p99 of verified successes (21) x 1.2 = 25.2, rounded up to 26'),
    ]);
  });

  test('of runs, of a policy held against runs, and into a file', async () => {
    const path = join(folder, 'card.md');
    expect((await capfit(['card', WORKED_EXAMPLE])).out).toContain('3 of 310 verified successes = 0.97 %');
    expect((await capfit(['card', WORKED_EXAMPLE, '--policy', POLICY, '--format', 'markdown', '-o', path])).out).toBe(
      '',
    );
    expect(readFileSync(path, 'utf8')).toContain('3 of 310 verified successes = 0.97 %');
  });
});

describe('convert and generate', () => {
  test('to CSV and back gives the same calibration', async () => {
    const csv = join(folder, 'runs.csv.gz');
    const back = join(folder, 'back.jsonl');
    await capfit(['convert', WORKED_EXAMPLE, '-o', csv]);
    await capfit(['convert', csv, '-o', back, '--to', 'jsonl']);
    expect(gunzipSync(readFileSync(csv)).toString('utf8')).toBe(
      readFileSync('datasets/worked-example/runs.csv', 'utf8'),
    );
    expect(readFileSync(back, 'utf8')).toBe(readFileSync(WORKED_EXAMPLE, 'utf8'));
  });

  test('a summary is enough to derive the same caps, and its replay says approximate', async () => {
    const path = join(folder, 'summary.csv');
    await capfit(['convert', WORKED_EXAMPLE, '-o', path, '--to', 'csv-summary']);
    const whole = JSON.parse((await capfit(['derive', WORKED_EXAMPLE, '--json'])).out);
    expect(JSON.parse((await capfit(['derive', path, '--json'])).out)).toMatchObject({
      caps: whole.caps,
      quantiles: whole.quantiles,
    });
    const replay = JSON.parse((await capfit(['replay', path, '--policy', POLICY, '--json'])).out);
    // Exact for passes: 2 successes made more than 26. For tokens: 3 reach the cap in total, 2 of them are cut by passes.
    expect(replay).toMatchObject({
      approximate: true,
      false_stops: { count: 2 },
      bounds: { false_stops: [2, 3], verified_finished: [307, 308] },
    });
    expect(replay.bounds.spend.tokens.reduction[1]).toBeGreaterThan(0.815);
    expect(replay.spend.tokens.reduction).toBeLessThan(0.73);
    expect(replay.not_judged.repeats).toBe(400);
  });

  test('the same seed gives the same bytes, another seed others; standard output holds nothing else', async () => {
    const seven = await capfit(['generate', '--runs', '20', '--seed', '7', '--profile', 'coding-agent']);
    expect(seven.out.trim().split('\n')).toHaveLength(20);
    expect((await capfit(['generate', '--runs', '20', '--seed', '7', '--profile', 'coding-agent'])).out).toBe(
      seven.out,
    );
    expect((await capfit(['generate', '--runs', '20', '--seed', '8', '--profile', 'coding-agent'])).out).not.toBe(
      seven.out,
    );
    const { out } = await capfit(['generate', '--list']);
    expect(out).toContain('worked-example\n');
  });

  test('generated runs are read back without a problem, for every profile and form', async () => {
    for (const profile of ['worked-example', 'coding-agent', 'polling-support', 'alternating', 'open-ended']) {
      for (const name of ['g.jsonl', 'g.csv']) {
        const path = join(folder, name);
        await capfit(['generate', '--profile', profile, '--runs', '60', '--seed', '1', '-o', path]);
        expect(JSON.parse((await capfit(['derive', path, '--json'])).out)).toMatchObject({ runs: 60 });
      }
    }
  });
});

describe('several inputs are one set', () => {
  const [one, two] = [goodLine('a'), goodLine('b')];
  test('files, folders, globs and standard input', async () => {
    const nest = join(folder, 'set', 'inner');
    await capfit(['generate', '--runs', '3', '--seed', '1', '-o', join(nest, 'g.jsonl.gz')]);
    put(join(folder, 'set'), 'one.jsonl', one);
    put(nest, 'two.jsonl', two);
    put(nest, 'notes.md', '# notes\n');
    const whole = await capfit(['derive', join(folder, 'set'), '--json']);
    expect(JSON.parse(whole.out)).toMatchObject({ runs: 5 });
    expect(whole.err).toMatch(/1 file without recorded runs in a known form:\n.*notes\.md/);
    // An evaluation that was cancelled before its first sample: a file like any other in a folder, a fault by name.
    const empty = put(nest, 'cancelled.json', readFileSync('test/formats/fixtures/inspect/no-samples/none.json'));
    expect((await capfit(['derive', join(folder, 'set')])).err).toMatch(
      /2 files without.*\n.*cancelled\.json \(the log holds no samples \(status \w+\)\)\n.*notes\.md/,
    );
    expect(await capfit(['derive', empty])).toMatchObject({ code: 3 });
    rmSync(empty);
    const globbed = await capfit(['derive', join(folder, 'set/**/*.jsonl'), '--json']);
    expect(JSON.parse(globbed.out)).toMatchObject({ runs: 2 });
    const mixed = await capfit(['derive', join(folder, 'set/one.jsonl'), '-', '--json'], { input: two });
    expect(JSON.parse(mixed.out)).toMatchObject({ runs: 2 });
    expect(await capfit(['derive', '-', '-'], { input: two })).toMatchObject({ code: 2 });
  });
});
