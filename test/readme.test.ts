import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuard } from '../src/guard/index.js';
import { capfit, scratchFolder } from './cli/harness.js';

const ROOT = resolve(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Fenced blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] as string);
}

/** `$ command` lines, each with the output shown below it. */
function commandsIn(block: string): { command: string; shown: string[] }[] {
  return block
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith('$ '))
    .map((part) => {
      const [first = '', ...shown] = part.trimEnd().split('\n');
      return { command: first.slice(2), shown };
    });
}

/** Whether lines appear in an output in order, one after the other but where `…` stands for any number of lines. */
function appears(shown: readonly string[], output: string): string | null {
  const lines = output.trimEnd().split('\n');
  let at = 0;
  let mayskip = false;
  for (const line of shown) {
    if (line === '…') {
      mayskip = true;
      continue;
    }
    const found = mayskip ? lines.indexOf(line, at) : lines[at] === line ? at : -1;
    if (found === -1) return `not in the output: ${line}`;
    at = found + 1;
    mayskip = false;
  }
  return mayskip || at === lines.length || (at === 1 && lines[0] === '') || shown.length === 0
    ? null
    : `the output goes on: ${lines[at]}`;
}

describe('README', () => {
  const before = process.cwd();
  const folder = scratchFolder();
  beforeAll(() => {
    for (const name of ['datasets', 'reports']) symlinkSync(join(ROOT, name), join(folder, name));
    process.chdir(folder);
  });
  afterAll(() => process.chdir(before));

  const commands = blocks('console').flatMap(commandsIn);

  test('shows commands', () => expect(commands.length).toBeGreaterThan(8));

  test.each(commands.map(({ command, shown }) => [command, shown] as const))('$ %s', async (command, shown) => {
    const [program, ...argv] = command.split(' ');
    expect(program).toBe('capfit');
    const { code, out } = await capfit(argv);
    expect(code).toBe(0);
    expect(appears(shown, out)).toBeNull();
  });

  test('npm commands name scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...README.matchAll(/npm (?:run )?(example|examples|test|build|start|bench(?::\w+)?)\b/g)].map(
      (match) => match[1] as string,
    );
    expect(named.length).toBeGreaterThan(3);
    for (const script of named) expect(scripts).toHaveProperty(script);
  });

  test('the library example runs and prints what it says', async () => {
    const [code = ''] = blocks('ts');
    const cache = join(ROOT, 'node_modules', '.cache');
    mkdirSync(cache, { recursive: true });
    const path = join(cache, 'readme-example.ts');
    const printed: unknown[] = [];
    (globalThis as { readmePrints?: (value: unknown) => void }).readmePrints = (value) => printed.push(value);
    writeFileSync(
      path,
      code
        .replace("'capfit'", `'${join(ROOT, 'src/index.ts')}'`)
        .replaceAll('console.log', '(globalThis as any).readmePrints'),
    );
    await import(path);
    expect(printed.map(String)).toEqual(['11', '1', expect.stringContaining('percentile_is_maximum')]);
  });

  test('the loop around the guard runs, and ends as it should', async () => {
    const [code = ''] = blocks('js');
    const body = code.replace(/^import .*$/m, '').replace('console.log(', 'return (');
    const loop = new Function(
      'createGuard',
      'policy',
      'model',
      'runTool',
      'check',
      'messages',
      `return (async () => {${body}})()`,
    );
    const usage = { inputTokens: 900, outputTokens: 100 };
    const searches = { usage, calls: [{ tool: 'search', args: { q: 'order 17' } }] };
    const run = (turns: object[], policy: object, verdicts: object[] = []): Promise<object> =>
      loop(
        createGuard,
        { capfit: 'policy/v1', ...policy },
        () => Promise.resolve(turns.length > 1 ? turns.shift() : turns[0]),
        () => Promise.resolve({ result: '3 hits', error: false }),
        () => Promise.resolve(verdicts.shift()),
        [],
      );
    const verdicts = [
      { passed: false, output: '1 failed' },
      { passed: true, output: 'all passed' },
    ];
    const answers = [searches, { usage, answer: 'draft' }, { usage, answer: 'final' }];
    expect(await run(answers, { caps: { passes: 9 }, check: 'npm test' }, verdicts)).toMatchObject({
      status: 'done_verified',
      passes: 3,
      tokens: 3_000,
      answer: 'final',
      check_output: 'all passed',
    });
    expect(await run([searches], { rules: [{ rule: 'repeat', count: 3 }] })).toMatchObject({
      status: 'stopped_budget',
      reason: 'repeats',
      passes: 3,
    });
  });

  test('every command and every dependency has its row', async () => {
    const { out } = await capfit(['--help']);
    const listed = [...out.matchAll(/^ {2}([a-z]+)(?: |$)/gm)]
      .map((match) => match[1] as string)
      .filter((name) => name !== 'help');
    for (const command of listed) expect(README).toContain(`| \`capfit ${command}`);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const table = README.slice(README.indexOf('## Dependencies'));
    for (const name of Object.keys(dependencies)) expect(table).toContain(name);
  });
});
