import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programSpec } from '../../src/cli/completion/spec.js';
import { WORDS } from '../../src/cli/completion/words.js';
import { processIo } from '../../src/cli/io.js';
import { buildProgram } from '../../src/cli/program.js';
import { capfit, put, scratchFolder } from './harness.js';

const folder = scratchFolder();
const program = buildProgram(processIo(), () => undefined);
const spec = programSpec(program);

const scripts = Object.fromEntries(
  await Promise.all(
    ['bash', 'zsh', 'fish'].map(async (shell) => [shell, (await capfit(['completion', shell])).out] as const),
  ),
) as Record<'bash' | 'zsh' | 'fish', string>;

function isThere(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true']);
    return true;
  } catch {
    return false;
  }
}

/** The part of a script that is about one command. */
const PARTS: { readonly [shell in keyof typeof scripts]: (command: string) => string } = {
  bash: (command) => new RegExp(`^ {4}${command}\\)\\n[\\s\\S]*?esac ;;$`, 'm').exec(scripts.bash)?.[0] ?? '',
  zsh: (command) => new RegExp(`^ {8}${command}\\)\\n[\\s\\S]*?;;$`, 'm').exec(scripts.zsh)?.[0] ?? '',
  fish: (command) =>
    scripts.fish
      .split('\n')
      .filter((line) => line.includes(`'__fish_seen_subcommand_from ${command}'`))
      .join('\n'),
};

