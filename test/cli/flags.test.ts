import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { programSpec } from '../../src/cli/completion/spec.js';
import { processIo } from '../../src/cli/io.js';
import { buildProgram } from '../../src/cli/program.js';
import { capfit, goodLine, put, scratchFolder } from './harness.js';

/*
 * Every command with every printing flag. A command that is new has to be put into one of the tables below.
 */

const scratch = scratchFolder();
const RUNS = join(scratch, 'runs');
const POLICY = 'reports/worked-example/policy.yaml';
const BAD = 12;

beforeAll(() => {
  mkdirSync(RUNS);
  const day = (at: number): string => `2026-03-${String(at + 1).padStart(2, '0')}T09:00:00Z`;
  const good = Array.from({ length: 24 }, (_, at) => goodLine(`run-${at}`, { started_at: day(at) }));
  put(RUNS, 'good.jsonl', good.join(''));
  put(RUNS, 'bad.jsonl', goodLine('one') + Array.from({ length: BAD }, (_, at) => `{"id": "bad-${at}"}\n`).join(''));
  for (let at = 0; at < BAD; at++) put(RUNS, `notes-${at}.txt`, 'not runs');
});

/** Those that read runs, with what they need beside them. */
const READING: Readonly<Record<string, readonly string[]>> = {
  calibrate: [],
  derive: [],
  replay: ['--policy', POLICY],
  whatif: ['--set', 'passes=5'],
  sweep: ['--passes', '1,2'],
  rules: [],
  plan: [],
  audit: [],
  check: ['--policy', POLICY],
  drift: ['--split-half'],
  metrics: [],
  card: [],
  convert: ['-o', join(scratch, 'runs.csv')],
};

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  export: ['--policy', POLICY, '--to', 'langgraph'],
  generate: ['--runs', '3', '-o', join(scratch, 'made.jsonl')],
  drill: [],
  completion: ['bash'],
};

/** Whose page is made of files that only a build makes. */
const BUILT = ['report'];

const argvOf = (command: string): string[] =>
  command in READING
    ? [command, RUNS, '--on-error', 'skip', ...(READING[command] ?? [])]
    : [command, ...(OTHERS[command] ?? [])];

const spec = programSpec(buildProgram(processIo(), () => undefined));
const ALL = [...Object.keys(READING), ...Object.keys(OTHERS)];
const COLORED = { isTerminal: true, color: true, columns: 80 };

test.each(spec.commands.filter(({ name }) => name !== 'help'))(
  '$name is the same where it is made alone',
  (command) => {
    const alone = programSpec(buildProgram(processIo(), () => undefined, command.name));
    const made = alone.commands.filter(({ name }) => name !== 'help');
    expect(made.find(({ name }) => name === command.name)).toEqual(command);
    if (command.name !== 'completion') expect(made).toHaveLength(1);
    expect({ ...alone, commands: [] }).toEqual({ ...spec, commands: [] });
  },
);

