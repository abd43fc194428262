// capfit beside DuckDB and chDB: percentiles, the replay of one policy, and a sweep of a thousand policies, each program
// a fresh process from start to end, in interleaved rounds. All must give the same answer.
// Usage: npm run bench -- [--only derive,replay,sweep] [--sets s,m,l] [--forms jsonl,csv,parquet] [--pairs 5]
//        [--engines duckdb,chdb,chdb-each-row] [--data DIR] [--json FILE]
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { CAPFIT, dataFile, SETS } from './data.mjs';
import { capfitAnswer, capfitArguments, JOBS, POLICY } from './jobs.mjs';
import { machine } from './machine.mjs';
import { measure, warm } from './measure.mjs';
import { figuresOf, rowOf, TABLE_HEAD } from './table.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: JOBS.join(',') },
    sets: { type: 'string', default: Object.keys(SETS).join(',') },
    forms: { type: 'string', default: 'jsonl,csv,parquet' },
    engines: { type: 'string', default: 'duckdb,chdb' },
    pairs: { type: 'string', default: '5' },
    data: { type: 'string', default: join(tmpdir(), 'capfit-bench') },
    json: { type: 'string' },
  },
});
const listOf = (text) => text.split(',').filter((part) => part !== '');
const pairs = Number(values.pairs);

/** The large set is asked as JSONL alone: the other forms would tell nothing new, and take long to make. */
const cells = listOf(values.sets).flatMap((set) =>
  listOf(values.forms)
    .filter((form) => set === 'm' || form === 'jsonl')
    .flatMap((form) => listOf(values.only).map((job) => ({ set, form, job }))),
);

install();
const policyFile = join(values.data, 'policy.json');
const measured = [];
console.log(TABLE_HEAD);
for (const cell of cells) {
  const result = measureCell(cell);
  measured.push(result);
  console.log(rowOf(result));
  // After every cell, so that a run that is stopped keeps what it has.
  if (values.json === undefined) continue;
  writeFileSync(values.json, `${JSON.stringify({ ...machine(), pairs, cells: measured }, null, 2)}\n`);
}
process.exitCode = measured.every(({ equal, failed }) => equal && failed.length === 0) ? 0 : 1;

/** Installs the databases where they are missing or not the ones of the lock file. */
function install() {
  const folder = import.meta.dirname;
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  console.error('installing DuckDB and chDB for the benchmark: about 600 MB');
  // Not `npm ci`: it wants every platform's library of chDB in the lock file, and not each of them is published.
  const args = ['install', '--no-save', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm install failed: the databases could not be installed');
}

/** All programs in turn, round after round, the order turned in every other one. */
function measureCell({ set, form, job }) {
  const file = dataFile(values.data, set, form);
  writeFileSync(policyFile, JSON.stringify(POLICY));
  const programs = [capfitProgram(job, file), ...listOf(values.engines).map((name) => engineProgram(name, job, file))];
  warm(file);
  const samples = Object.fromEntries(programs.map(({ name }) => [name, []]));
  const failed = [];
  let first;
  let equal = true;
  for (let round = 0; round < pairs; round++) {
    for (const { name, args, read } of round % 2 === 0 ? programs : programs.toReversed()) {
      if (samples[name] === undefined) continue;
      try {
        const { output, ...figures } = measure(args);
        samples[name].push(figures);
        const answer = read(output);
        first ??= { name, answer };
        if (isDeepStrictEqual(answer, first.answer)) continue;
        equal = false;
        console.error(`${name} and ${first.name} differ: ${job}, ${set} ${form}`);
      } catch (error) {
        console.error(`${name} is left out: ${job}, ${set} ${form}: ${error.message}`);
        delete samples[name];
        failed.push(name);
      }
    }
  }
  return { set, form, job, equal, failed, samples, ...figuresOf(samples) };
}

function capfitProgram(job, file) {
  const args = [CAPFIT, ...capfitArguments(job, file, policyFile)];
  return { name: 'capfit', args, read: (output) => capfitAnswer(job, output) };
}

function engineProgram(name, job, file) {
  const args = [join(import.meta.dirname, 'engines', `${name}.mjs`), job, file];
  return { name, args, read: JSON.parse };
}
