// In memory, one process: how fast capfit's own kernels are beside the plain way to do the same.
// Usage: npm run bench:memory -- [--data DIR] [--rounds 9] [--json FILE]
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { csvPasses } from '../../dist/formats/csv/csv.js';
import { ALONE, DEFAULT_READING } from '../../dist/formats/format.js';
import { jsonl } from '../../dist/formats/jsonl.js';
import { createRunTable } from '../../dist/model/table.js';
import { policyOf } from '../../dist/policy/of-record.js';
import { prepareSweep, sweep, sweepGrid } from '../../dist/replay/sweep.js';
import { seededRng } from '../../dist/synth/rng.js';
import { dataFile } from './data.mjs';
import { GRID, POLICY } from './jobs.mjs';
import { machine } from './machine.mjs';
import { median } from './measure.mjs';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(tmpdir(), 'capfit-bench') },
    rounds: { type: 'string', default: '9' },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
/** Enough to be steady, little enough that the slow way ends soon. */
const SAMPLE_BYTES = 2 ** 25;
const MICROS = 1_000_000;
const UNRELATED = 1000;

const jsonlFile = dataFile(values.data, 'm', 'jsonl');
const sample = headOf(jsonlFile, SAMPLE_BYTES);
const rows = headOf(dataFile(values.data, 'm', 'csv'), SAMPLE_BYTES);
const table = await tableOf(headOf(jsonlFile, Number.POSITIVE_INFINITY));
const prepared = prepareSweep(table);
const columns = table.columns();
const counters = ['tokens', 'seconds'].map((limit) => columns.passes.totals(limit).values);

const one = policyOf({ ...POLICY, rules: [] });
const grid = {
  passes: GRID.passes,
  tokens: GRID.tokens,
  seconds: GRID.seconds.map((cap) => cap * MICROS),
};
const unrelated = policiesAtRandom();

/** Pairs of ways: what capfit does, the plain way, and what capfit's time may be to the plain one's at most. */
const PAIRS = [
  {
    name: 'JSONL into columns : JSON.parse per line',
    fast: () => tableOf(sample),
    slow: () => parseLines(sample),
    most: 1 / 2.5,
  },
  { name: 'CSV into columns : csv-parse into arrays', fast: () => rowsOf(rows), slow: () => parse(rows), most: 1 / 5 },
  {
    name: 'one policy of three caps : a streaming sum of two counters',
    fast: () => sweep(prepared, [one]).falseStops(0),
    slow: () => sumOf(counters),
    most: 3,
  },
  {
    name: 'a grid of 1,000 policies : one policy',
    fast: () => sweepGrid(prepared, { ...one, caps: {} }, grid).falseStops(0),
    slow: () => sweep(prepared, [one]).falseStops(0),
    most: 8,
  },
  { name: '1,000 unrelated policies', fast: () => sweep(prepared, unrelated).falseStops(0), slow: null, most: null },
];

const results = [];
for (const { name, slow, fast, most } of PAIRS) {
  const result = { name, fast: await timeOf(fast), slow: slow === null ? null : await timeOf(slow), most };
  results.push(result);
  const ratio = result.slow === null ? '' : ` : ${shown(result.slow)} = ${(result.fast / result.slow).toFixed(2)}`;
  console.log(`${name}: ${shown(result.fast)}${ratio}${most === null ? '' : ` (at most ${Number(most.toFixed(2))})`}`);
}
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ ...machine(), rounds, runs: table.length, results }, null, 2)}\n`);

function shown(seconds) {
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

/** The median of some rounds in seconds, after two that are not counted: code that is new runs slowly. */
async function timeOf(work) {
  for (let round = 0; round < 2; round++) await work();
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push((performance.now() - start) / 1000);
  }
  return median(times);
}

async function tableOf(bytes) {
  const made = createRunTable();
  await jsonl.readInto(sourceOf('m.jsonl', bytes), DEFAULT_READING, {
    depth: 'passes',
    asksForWhole: false,
    codeForTool: (tool) => made.codeForTool(tool),
    batch(batch) {
      made.addBatch(batch);
      return batch.runs;
    },
    item() {
      throw new Error('a generated record is not plain');
    },
  });
  return made;
}

function rowsOf(bytes) {
  const made = createRunTable();
  let at = 0;
  const source = {
    read(target) {
      const piece = bytes.subarray(at, at + target.length);
      target.set(piece);
      at += piece.length;
      return piece.length;
    },
  };
  const lines = csvPasses.plain.open(sourceOf('m.csv', bytes), made, 'passes').read(source, true);
  if (lines === null) throw new Error('generated rows are not plain');
  return made;
}

function sourceOf(name, bytes) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 2 ** 20) yield bytes.subarray(at, at + 2 ** 20);
  }
  return { name, head: bytes.subarray(0, 65_536), bytes: pieces(), around: ALONE };
}

function parseLines(bytes) {
  let passes = 0;
  for (const line of bytes.toString('utf8').split('\n')) if (line !== '') passes += JSON.parse(line).passes.length;
  return passes;
}

function sumOf(arrays) {
  let sum = 0;
  for (const array of arrays) for (let index = 0; index < array.length; index++) sum += array[index];
  return sum;
}

/** Policies that share no cap. */
function policiesAtRandom() {
  const rng = seededRng(17);
  const between = (low, high) => Math.floor(low + (high - low) * rng());
  return Array.from({ length: UNRELATED }, () =>
    policyOf({
      ...POLICY,
      rules: [],
      caps: { passes: between(5, 60), tokens: between(50_000, 2_000_000), seconds: between(30, 900) },
    }),
  );
}

/** The first whole lines of a file. */
function headOf(path, most) {
  const file = openSync(path, 'r');
  const pieces = [];
  const piece = Buffer.alloc(2 ** 25);
  let size = 0;
  for (let read = 1; read > 0 && size < most; size += read) {
    read = readSync(file, piece);
    pieces.push(Buffer.from(piece.subarray(0, read)));
  }
  closeSync(file);
  const bytes = Buffer.concat(pieces);
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
}