describe('printing flags', () => {
  test('every command is tried here, and has them', () => {
    const commands = spec.commands.filter(({ name }) => name !== 'help');
    expect(commands.map(({ name }) => name).sort()).toEqual([...ALL, ...BUILT].sort());
    for (const { flags } of commands) {
      const names = flags.flatMap(({ long, short }) => [long, short]);
      expect(names).toEqual(expect.arrayContaining(['--json', '--no-color', '--quiet', '-q', '--verbose', '-v']));
    }
  });

  test('whose answer is a report can print it as Markdown', () => {
    const able = spec.commands.filter(({ flags }) => flags.some(({ long }) => long === '--markdown'));
    expect(able.map(({ name }) => name)).toEqual([
      'calibrate',
      'derive',
      'replay',
      'whatif',
      'sweep',
      'rules',
      'plan',
      'audit',
      'check',
      'drift',
      'card',
      'drill',
    ]);
  });

  describe.each(ALL)('%s', (command) => {
    const argv = argvOf(command);

    test('is coloured on a terminal alone, and not with --no-color', async () => {
      const plain = await capfit(argv, { columns: 80 });
      const colored = await capfit(argv, COLORED);
      const without = await capfit([...argv, '--no-color'], COLORED);
      expect(plain.out).not.toContain('\u001b');
      expect(without.out).toBe(plain.out);
      expect(without.code).toBe(plain.code);
      expect(colored.out.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain.out);
    });

    test('with --quiet lists nothing and tells nothing of what it wrote', async () => {
      const { code, out } = await capfit(argv);
      const quiet = await capfit([...argv, '--quiet']);
      expect(quiet).toMatchObject({ code, out });
      expect(quiet.err).not.toMatch(/^ {2}/m);
      const counts =
        command in READING ? `${BAD} bad records left out:\n${BAD} files without recorded runs in a known form:\n` : '';
      expect(quiet.err).toBe(counts);
    });

    test('with --verbose lists everything that was left out', async () => {
      const { err, code } = await capfit(argv);
      const verbose = await capfit([...argv, '--verbose']);
      expect(verbose.code).toBe(code);
      if (!(command in READING)) return;
      expect(err.match(/\.jsonl:\d+: /g)).toHaveLength(10);
      expect(err).toContain('… and 2 more (--verbose lists all)');
      expect(verbose.err.match(/\.jsonl:\d+: /g)).toHaveLength(BAD);
      expect(verbose.err.match(/notes-\d+\.txt/g)).toHaveLength(BAD);
      expect(verbose.err).not.toContain('more (--verbose');
    });

    test('with --json prints nothing but JSON, coloured never', async () => {
      const { out } = await capfit([...argv, '--json'], COLORED);
      expect(out).not.toContain('\u001b');
      expect(() => JSON.parse(out)).not.toThrow();
    });

    test.skipIf(
      !spec.commands.some(({ name, flags }) => name === command && flags.some(({ long }) => long === '--markdown')),
    )('with --markdown prints Markdown, with --json as well is wrong usage', async () => {
      const { code } = await capfit(argv);
      const { out, code: same } = await capfit([...argv, '--markdown'], COLORED);
      expect(same).toBe(code);
      expect(out).toMatch(/^(#{1,2} |\| )/m);
      expect(out).not.toContain('\u001b');
      expect(await capfit([...argv, '--markdown', '--json'])).toMatchObject({
        code: 2,
        out: '',
        err: "error: option '--markdown' cannot be used with option '--json'\n",
      });
    });
  });
});

describe('Markdown', () => {
  const WORKED = 'datasets/worked-example/runs.jsonl';

  test.each([
    ['derive', []],
    ['calibrate', ['--explain']],
    ['replay', ['--policy', POLICY, '--by', 'kind']],
    ['sweep', ['--passes', '10:30:5']],
    ['rules', []],
    ['whatif', ['--set', 'passes=20']],
    ['plan', []],
    ['audit', []],
    ['check', ['--policy', POLICY]],
    ['drift', ['--split-half']],
    ['card', []],
  ])('of %s has whole tables, whatever the terminal', async (command, more) => {
    const { out } = await capfit([command, WORKED, ...more, '--markdown'], { columns: 40 });
    expect(out).toBe((await capfit([command, WORKED, ...more, '--markdown'], { columns: 200 })).out);
    const tables = out
      .trimEnd()
      .split('\n\n')
      .filter((part) => part.startsWith('| '));
    expect(tables.length + Number(['card', 'check'].includes(command))).toBeGreaterThan(0);
    for (const table of tables) {
      const cells = table.split('\n').map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(cells).size).toBe(1);
      expect(table.split('\n')[1]).toMatch(/^\|( -{3}:? \|)+$/);
    }
    expect(out).not.toMatch(/^[─═]/m);
    expect(out.match(/^`{3,}/gm)?.length ?? 0).toBe(2 * (out.match(/^`{3,}text$/gm)?.length ?? 0));
  });

  test('goes where --output says, and is what --format markdown writes', async () => {
    for (const argv of [
      ['card', WORKED],
      ['check', WORKED, '--policy', POLICY],
    ]) {
      const { out } = await capfit([...argv, '--markdown']);
      expect(out).toBe((await capfit([...argv, '--format', 'markdown'])).out);
      expect((await capfit([...argv, '--markdown', '--format', 'json'])).code).toBe(2);
    }
  });

  test('and CSV are two answers', async () => {
    expect(await capfit(['sweep', WORKED, '--csv', '--markdown'])).toMatchObject({ code: 2, out: '' });
    expect(await capfit(['drill', '--scenarios', '--markdown'])).toMatchObject({ code: 2, out: '' });
  });
});
