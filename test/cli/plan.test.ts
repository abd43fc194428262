import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const lost = { status: 'stopped_budget', check: 'failed', reason: 'passes' };
const pass = { input_tokens: 90, output_tokens: 10, seconds: 1 };
const passes = (count: number): object[] => Array.from({ length: count }, () => pass);
const lines = (count: number, fields: (index: number) => object): string =>
  Array.from({ length: count }, (_, index) => goodLine(`r-${index}`, fields(index))).join('');

const RUNS = put(
  folder,
  'runs.jsonl',
  lines(40, (index) => ({ passes: passes(1 + (index % 9)), labels: { t: `${index % 12}` } })),
);
const FEW = put(
  folder,
  'few.jsonl',
  lines(4, () => ({ passes: passes(3) })),
);
const NONE_GOOD = put(folder, 'lost.jsonl', goodLine('c', { ...lost, passes: passes(20) }));
const ONE = put(folder, 'one.jsonl', goodLine('a', { passes: passes(3) }));
const POLICY = put(folder, 'policy.yaml', 'capfit: policy/v1\ncaps: {passes: 6}\n');

describe('exit codes', () => {
  test.each([
    [0, ['plan']],
    [0, ['plan', RUNS]],
    [0, ['plan', RUNS, '--target', '0.5%', '--confidence', '0.99', '--above', '3', '--policy', POLICY]],
    [1, ['plan', NONE_GOOD]],
    [1, ['plan', NONE_GOOD, '--json']],
    [2, ['plan', '--target', '0']],
    [2, ['plan', '--target', '100%']],
    [2, ['plan', '--target', 'few']],
    [2, ['plan', '--confidence', '100%']],
    [2, ['plan', '--confidence', '10%']],
    [2, ['plan', '--above', '-1']],
    [2, ['plan', '--above', '2.5']],
    [1, ['plan', RUNS, '--above', '40']],
    [2, ['plan', RUNS, '--above', '41']],
    [1, ['plan', ONE]],
    [2, ['plan', RUNS, '--by', 't']],
    [2, ['plan', '--policy', POLICY]],
    [3, ['plan', 'missing.jsonl']],
    [0, ['derive', RUNS, '--cross-validate', '--cluster', 't']],
    [2, ['derive', RUNS, '--cluster', 't']],
    [2, ['derive', RUNS, '--cross-validate', '--cluster', 'nowhere']],
    [2, ['calibrate', RUNS, '--cluster', 'nowhere']],
  ])('%d: capfit %j', async (code, argv) => {
    expect((await capfit(argv)).code).toBe(code);
  });
});

describe('capfit plan', () => {
  test('the worked example in words', async () => {
    const { out } = await capfit(['plan', WORKED_EXAMPLE, '--target', '1%'], { columns: 80 });
    expect(out.replace(/\s+/g, ' ')).toContain(
      "With 95 % confidence you may claim today that the derived caps cut at most 3.4 % of the good runs. For 1 % it takes 739 more verified runs if none of them is cut: about 954 further runs to record, good and bad (907 to 1,012) at today's share of 77.5 %.",
    );
    expect(out).toContain('one cap at its maximum  0 of 310          0   0.97 %           none       none');
    expect(out).not.toContain('runs in all');
  });

  test('the policy that was measured on these very runs counts its caps as chosen', async () => {
    const own = ['plan', WORKED_EXAMPLE, '--policy', 'reports/worked-example/policy.yaml', '--json'];
    const { claims } = JSON.parse((await capfit(own)).out);
    expect(claims.find((each: { caps: string }) => each.caps === 'policy')).toMatchObject({ cut: 3, counted_as: 5 });
    const part = [...own.slice(0, 2), '--where', 'id!=run-0001', ...own.slice(2)];
    const others = JSON.parse((await capfit(part)).out).claims;
    expect(others.find((each: { caps: string }) => each.caps === 'policy')).toMatchObject({ cut: 3, counted_as: 3 });
  });

  test('more above the cap than there are runs is an error that says how many there are', async () => {
    const { err } = await capfit(['plan', RUNS, '--above', '41']);
    expect(err).toContain('--above 41: these are 40 verified runs');
  });

  test('the help lists no flag that is always refused', async () => {
    expect((await capfit(['plan', '--help'])).out).not.toContain('--by');
  });

  test('a confidence is no 100 %', async () => {
    const { out } = await capfit(['plan', '--confidence', '99.9999999%']);
    expect(out).toContain('(99.9999999 % confidence)');
    expect(out).not.toContain('100 %');
  });

  test('nothing verified is said in words', async () => {
    const { out } = await capfit(['plan', NONE_GOOD]);
    expect(out).toContain('Nothing can be claimed: none of 1 run is a verified success.');
    expect(out).not.toMatch(/NaN|Infinity|null|undefined/);
  });
});

describe('how sure', () => {
  test('derive shows the cross-validated rate when asked, calibrate always', async () => {
    expect((await capfit(['derive', RUNS])).out).not.toContain('cross-validated');
    for (const argv of [
      ['derive', RUNS, '--cross-validate'],
      ['calibrate', RUNS],
    ]) {
      expect((await capfit(argv)).out).toContain('runs set aside (cross-validated)');
    }
  });

  test('both give the same figures as JSON', async () => {
    const derived = JSON.parse((await capfit(['derive', RUNS, '--cross-validate', '--cluster', 't', '--json'])).out);
    const calibrated = JSON.parse((await capfit(['calibrate', RUNS, '--cluster', 't', '--json'])).out);
    expect(derived.cross_validated).toEqual(calibrated.cross_validated);
    expect(derived.cross_validated).toMatchObject({ successes: 40, folds: 10, cluster: { label: 't', tasks: 12 } });
    expect(JSON.parse((await capfit(['derive', RUNS, '--json'])).out)).not.toHaveProperty('cross_validated');
  });

  test('the caps alone cut in the sample what the replay says', async () => {
    const { ladder, cross_validated } = JSON.parse((await capfit(['calibrate', WORKED_EXAMPLE, '--json'])).out);
    const { count, rate, ci95 } = ladder[1].replay.false_stops;
    expect(cross_validated.in_sample).toEqual({ count, rate, ci95, rate_at_most: null });
    expect(cross_validated.counts).toHaveLength(10);
  });

  test('caps without padding: the figure of the sample is marked, and the other offered', async () => {
    const argv = ['derive', WORKED_EXAMPLE, '--padding', '1', '--cross-validate'];
    const { out } = await capfit(argv);
    expect(out).toMatch(/0\.20 % to 2\.80 % \[\d\]/);
    expect(out).toContain('(in_sample_interval)');
    expect(out).toContain('(in_sample_optimism)');
    const padded = JSON.parse((await capfit([...argv.slice(0, 2), '--cross-validate', '--json'])).out);
    expect(padded.warnings.map(({ code }: { code: string }) => code)).not.toContain('in_sample_interval');
    expect(padded.warnings.map(({ code }: { code: string }) => code)).not.toContain('in_sample_optimism');
  });

  test('too few to set any aside: the reason instead of a rate', async () => {
    const { out } = await capfit(['calibrate', FEW]);
    expect(out.replace(/\s+/g, ' ')).toContain('Not cross-validated: 4 successes are too few to set some aside');
    expect((await capfit(['calibrate', NONE_GOOD])).code).toBe(1);
  });
});
