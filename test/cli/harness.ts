import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { main } from '../../src/cli/main.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the whole program in-process, as a terminal of that width would see it. */
export async function capfit(
  argv: readonly string[],
  world: Partial<Io> & { readonly input?: string | Uint8Array } = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const { input = '', ...io } = world;
  const code = await main(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: once(input),
    columns: 100,
    isTerminal: false,
    color: false,
    progress: null,
    today: () => '2026-05-01',
    ...io,
  });
  return { code, out, err };
}

async function* once(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(input);
}

/** A folder that is gone after the tests of the file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a folder and gives its path. */
export function put(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A line of a run record that is in order. */
export function goodLine(id: string, fields: object = {}): string {
  return `${JSON.stringify({ id, status: 'done_verified', check: 'passed', passes: [{ input_tokens: 10, output_tokens: 2, seconds: 1.5 }], ...fields })}\n`;
}

export const WORKED_EXAMPLE = 'datasets/worked-example/runs.jsonl';
