import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const POLICY = 'reports/worked-example/policy.yaml';

describe('a mistyped word is answered with the nearest one', () => {
  const derive = (...argv: string[]): string[] => ['derive', WORKED_EXAMPLE, ...argv];

  test.each([
    [['calbrate', 'x'], 'Did you mean calibrate?'],
    [derive('--paddin', '2'), 'Did you mean --padding?'],
    [derive('--method', 'linera'), 'did you mean linear? One of: nearest-rank, linear'],
    [derive('--from', 'jsonll'), 'did you mean jsonl? One of: json, jsonl, csv, csv-summary, '],
    [derive('--subagents', 'flod'), 'did you mean fold? One of: fold, separate, ignore'],
    [derive('--on-error', 'skp'), 'did you mean skip? One of: fail, skip, quarantine FILE'],
    [derive('--on-error', 'quarantine'), 'say --on-error quarantine FILE'],
    [derive('--round', 'tokns=1000'), 'did you mean tokens? For instance --round tokens=1000'],
    [derive('--joint', '--spend', 'token'), 'did you mean tokens? One of: passes, tokens, seconds, usd'],
    [derive('--by', 'knid'), 'did you mean kind? Labels of these runs: '],
    [derive('--cross-validate', '--cluster', 'modle'), 'did you mean model? Labels of these runs: '],
    [['sweep', WORKED_EXAMPLE, '--spend', 'secods'], 'did you mean seconds? One of: '],
    [['calibrate', WORKED_EXAMPLE, '--key', 'reqest'], 'did you mean request? One of: call, request, result'],
    [['replay', WORKED_EXAMPLE, '--preset', 'four-gards'], 'did you mean four-guards? One of: three-exits, '],
    [['generate', '--profile', 'coding-agnet'], 'did you mean coding-agent? One of: '],
    [['export', '--policy', POLICY, '--to', 'langgrap'], 'did you mean langgraph? One of: '],
    [
      ['convert', WORKED_EXAMPLE, '--to', 'parket'],
      'Did you mean parquet? One of: jsonl, csv, csv-summary, pass-table, parquet',
    ],
    [['card', WORKED_EXAMPLE, '--format', 'ymal'], 'Did you mean yaml? One of: text, markdown, json, yaml'],
    [['check', WORKED_EXAMPLE, '--policy', POLICY, '--confidence', 'uper'], 'Did you mean upper? One of: '],
  ])('%j', async (argv, said) => {
    const { code, out, err } = await capfit(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
  });

  test('and where none is near, with all there are', async () => {
    expect((await capfit(derive('--method', 'guess'))).err).toBe(
      'capfit: --method guess: unknown\n  One of: nearest-rank, linear\n',
    );
    expect((await capfit(derive('--by', 'zzz'))).err).toContain('  Labels of these runs: ');
    expect((await capfit(['completion', 'powershell'])).err).toContain(' is invalid for argument ');
  });
});

describe('conditions that no run meets', () => {
  const said = async (...conditions: string[]): Promise<string> => {
    const { code, err } = await capfit(['derive', WORKED_EXAMPLE, ...conditions.flatMap((each) => ['--where', each])]);
    expect(code).toBe(1);
    return err.split('\n')[1] ?? '';
  };

  test.each([
    [
      ['kidn=stuck'],
      '  no run has the label kidn; did you mean kind? Labels of these runs: agent, task_type, model, kind',
    ],
    [['kind=stukc'], '  did you mean kind=stuck? Values of kind in these runs: success, stuck, wander, halt'],
    [['kind=none'], '  Values of kind in these runs: success, stuck, wander, halt'],
    [['statsu=done_verified'], /did you mean status\? Labels/],
    [['status=done'], /^ {2}Values of status in these runs: done_verified, /],
    [['kind=stuck', 'status=done_verified'], '  some runs meet each of them, and none meets all'],
    [['status!=done_verified', 'kind=success'], '  some runs meet each of them, and none meets all'],
    [['zzz=1'], '  no run has the label zzz; labels of these runs: agent, task_type, model, kind'],
    [['toString=1'], '  no run has the label toString; labels of these runs: agent, task_type, model, kind'],
  ])('%j', async (conditions, expected) => {
    if (typeof expected === 'string') expect(await said(...conditions)).toBe(expected);
    else expect(await said(...conditions)).toMatch(expected);
  });

  test('in every form that runs are read from, and after verdicts were joined', async () => {
    const records = goodLine('a', { labels: { kind: 'x' } }) + goodLine('b', { labels: { kind: 'y' } });
    const rows = ['a,x', 'b,y'].map((row) => `${row.slice(0, 1)},done_verified,passed,1,10,2,1.5,${row.slice(2)}\n`);
    const csv = `run_id,status,check,pass,input_tokens,output_tokens,seconds,label.kind\n${rows.join('')}`;
    const verdicts = put(folder, 'passed.txt', 'a\nb\n');
    const paths = [put(folder, 'r.jsonl', records), put(folder, 'r.csv', csv), put(folder, 'r.gz', gzipSync(csv))];
    for (const path of paths) {
      for (const more of [[], ['--outcomes', verdicts], ['--prices', 'builtin', '--quiet']]) {
        const { code, err } = await capfit(['derive', path, '--where', 'kind=z', ...more]);
        expect([code, err.split('\n').at(-2)]).toEqual([
          1,
          '  did you mean kind=x? Values of kind in these runs: x, y',
        ]);
      }
    }
  });

  test('names out of the data show as text', async () => {
    const path = put(folder, 'hostile.jsonl', goodLine('a', { labels: { 'ki\u001b[31mnd': 'x'.repeat(200) } }));
    const { err } = await capfit(['derive', path, '--where', 'kind=z']);
    expect(err).toContain('ki\\x1b[31mnd');
    expect(err).not.toContain('\u001b');
  });
});

describe('capfit alone', () => {
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  const alone = async (name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
    const place = join(folder, name);
    mkdirSync(place);
    for (const [file, content] of Object.entries(files)) put(place, file, content);
    process.chdir(place);
    const { code, out, err } = await capfit([], { columns: 80 });
    expect([code, out]).toEqual([2, '']);
    for (const line of err.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    return err;
  };

  test('in an empty folder says how to try it: wrong usage, since nothing was asked', async () => {
    expect(await alone('empty', {})).toBe(`capfit fits stop caps to recorded agent runs: when should the loop stop?

No recorded runs in this folder. With those of the worked example:

  $ capfit generate -o runs.jsonl            400 synthetic runs
  $ capfit calibrate runs.jsonl              caps and stop-policy card
  $ capfit report runs.jsonl -o report.html  a page to try caps on
  $ capfit audit runs.jsonl                  what the records can support
  $ capfit --help                            all commands
`);
  });

  test('beside recorded runs names them, packed ones too', async () => {
    const runs = goodLine('a');
    const err = await alone('some', {
      'a run.jsonl.gz': gzipSync(runs),
      'b.jsonl': runs,
      'c.json': '{"name": "no runs"}',
      'empty.jsonl': '',
      'notes.txt': runs,
    });
    expect(err).toContain('In this folder: a run.jsonl.gz (jsonl), b.jsonl (jsonl).\n');
    expect(err).toMatch(
      / \$ capfit calibrate 'a run\.jsonl\.gz' .*\n {2}\$ capfit report 'a run\.jsonl\.gz' -o report/,
    );
    expect(err).not.toContain('generate');
    expect(err).not.toContain('--policy');
  });

  test('beside a policy names it, and what to ask of it', async () => {
    const policy = 'capfit: policy/v1\ncaps: {passes: 20}\n';
    const err = await alone('policy', { 'runs.jsonl': goodLine('a'), 'other.yaml': 'a: 1\n', '-p.yml': policy });
    expect(err).toContain('In this folder: runs.jsonl (jsonl), and the policy -p.yml.\n');
    for (const command of ['check', 'replay', 'whatif']) {
      expect(err).toContain(`  $ capfit ${command} runs.jsonl --policy ./-p.yml`);
    }
  });

  test('among many names three, and those of hostile names as text', async () => {
    const runs = goodLine('a');
    const err = await alone('many', { '\u001b[31m.jsonl': runs, '1.jsonl': runs, '2.jsonl': runs, '3.jsonl': runs });
    expect(err).toContain('2.jsonl (jsonl) and\nmore.\n');
    expect(err).not.toContain('\u001b');
  });
});