describe('what is completed', () => {
  test('is every command and every flag that the program has', () => {
    expect(spec.commands.map(({ name }) => name)).toEqual([...program.commands.map((each) => each.name()), 'help']);
    for (const command of program.commands) {
      const { flags } = spec.commands.find(({ name }) => name === command.name()) ?? { flags: [] };
      expect(flags.map(({ long }) => long)).toEqual([...command.options.map(({ long }) => long), '--help']);
    }
  });

  test.each(['bash', 'zsh', 'fish'] as const)('is in the script for %s, with all choices', (shell) => {
    for (const { name, flags, operand } of spec.commands) {
      const part = PARTS[shell](name);
      for (const { long, short, value } of flags) {
        expect(part).toMatch(
          shell === 'fish' ? new RegExp(` -l ${long.slice(2)}( |$)`, 'm') : new RegExp(`${long}\\b`),
        );
        if (short !== null) expect(part).toContain(shell === 'fish' ? ` -s ${short.slice(1)} ` : short);
        expect(part).toContain(value?.words.join(' ') ?? '');
      }
      expect(part).toContain(operand?.words.join(' ') ?? '');
    }
  });

  test('no list of words is of a flag that is gone', () => {
    const flags = spec.commands.flatMap(({ name, flags }) => flags.flatMap(({ long }) => [long, `${name} ${long}`]));
    expect([...WORDS.keys()].filter((key) => !flags.includes(key))).toEqual([]);
  });

  test('words are words of a shell', () => {
    const values = spec.commands.flatMap(({ flags, operand }) => [operand, ...flags.map(({ value }) => value)]);
    for (const word of values.flatMap((value) => value?.words ?? [])) expect(word).toMatch(/^[a-z0-9][a-z0-9_-]*=?$/);
  });

  test('paths are where the help says so', () => {
    const derive = spec.commands.find(({ name }) => name === 'derive');
    const calibrate = spec.commands.find(({ name }) => name === 'calibrate');
    expect(derive?.operand).toEqual({ name: 'runs', words: [], path: 'file' });
    expect(derive?.flags.find(({ long }) => long === '--outcomes')?.value?.path).toBe('file');
    expect(calibrate?.flags.find(({ long }) => long === '--out')?.value?.path).toBe('folder');
    expect(derive?.flags.find(({ long }) => long === '--where')).toEqual({
      long: '--where',
      short: null,
      about: 'only runs with this label',
      value: { name: 'label=value', words: ['id=', 'status=', 'check=', 'reason=', 'claim='], path: null },
      isRepeatable: true,
    });
  });

  test('as JSON is what the scripts are made from', async () => {
    const { out } = await capfit(['completion', 'bash', '--json']);
    expect(JSON.parse(out)).toEqual({ schema: 'capfit/completion@1', shell: 'bash', ...spec });
  });

  test('of no shell, or another one, is wrong usage', async () => {
    expect(await capfit(['completion'])).toMatchObject({ code: 2, out: '' });
    expect(await capfit(['completion', 'fihs'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean fish? One of: bash, zsh, fish'),
    });
  });
});

describe.skipIf(!isThere('bash'))('in a real bash', () => {
  /** What the completion offers where the last of these words is being typed. */
  const offered = (...words: readonly string[]): string[] => {
    const path = put(folder, 'capfit.bash', scripts.bash);
    const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _capfit; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--noprofile', '--norc', '-uc', script, 'bash', path, ...words], {
      encoding: 'utf8',
      cwd: folder,
    });
    return out.split('\n').filter((line) => line !== '');
  };

  test.each([
    [['capfit', 'cal'], ['calibrate']],
    [['capfit', '--v'], ['--version']],
    [
      ['capfit', 'c'],
      ['calibrate', 'check', 'card', 'convert', 'completion'],
    ],
    [
      ['capfit', 'help', 'dr'],
      ['drift', 'drill'],
    ],
    [['capfit', 'derive', '--me'], ['--method']],
    [
      ['capfit', 'derive', 'runs.jsonl', '--method', ''],
      ['nearest-rank', 'linear'],
    ],
    [['capfit', 'derive', '--method', '=', 'l'], ['linear']],
    [
      ['capfit', 'derive', '--method', '='],
      ['nearest-rank', 'linear'],
    ],
    [['capfit', 'export', '--to', 'langg'], ['langgraph']],
    [
      ['capfit', 'convert', '--to', 'csv'],
      ['csv', 'csv-summary'],
    ],
    [
      ['capfit', 'check', '--format', 'j'],
      ['json', 'junit'],
    ],
    [
      ['capfit', 'check', '--confidence', ''],
      ['lower', 'point', 'upper'],
    ],
    [['capfit', 'derive', '--round', 't'], ['tokens=']],
    [
      ['capfit', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['capfit', 'derive', '--padding', ''], []],
    [['capfit', 'derive', ''], []],
    [['capfit', 'nonsense', ''], []],
  ])('%j offers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  test('every command and every flag is offered', () => {
    expect(offered('capfit', '')).toEqual([
      ...spec.commands.map(({ name }) => name),
      '-V',
      '--version',
      '-h',
      '--help',
    ]);
    for (const { name, flags } of spec.commands) {
      expect(offered('capfit', name, '--')).toEqual(flags.map(({ long }) => long));
    }
  });

  test('a word or a file, whatever the file is called', () => {
    put(folder, 'built by hand.json', '{}');
    expect(offered('capfit', 'derive', '--prices', 'b')).toEqual(['builtin', 'built by hand.json']);
  });

  test('files are left to readline, and a shell that sources it stays quiet', () => {
    const path = join(folder, 'capfit.bash');
    const out = execFileSync(
      'bash',
      ['--noprofile', '--norc', '-uc', `source "$1"; complete -p capfit`, 'bash', path],
      {
        encoding: 'utf8',
      },
    );
    expect(out).toBe('complete -o bashdefault -o default -F _capfit capfit\n');
  });
});

describe.each(['zsh', 'fish'] as const)('in a real %s', (shell) => {
  test.skipIf(!isThere(shell))('the script has no fault', () => {
    const path = put(folder, `capfit.${shell}`, scripts[shell]);
    expect(execFileSync(shell, ['-n', path], { encoding: 'utf8' })).toBe('');
  });

  test.skipIf(shell !== 'fish' || !isThere(shell))('words are offered', () => {
    const path = put(folder, 'capfit.fish', scripts.fish);
    const offered = (line: string): string[] =>
      execFileSync('fish', ['--no-config', '-c', `source ${path}; complete -C ${JSON.stringify(line)}`], {
        encoding: 'utf8',
      })
        .split('\n')
        .flatMap((each) => (each === '' ? [] : [each.split('\t')[0] as string]));
    expect(offered('capfit cal')).toEqual(['calibrate']);
    expect(offered('capfit derive --method ')).toEqual(['linear', 'nearest-rank']);
    expect(offered('capfit completion ')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered('capfit derive --markd')).toEqual(['--markdown']);
  });
});
