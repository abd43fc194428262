// In memory, one process: how fast capfit's kernels are beside the plain way to do the same.
// Usage: npm run bench:memory -- [--data DIR] [--rounds 9]
import { closeSync, openSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { dataFile } from './data.mjs';
import { median } from './measure.mjs';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(tmpdir(), 'capfit-bench') },
    rounds: { type: 'string', default: '9' },
  },
});
const rounds = Number(values.rounds);
/** Enough to be steady, little enough that the slow way ends soon. */
const SAMPLE_BYTES = 2 ** 25;

const jsonl = headOf(dataFile(values.data, 'm', 'jsonl'));
const csv = headOf(dataFile(values.data, 'm', 'csv'));

/**
 * Pairs of ways to do one thing. `fast` is null where capfit's own kernel is not published to this script yet.
 */
const PAIRS = [
  { name: 'JSONL: capfit : JSON.parse per line', slow: () => parseLines(jsonl), fast: null },
  { name: 'CSV: capfit : csv-parse into arrays', slow: () => parse(csv), fast: null },
];

for (const { name, slow, fast } of PAIRS) {
  const slowTimes = timesOf(slow);
  const fastTimes = fast === null ? null : timesOf(fast);
  const speed = (times) => `${(SAMPLE_BYTES / 1e6 / median(times)).toFixed(0)} MB/s`;
  const faster = fastTimes === null ? '' : `, ${(median(slowTimes) / median(fastTimes)).toFixed(2)} x as fast`;
  console.log(`${name}: ${fastTimes === null ? 'not built' : speed(fastTimes)} : ${speed(slowTimes)}${faster}`);
}

function parseLines(bytes) {
  let passes = 0;
  for (const line of bytes.toString('utf8').split('\n')) if (line !== '') passes += JSON.parse(line).passes.length;
  return passes;
}

/** Seconds of each round, after one that is not counted. */
function timesOf(work) {
  work();
  return Array.from({ length: rounds }, () => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  });
}

/** The first whole lines of a file. */
function headOf(path) {
  const bytes = Buffer.alloc(SAMPLE_BYTES);
  const file = openSync(path, 'r');
  const length = readSync(file, bytes);
  closeSync(file);
  return bytes.subarray(0, bytes.lastIndexOf('\n', length - 1) + 1);
}
