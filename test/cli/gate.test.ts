import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseOpenMetrics } from '../report/openmetrics.js';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const POLICY = 'reports/worked-example/policy.yaml';
const folder = scratchFolder();
const lines = readFileSync(WORKED_EXAMPLE, 'utf8').trim().split('\n');

/** The example with every verified success made twice as long. */
const LONGER = put(
  folder,
  'longer.jsonl',
  lines
    .map((line) => {
      const run = JSON.parse(line) as { check: string; passes: unknown[] };
      return JSON.stringify(run.check === 'passed' ? { ...run, passes: [...run.passes, ...run.passes] } : run);
    })
    .join('\n'),
);

describe('capfit check', () => {
  test('passes with 0, fails with 1, and says which number and which bound', async () => {
    const passed = await capfit(['check', WORKED_EXAMPLE, '--policy', POLICY, '--max-halts', '5']);
    expect([passed.code, passed.err]).toEqual([0, '']);
    expect(passed.out).toContain('Passed.');
    const failed = await capfit(['check', WORKED_EXAMPLE, '--policy', POLICY, '--max-stopped', '20%']);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('- error: stopped_budget: 82 of 400 runs = 20.5 %; bound 20 % (stopped)');
    expect(failed.out).toContain('- error: alarming halts: 5 of 400 (permission_denied 5); bound 0 (halted)');
  });

  test('as JSON', async () => {
    const { code, out } = await capfit(['check', LONGER, '--policy', POLICY, '--against', WORKED_EXAMPLE, '--json']);
    const report = JSON.parse(out) as { passed: boolean; schema: string; findings: { code: string }[] };
    expect([code, report.schema, report.passed]).toEqual([1, 'capfit/check@1', false]);
    expect(report.findings.map((finding) => finding.code)).toContain('drift_rank_passes');
  });

  test('as JUnit into a file, as workflow commands', async () => {
    const file = join(folder, 'out', 'junit.xml');
    const argv = ['check', WORKED_EXAMPLE, '--policy', POLICY];
    const { code, out } = await capfit([...argv, '--format', 'junit', '-o', file]);
    expect([code, out]).toEqual([1, '']);
    expect(readFileSync(file, 'utf8')).toContain('<failure type="halted"');
    const github = await capfit([...argv, '--format', 'github', '--max-age', '10d']);
    expect(github.out.split('\n')).toEqual([
      expect.stringMatching(
        /^::error file=reports\/worked-example\/policy\.yaml,title=capfit card_age::age of the measurement: 56 days/,
      ),
      expect.stringMatching(/^::error file=.*,title=capfit halted::/),
      expect.stringMatching(/^::notice file=.*,title=capfit trips_often::/),
      'Failed: 2 errors.',
      '',
    ]);
  });

  test('ages and overdue records by the moment it is told', async () => {
    const runs = put(
      folder,
      'open.jsonl',
      goodLine('a') + goodLine('b', { status: 'running', check: 'none', started_at: '2026-05-01T09:00:00Z' }),
    );
    const policy = put(folder, 'p.yaml', 'capfit: policy/v1\ncaps: {seconds: 60}\n');
    const at = async (today: string): Promise<number> =>
      (await capfit(['check', runs, '--policy', policy, '--today', today])).code;
    expect(await at('2026-05-01')).toBe(0);
    expect(await at('2026-05-01T09:00:59Z')).toBe(0);
    expect(await at('2026-05-01T09:01:01Z')).toBe(1);
    expect(await at('2026-05-02')).toBe(1);
  });

  test.each([
    [['--max-stopped', '20'], '--max-stopped 20: not a share from 0 to 1'],
    [['--max-false-stops', '-1%'], '--max-false-stops -1%: not a share from 0 to 1'],
    [['--max-halts', '1.5'], '--max-halts 1.5: not a whole number'],
    [['--max-age', '3w'], '--max-age 3w: not a whole number'],
    [['--alarm-rate', '0'], '--alarm-rate 0: not between 0 and 1'],
    [['--today', '2026-02-31'], '--today 2026-02-31: neither a day nor a moment'],
    [
      ['--against', WORKED_EXAMPLE, '--on-error', 'quarantine', 'bad.jsonl'],
      '--on-error quarantine keeps the bad records',
    ],
  ])('%j is wrong usage', async (flags, message) => {
    const { code, err, out } = await capfit(['check', WORKED_EXAMPLE, '--policy', POLICY, ...flags]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('needs a policy that can be read', async () => {
    expect((await capfit(['check', WORKED_EXAMPLE])).code).toBe(2);
    expect((await capfit(['check', WORKED_EXAMPLE, '--policy', 'none.yaml'])).code).toBe(3);
  });
});

describe('capfit drift', () => {
  test('ends with 0 whatever moved, with 1 where that is asked for', async () => {
    const same = await capfit(['drift', WORKED_EXAMPLE, 'datasets/worked-example/runs.csv', '--fail-on-drift']);
    expect(same.code).toBe(0);
    expect(same.out.replace(/\s+/g, ' ')).toMatch(
      /Not moved, as far as 310 old and 310 new successes can tell: no sign of it in 12 tests taken together\. A smaller shift than this would not have been seen: every success taking/,
    );
    const moved = await capfit(['drift', WORKED_EXAMPLE, LONGER]);
    expect(moved.code).toBe(0);
    expect(moved.out).toContain('Moved: new successes take more (passes');
    expect(moved.out.replace(/\s+/g, ' ')).toMatch(
      /- passes: of each 100 pairs of an old and a new success, the new one takes more in \d\d\.?\d* \(50 if nothing moved\); p50 \d+ -> \d+ and p99/,
    );
    expect((await capfit(['drift', WORKED_EXAMPLE, LONGER, '--fail-on-drift', '--json'])).code).toBe(1);
  });

  test('a gate that cannot tell has not passed', async () => {
    const [one, longer] = [put(folder, 'one.jsonl', goodLine('a')), put(folder, 'other.jsonl', goodLine('b'))];
    const told = await capfit(['drift', one, longer]);
    expect([told.code, told.out.includes('Cannot tell: 1 old and 1 new success')]).toEqual([0, true]);
    expect((await capfit(['drift', one, longer, '--fail-on-drift'])).code).toBe(1);
  });

  test('fits 80 columns, the figures of every test whole', async () => {
    const { out } = await capfit(['drift', WORKED_EXAMPLE, LONGER]);
    const row = out.split('\n').find((line) => line.startsWith('tokens') && line.includes('above p99'));
    expect(row?.trimEnd().split(/ {2,}/)).toEqual([
      ...['tokens', 'above p99', '14 of 310', '4', '16', 'up', expect.any(String)],
    ]);
    expect(row?.length).toBeLessThanOrEqual(80);
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /under the old caps [\d.]+ % of the new good runs are cut, and at least [\d.]+ % by the interval, where 1 % is accepted/,
    );
    const narrow = await capfit(['drift', WORKED_EXAMPLE, LONGER], { columns: 80 });
    expect(Math.max(...narrow.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('one set in two, by date or halfway, and what the old caps do to the newer runs', async () => {
    const half = await capfit(['drift', WORKED_EXAMPLE, '--split-half', '--json']);
    expect(JSON.parse(half.out)).toMatchObject({
      split: { at: '2026-03-04T03:47:57.000Z', by: 'half', undated: 0 },
      old: { runs: 200, verified: 152 },
      new: { runs: 200, verified: 158 },
      answer: 'not moved',
      caps: { from: 'old runs', limits: { passes: 35 }, old: { false_stops: { count: 1 } } },
    });
    const dated = await capfit(['drift', WORKED_EXAMPLE, '--split-at', '2026-03-02', '--policy', POLICY]);
    expect(dated.out).toContain('New are the runs that started at 2026-03-02T00:00:00.000Z or later; old those');
    expect(dated.out.replace(/\s+/g, ' ')).toContain(
      'caps: 26 passes, 460,000 tokens, 270 s, repeats; the policy named',
    );
    const undated = put(folder, 'undated.jsonl', goodLine('a') + goodLine('b', { started_at: '2026-05-01T09:00:00Z' }));
    const told = await capfit(['drift', undated, WORKED_EXAMPLE, '--split-at', '2026-04-01']);
    expect(told.out.replace(/\s+/g, ' ')).toContain('1 run without a known start is left out.');
  });

  test.each([
    [2, [WORKED_EXAMPLE, '--split-at', '2026-03-02', '--split-half'], 'both say where to split'],
    [2, [WORKED_EXAMPLE, '--split-at', 'March'], '--split-at March: neither a day nor a moment'],
    [1, [WORKED_EXAMPLE, '--split-at', '2026-03-01'], 'no run started before 2026-03-01T00:00:00.000Z'],
    [1, [WORKED_EXAMPLE, '--split-at', '2027-01-01'], 'no run started from 2027-01-01T00:00:00.000Z on'],
    [1, [put(folder, 'no-date.jsonl', goodLine('a')), '--split-half'], 'no run says when it started'],
    [
      1,
      [put(folder, 'at-once.jsonl', goodLine('a', { started_at: '2026-05-01T09:00:00Z' })), '--split-half'],
      'all runs started at once',
    ],
    [3, [WORKED_EXAMPLE, '--split-half', '--policy', 'none.yaml'], 'none.yaml'],
  ])('%d: drift %j: %s', async (code, argv, message) => {
    const told = await capfit(['drift', ...argv]);
    expect([told.code, told.out]).toEqual([code, '']);
    expect(told.err).toContain(message);
  });

  test.each([[[WORKED_EXAMPLE]], [[WORKED_EXAMPLE, WORKED_EXAMPLE, LONGER]]])('%j are not two sets', async (sets) => {
    const { code, err } = await capfit(['drift', ...sets]);
    expect(code).toBe(2);
    expect(err).toContain('drift compares two sets of runs');
  });
});

describe('capfit metrics', () => {
  test('of the example, by kind and under its policy', async () => {
    const { code, out } = await capfit(['metrics', WORKED_EXAMPLE, '--label', 'kind', '--policy', POLICY]);
    const families = parseOpenMetrics(out);
    expect(code).toBe(0);
    expect(families.get('capfit_runs')?.samples).toContainEqual({
      labels: { status: 'stopped_budget', reason: 'passes', kind: 'stuck' },
      value: 53,
    });
    expect(families.get('capfit_success_tokens')?.samples.map(({ value }) => value)).toEqual([
      49_082, 183_482, 376_035,
    ]);
    expect(families.get('capfit_policy_false_stop_runs')?.samples[0]?.value).toBe(3);
  });

  test('into a file; a label that no run has is wrong usage', async () => {
    const file = join(folder, 'capfit.prom');
    expect((await capfit(['metrics', WORKED_EXAMPLE, '-o', file])).code).toBe(0);
    expect(parseOpenMetrics(readFileSync(file, 'utf8')).size).toBe(6);
    const label = await capfit(['metrics', WORKED_EXAMPLE, '--label', 'nope']);
    expect([label.code, label.err.includes('--label nope: no run has that label')]).toEqual([2, true]);
    const by = await capfit(['metrics', WORKED_EXAMPLE, '--by', 'nope']);
    expect([by.code, by.err.includes('--by nope: no run has that label')]).toEqual([2, true]);
    expect((await capfit(['metrics', WORKED_EXAMPLE, '--max-series', '3'])).code).toBe(2);
  });
});

describe('docs/github-actions/capfit-check.yml', () => {
  interface Workflow {
    readonly on: object;
    readonly jobs: {
      readonly check: { readonly env: Record<string, string>; readonly steps: { readonly run?: string }[] };
    };
  }
  const workflow = parse(readFileSync('docs/github-actions/capfit-check.yml', 'utf8')) as Workflow;
  const runs = workflow.jobs.check.steps.flatMap(({ run }) => (run === undefined ? [] : run.trim().split('\n')));
  const commands = runs.filter((command) => command.includes('capfit'));

  test('is a workflow with commands and without secrets', () => {
    expect(Object.keys(workflow.on)).toEqual(['schedule', 'push', 'workflow_dispatch']);
    expect(commands.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(workflow)).not.toContain('secrets');
    // Nothing is fetched by name at run time: a name on a public registry may be anyone's.
    expect(runs.filter((command) => !command.startsWith('npx --no-install capfit '))).toEqual(['npm ci']);
  });

  test.each(commands)('%s', async (command) => {
    const place: Record<string, string> = {
      '"$NEW_RUNS"': WORKED_EXAMPLE,
      '"$OLD_RUNS"': WORKED_EXAMPLE,
      '"$POLICY"': POLICY,
      'capfit-junit.xml': join(folder, 'ci.xml'),
    };
    const [npx, option, program, ...argv] = command.split(' ');
    expect([npx, option, program]).toEqual(['npx', '--no-install', 'capfit']);
    const { code, err } = await capfit(argv.map((word) => place[word] ?? word));
    // The example stops more than 20 % of its runs: a finding, not a fault of the command.
    expect([code, err]).toEqual([argv[0] === 'check' ? 1 : 0, '']);
  });
});

test('every fault of a policy file has a line of its own, and is told once', async () => {
  const file = put(folder, 'faulty.yaml', 'capfit: policy/v1\ncaps: {passes: -3, tokens: 1.5, foo: 3}\n');
  const { code, err } = await capfit(['check', WORKED_EXAMPLE, '--policy', file]);
  const lines = err.trimEnd().split('\n');
  const faults = lines.filter((line) => line.startsWith('capfit: '));
  expect([code, faults.length, lines.length]).toEqual([3, 3, 6]);
  for (const name of ['caps.passes', 'caps.tokens', 'foo'])
    expect(faults.filter((line) => line.includes(name)).length).toBe(1);
});
