import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goodLine, put, scratchFolder } from './harness.js';

const BIN = join(import.meta.dirname, '../../dist/cli/bin.js');
const folder = scratchFolder();

/** Parts of Node that take milliseconds to load, and that a small plain file asks nothing of. */
const HEAVY = ['child_process', 'crypto', 'dgram', 'fs/promises', 'http', 'os', 'v8', 'worker_threads', 'zlib'];

/** Tells, when the program ends, which modules were loaded: parts of Node beyond those of a bare start, and our own. */
const HOOK = `
const bare = new Set(process.moduleLoadList);
process.on('exit', () => {
  const parts = process.moduleLoadList.filter((name) => !bare.has(name)).map((name) => name.replace('NativeModule ', ''));
  const own = Object.keys(require.cache).filter((path) => path.includes('dist')).map((path) => path.replace(/.*[\\\\/]/, ''));
  require('node:fs').writeFileSync(process.env.LOADED, JSON.stringify({ parts, own }));
});`;

function loadedBy(...argv: string[]): { readonly parts: string[]; readonly own: string[] } {
  const told = put(folder, 'loaded.json', '');
  execFileSync(process.execPath, ['--require', put(folder, 'hook.cjs', HOOK), BIN, ...argv], {
    env: { ...process.env, LOADED: told },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return JSON.parse(readFileSync(told, 'utf8'));
}

describe('what is built starts with little', () => {
  const runs = put(folder, 'runs.jsonl', goodLine('a') + goodLine('b'));

  test.each([
    ['derive', runs, '--json'],
    ['sweep', runs, '--passes', '3', '--json'],
    ['--version'],
    ['derive', '--help'],
  ])('%s %s %s', (...argv) => {
    const { parts, own } = loadedBy(...argv);
    expect(parts.filter((part) => HEAVY.includes(part))).toEqual([]);
    expect(own.length, own.join(' ')).toBeLessThanOrEqual(15);
    expect(own.filter((name) => /all-formats|blocks-text|csv-parse|glob|yaml/.test(name))).toEqual([]);
  });
});
