import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

const USAGE = join(import.meta.dirname, 'usage.cjs');
const MOST_OUTPUT = 2 ** 30;
const BLOCK = 2 ** 22;

/**
 * Runs a program in a fresh Node process, from start to end.
 *
 * @param {readonly string[]} args the script and its arguments
 * @returns {{ wall: number, cpu: number, memory: number, output: string }} seconds, seconds, MB at most, standard output
 */
export function measure(args) {
  const start = performance.now();
  const { status, error, output } = spawnSync(process.execPath, ['--require', USAGE, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  });
  const wall = (performance.now() - start) / 1000;
  if (error !== undefined) throw error;
  const [, out, complaints, usage] = output;
  if (status !== 0) throw new Error(`node ${args.join(' ')}\nended with ${status}: ${complaints.trim()}`);
  return { wall, ...JSON.parse(usage), output: out };
}

/** Reads a file once, so that nobody who is measured waits for the disk. */
export function warm(path) {
  const file = openSync(path, 'r');
  const block = Buffer.allocUnsafe(BLOCK);
  while (readSync(file, block) > 0);
  closeSync(file);
}

/** The middle value; of an even count the mean of the two middle ones. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}
