import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const lost = { status: 'stopped_budget', check: 'failed', reason: 'passes' };
const pass = { input_tokens: 90, output_tokens: 10, seconds: 1 };
const passes = (count: number, fields: object = {}): object[] =>
  Array.from({ length: count }, () => ({ ...pass, ...fields }));
const RUNS = put(
  folder,
  'runs.jsonl',
  [
    goodLine('a', { passes: passes(4) }),
    goodLine('b', { passes: passes(8) }),
    goodLine('c', { ...lost, passes: passes(20) }),
  ].join(''),
);
const NONE_GOOD = put(folder, 'lost.jsonl', goodLine('c', { ...lost, passes: passes(20) }));
const POLICY = put(
  folder,
  'policy.yaml',
  'capfit: policy/v1\ncaps: {passes: 9, tokens: 1000}\nrules:\n  - {rule: idle, count: 12}\n',
);

describe('exit codes', () => {
  test.each([
    [0, ['sweep', RUNS]],
    [0, ['sweep', RUNS, '--passes', '3:9:2,none']],
    [0, ['sweep', NONE_GOOD, '--passes', '10']],
    [1, ['sweep', NONE_GOOD]],
    [1, ['sweep', RUNS, '--passes', '10', '--spend', 'usd']],
    [2, ['sweep']],
    [2, ['sweep', RUNS, '--passes', '']],
    [2, ['sweep', RUNS, '--passes', '10,']],
    [2, ['sweep', RUNS, '--passes', '0']],
    [2, ['sweep', RUNS, '--passes', '2.5']],
    [2, ['sweep', RUNS, '--passes', '9:3:1']],
    [2, ['sweep', RUNS, '--passes', '3:9:0']],
    [2, ['sweep', RUNS, '--passes', '3:9']],
    [2, ['sweep', RUNS, '--usd', 'much']],
    [2, ['sweep', RUNS, '--spend', 'money']],
    [2, ['sweep', RUNS, '--csv', '--json']],
    [2, ['sweep', RUNS, '--exempt', 'poll']],
    [2, ['sweep', RUNS, '--policy', POLICY, '--preset', 'roo']],
    [3, ['sweep', 'missing.jsonl']],
  ])('%d: capfit %j', async (code, argv) => {
    expect((await capfit(argv)).code).toBe(code);
  });

  test('too many combinations are told with their number', async () => {
    const { code, err } = await capfit(['sweep', RUNS, '--tokens', '1:2000:1', '--passes', '1:1000:1']);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/2,000,000 combinations of caps are too many\n.*at most 1,000,000/),
    ]);
    expect((await capfit(['sweep', RUNS, '--tokens', '1:9_000_000_000:1'])).err).toMatch(/take larger steps/);
  });

  test('what is no cap is told with an example', async () => {
    const { err } = await capfit(['sweep', RUNS, '--seconds', '60,soon']);
    expect(err).toMatch(/--seconds 60,soon: soon is not a cap\n.*--seconds 60,120.*60:300:30/);
  });
});

describe('every combination', () => {
  test('as JSON', async () => {
    const { out } = await capfit(['sweep', RUNS, '--passes', '6,none', '--tokens', '300:600:300', '--json']);
    const report = JSON.parse(out);
    expect({ ...report, base: null, policies: report.policies.length }).toEqual({
      schema: 'capfit/sweep@1',
      population: 'verified',
      runs: 3,
      verified: 2,
      base: null,
      tried: { passes: [6, null], tokens: [300, 600] },
      recorded: {
        passes: { spend: 32, known_runs: 3 },
        tokens: { spend: 3200, known_runs: 3 },
        seconds: { spend: 32, known_runs: 3 },
        usd: null,
      },
      weighed: 'tokens',
      policies: 4,
    });
    expect(report.policies[1]).toEqual({
      caps: { passes: 6, tokens: 600 },
      false_stops: 1,
      rate: 0.5,
      ci95: [expect.closeTo(0.0126, 4), expect.closeTo(0.9874, 4)],
      stops: 2,
      censored: 0,
      spend: {
        passes: { replayed: 16, reduction: 0.5 },
        tokens: { replayed: 1600, reduction: 0.5 },
        seconds: { replayed: 16, reduction: 0.5 },
        usd: null,
      },
      on_frontier: true,
    });
  });

  test('as CSV, the caps that are kept among them', async () => {
    const { out } = await capfit(['sweep', RUNS, '--policy', POLICY, '--passes', '3,none', '--csv']);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(',').slice(0, 5)),
    ).toEqual([
      ['cap_passes', 'cap_tokens', 'false_stops', 'rate', 'ci95_low'],
      ['3', '1000', '2', '1', expect.any(String)],
      ['none', '1000', '0', '0', '0'],
    ]);
  });

  test('the rules of the policy stop runs, too', async () => {
    const rows = async (...more: string[]): Promise<{ stops: number }[]> =>
      JSON.parse((await capfit(['sweep', RUNS, '--tokens', 'none', '--json', ...more])).out).policies;
    expect((await rows()).map(({ stops }) => stops)).toEqual([0]);
    expect((await rows('--policy', POLICY)).map(({ stops }) => stops)).toEqual([1]);
  });

  test('equals the replay of its policy on the worked example', async () => {
    const swept = await capfit([
      'sweep',
      WORKED_EXAMPLE,
      '--passes',
      '26',
      '--tokens',
      '460000',
      '--seconds',
      '270',
      '--json',
    ]);
    const policy = put(folder, 'example.yaml', 'capfit: policy/v1\ncaps: {passes: 26, tokens: 460000, seconds: 270}\n');
    const replayed = JSON.parse((await capfit(['replay', WORKED_EXAMPLE, '--policy', policy, '--json'])).out);
    const [row] = JSON.parse(swept.out).policies;
    expect(row).toMatchObject({ false_stops: 3, ci95: replayed.false_stops.ci95, rate: replayed.false_stops.rate });
    expect(row.spend.tokens.replayed).toBe(replayed.spend.tokens.replayed);
  });
});

describe('the table', () => {
  test('fits 80 columns, and tells how many were tried', async () => {
    const { out } = await capfit(['sweep', WORKED_EXAMPLE], { columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/343 combinations of caps tried: passes 14, 16, 19, 21, 26, 33, none;/);
    expect(out).toMatch(/^ +26 +none +270 s +2 +0\.65 % +2\.31 % +81 +53\.8 M +72\.9 %$/m);
  });

  test('says what is kept, what is not known, and that more points are in the file', async () => {
    const blind = put(
      folder,
      'blind.jsonl',
      [1, 2, 3].map((at) => goodLine(`r${at}`, { passes: passes(at * 9, at === 1 ? { seconds: null } : {}) })).join(''),
    );
    const kept = await capfit(['sweep', blind, '--policy', POLICY, '--seconds', '5,none', '--claimed']);
    expect(kept.out).toMatch(/Population: claimed, not verified\./);
    expect(kept.out).toMatch(/Kept in all of them: passes 9; tokens 1,000; idle\./);
    expect(kept.out).toMatch(/Not known: seconds in 1 run\./);
    const many = await capfit(['sweep', WORKED_EXAMPLE, '--passes', '2:33:1']);
    expect(many.out).toMatch(/2 more points with more false stops: --csv and --json have them/);
  });

  test('tells of stops whose future is open', async () => {
    const { out } = await capfit(['sweep', RUNS, '--passes', '30']);
    expect(out).toMatch(/Up to 1 run stopped while recording would go on/);
    expect(out).toMatch(/Some figures are not exact/);
  });
});
