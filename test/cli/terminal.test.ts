import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../../src/report/width.js';
import { capfit, WORKED_EXAMPLE } from './harness.js';

/*
 * What the main commands print of the worked example, at 80 and 140 columns, with and without colour, on a terminal and
 * into a pipe. Each file of test/cli/golden/terminal is one of them; the sign for an escape stands in place of the
 * escape itself, so that a difference can be read. After a change that is meant:
 *
 *   UPDATE_GOLDEN=1 npx vitest run test/cli/terminal.test.ts
 *
 * writes them anew; look at what changed before it is committed.
 */

const FOLDER = join(import.meta.dirname, 'golden/terminal');
const IS_UPDATE = process.env.UPDATE_GOLDEN === '1';
const POLICY = 'reports/worked-example/policy.yaml';

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  calibrate: [WORKED_EXAMPLE],
  derive: [WORKED_EXAMPLE, '--explain'],
  replay: [WORKED_EXAMPLE, '--policy', POLICY, '--by', 'kind'],
  sweep: [WORKED_EXAMPLE, '--passes', '16,21,26,none', '--repeat', '3,none'],
  whatif: [WORKED_EXAMPLE, '--policy', POLICY, '--set', 'passes=20', '--scale', '1.2'],
  plan: [WORKED_EXAMPLE],
  drift: [WORKED_EXAMPLE, '--split-half'],
  audit: [WORKED_EXAMPLE],
  check: [WORKED_EXAMPLE, '--policy', POLICY],
  rules: [WORKED_EXAMPLE],
  card: [WORKED_EXAMPLE, '--policy', POLICY],
};
const NAMES = Object.keys(COMMANDS);
const WIDTHS = [80, 140] as const;

const printed = async (command: string, world: object): Promise<string> =>
  (await capfit([command, ...(COMMANDS[command] ?? [])], world)).out;

const withoutColors = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '');

function compare(name: string, text: string): void {
  const path = join(FOLDER, name);
  const readable = text.replaceAll('\u001b', '␛');
  if (IS_UPDATE) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, readable);
  }
  expect(existsSync(path), `${path} is missing: UPDATE_GOLDEN=1 writes it`).toBe(true);
  expect(readable).toBe(readFileSync(path, 'utf8'));
}

describe.each(NAMES)('capfit %s', (command) => {
  describe.each(WIDTHS)('at %d columns', (columns) => {
    test('without colour', async () => {
      compare(`${command}-${columns}.txt`, await printed(command, { columns, isTerminal: true, color: false }));
    });

    test('with colour, which changes no letter', async () => {
      const colored = await printed(command, { columns, isTerminal: true, color: true });
      compare(`${command}-${columns}-color.txt`, colored);
      expect(`${withoutColors(colored)}`).toBe(await printed(command, { columns, isTerminal: true, color: false }));
    });

    test('into a pipe is what it is on a terminal without colour', async () => {
      expect(await printed(command, { columns, isTerminal: false, color: false })).toBe(
        await printed(command, { columns, isTerminal: true, color: false }),
      );
    });
  });

  test.each([40, 60, 80, 100, 140, 200])(
    'no line is wider than %d columns, and none ends in blanks',
    async (columns) => {
      const lines = (await printed(command, { columns })).split('\n');
      for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(columns);
      for (const line of lines) expect(line).toBe(line.trimEnd());
    },
  );
});

test('no golden file is of a command that is not printed any more', () => {
  const wanted = NAMES.flatMap((name) =>
    WIDTHS.flatMap((width) => [`${name}-${width}.txt`, `${name}-${width}-color.txt`]),
  );
  if (IS_UPDATE) for (const name of readdirSync(FOLDER)) if (!wanted.includes(name)) rmSync(join(FOLDER, name));
  expect(readdirSync(FOLDER).sort()).toEqual(wanted.sort());
});
