// What `derive` and `replay` cost in memory and on each engine: DuckDB over files, and ClickHouse on one and two servers
// of this machine. Each question is a fresh process from start to end, in interleaved rounds; all must answer the same
// bytes. ClickHouse is left out where no server is installed.
// Usage: npm run bench:databases -- [--runs 100000,1000000] [--only derive,replay] [--engines memory,duckdb,clickhouse]
//        [--pairs 3] [--spill BYTES] [--data DIR] [--json FILE]
// --spill: from how many bytes on ClickHouse groups on disk; rows for it are taken from DIR/m.rows where that is there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  cpuOf,
  createSharded,
  createTable,
  peakOf,
  resetPeak,
  serverProgram,
  sizeOf,
  slowestQueries,
  startServers,
  untilMerged,
} from './clickhouse-servers.mjs';
import { CAPFIT, dataFile, SETS } from './data.mjs';
import { machine } from './machine.mjs';
import { median, warm } from './measure.mjs';

const ROOT = join(import.meta.dirname, '../..');
const POLICY = join(ROOT, 'reports/worked-example/policy.yaml');
const USAGE = join(import.meta.dirname, 'usage.cjs');
const QUESTIONS = { derive: [], replay: ['--policy', POLICY] };
/** How often the folder for temporary files is looked at. */
const LOOK_MS = 50;
const LONGEST_QUERY = 1800;
const SLOWEST = 8;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    only: { type: 'string', default: Object.keys(QUESTIONS).join(',') },
    engines: { type: 'string', default: 'memory,duckdb,clickhouse' },
    pairs: { type: 'string', default: '3' },
    spill: { type: 'string' },
    data: { type: 'string', default: join(tmpdir(), 'capfit-bench') },
    json: { type: 'string' },
  },
});
const listOf = (list) => list.split(',').filter((part) => part !== '');
const pairs = Number(values.pairs);
const asked = listOf(values.engines);
const sets = listOf(values.runs).map((runs) => {
  const found = Object.keys(SETS).find((set) => SETS[set].runs === Number(runs));
  if (found === undefined) throw new Error(`--runs ${runs}: there are ${Object.values(SETS).map((set) => set.runs)}`);
  return found;
});

const told = { ...machine(), ...versions(), pairs, load: [load()], sets: [] };
let isSound = true;
for (const set of sets) {
  const result = await measureSet(set);
  printSet(result);
}
printGrowth(told.sets);
console.log(`\n${headOf(told)}`);
process.exitCode = isSound ? 0 : 1;

function versions() {
  const versionOf = (name) => {
    try {
      return JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;
    } catch {
      return null;
    }
  };
  return {
    capfit: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    engines: { duckdb: versionOf('@duckdb/node-api'), clickhouse: null, client: versionOf('@clickhouse/client') },
  };
}

function save() {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(told, null, 2)}\n`);
}

/** How many processes wanted to run, on average of the last minute. */
function load() {
  return Number(loadavg()[0].toFixed(2));
}

async function measureSet(set) {
  const jsonl = dataFile(values.data, set, 'jsonl');
  const programs = [];
  if (asked.includes('memory')) programs.push(program('memory, JSONL', [jsonl]));
  if (asked.includes('duckdb')) {
    const parquet = dataFile(values.data, set, 'parquet');
    programs.push(
      program('DuckDB, JSONL', [jsonl, '--engine', 'duckdb']),
      program('DuckDB, Parquet', [parquet, '--engine', 'duckdb']),
      program('DuckDB, JSONL, 512MB', [jsonl, '--engine', 'duckdb', '--engine-memory', '512MB']),
      program('DuckDB, JSONL, 1GB', [jsonl, '--engine', 'duckdb', '--engine-memory', '1GB']),
    );
    warm(parquet);
  }
  warm(jsonl);
  const servers = await openServers();
  try {
    const fills = [];
    if (servers !== null) {
      fills.push(...(await fill(servers, set, jsonl)));
      programs.push(
        ...fills.map(({ name, table, pids }) =>
          program(name, [table, '--engine', 'clickhouse', '--engine-timeout', LONGEST_QUERY], { pids, servers }),
        ),
      );
    }
    const result = { set, runs: SETS[set].runs, bytes: statSync(jsonl).size, fills, cells: [] };
    told.sets.push(result);
    for (const question of listOf(values.only)) {
      result.cells.push(await measureCell(set, question, programs));
      told.load.push(load());
      // After every question, so that a run that is stopped keeps what it has.
      save();
    }
    return result;
  } finally {
    await servers?.stop();
  }
}

/** @param of processes of servers that work for it */
function program(name, args, of = { pids: [], servers: null }) {
  return { name, args: args.map(String), ...of };
}

async function openServers() {
  if (!asked.includes('clickhouse')) return null;
  if (serverProgram() === null) {
    console.error('ClickHouse is left out: clickhouse-server is not installed');
    return null;
  }
  const settings = values.spill === undefined ? {} : { max_bytes_before_external_group_by: values.spill };
  const servers = await startServers({ count: 2, settings });
  told.engines.clickhouse = await servers.command('SELECT version()');
  return servers;
}

/** Puts the rows into a table of the first server, and from there into one that lies on both. */
async function fill(servers, set, jsonl) {
  const [first] = servers.pids;
  await createTable(servers, 'one');
  await createSharded(servers, 'two');
  const one = await filled(servers, 'one', [first], () => insertRows(servers, set, jsonl));
  const two = await filled(servers, 'two', servers.pids, async () => {
    await servers.command('INSERT INTO two SELECT * FROM one');
    return 'INSERT SELECT from the first table';
  });
  return [
    { name: 'ClickHouse, 1 server', ...one },
    { name: 'ClickHouse, 2 servers', ...two },
  ];
}

/** @returns how */
async function insertRows(servers, set, jsonl) {
  const rows = join(values.data, `${set}.rows`);
  if (existsSync(rows)) {
    await servers.insert('one', createReadStream(rows, { highWaterMark: 2 ** 20 }));
    return 'rows from a file';
  }
  const args = ['--require', USAGE, CAPFIT, 'convert', jsonl, '--to', 'pass-table', '--quiet'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  const status = new Promise((resolve) => child.once('close', resolve));
  const usage = text(child.stdio[3]);
  try {
    await servers.insert('one', child.stdout);
  } finally {
    if (!child.stdout.readableEnded) child.kill();
  }
  if ((await status) !== 0) throw new Error('capfit convert failed');
  const { cpu, memory } = JSON.parse(await usage);
  return `rows from capfit convert (${cpu.toFixed(1)} s CPU, ${memory.toFixed(0)} MB)`;
}

async function filled(servers, table, pids, work) {
  const used = begin(pids);
  const start = performance.now();
  const how = await work();
  const wall = (performance.now() - start) / 1000;
  const { cpu, memory } = used();
  console.error(`${table} is filled: ${wall.toFixed(1)} s`);
  await untilMerged(servers);
  return { table, pids, how, wall, cpu, memory, ...(await sizeOf(servers, table)) };
}

/** Counts what processes use from now on; what is given back tells it. */
function begin(pids) {
  for (const pid of pids) resetPeak(pid);
  const starts = pids.map(cpuOf);
  return () => ({
    cpu: pids.reduce((sum, pid, index) => sum + cpuOf(pid) - starts[index], 0),
    memory: pids.map(peakOf),
  });
}

/** All engines in turn, round after round, the order turned in every other one. */
async function measureCell(set, question, programs) {
  const samples = Object.fromEntries(programs.map(({ name }) => [name, []]));
  const failed = {};
  const unequal = [];
  const since = Date.now() / 1000;
  let first;
  for (let round = 0; round < pairs; round++) {
    for (const each of round % 2 === 0 ? programs : programs.toReversed()) {
      const { name } = each;
      if (failed[name] !== undefined) continue;
      try {
        const { output, ...figures } = await measured(question, each);
        samples[name].push(figures);
        first ??= { name, output };
        console.error(`${set} ${question} ${name}: ${figures.wall.toFixed(2)} s, ${figures.memory.toFixed(0)} MB`);
        if (output === first.output) continue;
        unequal.push(name);
        console.error(`NOT EQUAL: ${name} and ${first.name} answer otherwise: ${question}, ${SETS[set].runs} runs`);
      } catch (error) {
        console.error(`${name} is left out: ${question}, ${SETS[set].runs} runs: ${error.message}`);
        failed[name] = error.message;
      }
    }
  }
  if (unequal.length > 0 || Object.keys(failed).length > 0) isSound = false;
  const names = Object.keys(samples).filter((name) => failed[name] === undefined);
  const medians = Object.fromEntries(names.map((name) => [name, medianOf(samples[name])]));
  const servers = programs.find((each) => each.servers !== null)?.servers;
  const slowest = servers === undefined ? [] : await slowestQueries(servers, since, SLOWEST);
  return {
    question,
    equal: unequal.length === 0,
    unequal: [...new Set(unequal)],
    // Answers of one run of the benchmark can so be compared to those of another.
    answer: first === undefined ? null : createHash('sha256').update(first.output).digest('hex'),
    failed,
    samples,
    medians,
    slowest,
  };
}

/** One process from start to end: its figures, those of the servers meanwhile, and how full its folder got. */
async function measured(question, { args, pids, servers }) {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-bench-'));
  try {
    const used = begin(pids);
    const start = performance.now();
    const whole = [CAPFIT, question, ...args, ...QUESTIONS[question], '--json', '--quiet'];
    const child = spawn(process.execPath, ['--require', USAGE, ...whole], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...servers?.env, TMPDIR: folder },
    });
    let disk = 0;
    const look = setInterval(() => {
      disk = Math.max(disk, bytesIn(folder));
    }, LOOK_MS);
    const streams = Promise.all([1, 2, 3].map((place) => text(child.stdio[place])));
    const ending = await new Promise((resolve) => child.once('close', (status, signal) => resolve(status ?? signal)));
    clearInterval(look);
    const wall = (performance.now() - start) / 1000;
    const [output, complaints, usage] = await streams;
    if (ending !== 0) throw new Error(`ended with ${ending} after ${wall.toFixed(1)} s: ${complaints.trim()}`);
    return { wall, ...JSON.parse(usage), disk, served: used(), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesIn(folder) {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  } catch {
    // A file that went meanwhile.
  }
  return bytes;
}

function medianOf(rounds) {
  const of = (figure) => median(rounds.map(figure));
  return {
    wall: of(({ wall }) => wall),
    cpu: of(({ cpu }) => cpu),
    memory: of(({ memory }) => memory),
    disk: Math.max(...rounds.map(({ disk }) => disk)),
    served: {
      cpu: of(({ served }) => served.cpu),
      memory: rounds[0].served.memory.map((_, place) => of(({ served }) => served.memory[place])),
    },
  };
}

/** The tables are Markdown, so that they can be put into a page as they are. */
function printSet({ runs, bytes, fills, cells }) {
  const passes = fills[0]?.rows;
  const ofPasses = passes === undefined ? '' : `, ${count(passes)} rows of passes`;
  console.log(`\n## ${count(runs)} runs (${size(bytes)} of JSONL${ofPasses})\n`);
  console.log('| question | engine | wall | CPU | peak memory | servers: CPU | servers: peak memory | on disk |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const { question, failed, medians, unequal } of cells) {
    for (const [name, { wall, cpu, memory, disk, served }] of Object.entries(medians)) {
      const isServed = served.memory.length > 0;
      const columns = [
        question,
        unequal.includes(name) ? `${name} (NOT EQUAL)` : name,
        `${wall.toFixed(2)} s`,
        `${cpu.toFixed(2)} s`,
        `${memory.toFixed(0)} MB`,
        isServed ? `${served.cpu.toFixed(2)} s` : '-',
        isServed ? `${served.memory.map((peak) => peak.toFixed(0)).join(' + ')} MB` : '-',
        disk > 0 ? size(disk) : '-',
      ];
      console.log(`| ${columns.join(' | ')} |`);
    }
    for (const [name, message] of Object.entries(failed)) {
      console.log(`| ${question} | ${name} | FAILED: ${message.split('\n', 1)[0].replaceAll('|', '\\|')} | | | | | |`);
    }
  }
  for (const { question, equal, medians, unequal } of cells) {
    const answer = `the answers of ${Object.keys(medians).length} engines to ${question}`;
    console.log(
      equal ? `\n${answer} are the same bytes.` : `\n**NOT EQUAL**: ${answer}: ${unequal.join(', ')} differ.`,
    );
  }
  if (fills.length === 0) return;
  console.log('\n| ClickHouse | filled with | wall | servers: CPU | servers: peak memory | on disk | a pass | parts |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const { name, how, wall, cpu, memory, bytes: packed, rows, parts } of fills) {
    const peaks = memory.map((peak) => peak.toFixed(0)).join(' + ');
    const cost = `${wall.toFixed(1)} s | ${cpu.toFixed(1)} s | ${peaks} MB`;
    console.log(`| ${name} | ${how} | ${cost} | ${size(packed)} | ${(packed / rows).toFixed(1)} B | ${parts} |`);
  }
  for (const { question, slowest } of cells) {
    if (slowest.length === 0) continue;
    console.log(`\nLongest queries of ${question}:\n`);
    console.log('| query | table | wall | memory | rows read | rows answered |');
    console.log('| --- | --- | --- | --- | --- | --- |');
    for (const { query, seconds, memory, rows, answered } of slowest) {
      const shown = query.replaceAll('|', '\\|').slice(0, 120);
      console.log(
        `| \`${shown}\` | ${tableIn(query)} | ${seconds.toFixed(2)} s | ${memory.toFixed(0)} MB | ${count(rows)} | ${count(answered)} |`,
      );
    }
  }
}

function tableIn(query) {
  return /FROM `(one|two)`/.exec(query)?.[1] ?? '-';
}

/** What ten times the runs take. */
function printGrowth(all) {
  if (all.length < 2) return;
  console.log(
    `\n## Growth\n\n| question | engine | ${all.map(({ runs }) => `memory at ${count(runs)}`).join(' | ')} |`,
  );
  console.log(`| --- | --- |${' --- |'.repeat(all.length)}`);
  for (const question of listOf(values.only)) {
    const medians = all.map(({ cells }) => cells.find((cell) => cell.question === question)?.medians ?? {});
    for (const name of Object.keys(medians[0])) {
      const peaks = medians.map((each) => {
        if (each[name] === undefined) return '-';
        const { memory, disk, served } = each[name];
        const servers =
          served.memory.length > 0 ? `, servers ${served.memory.map((peak) => peak.toFixed(0)).join(' + ')} MB` : '';
        return `${memory.toFixed(0)} MB${servers}${disk > 0 ? `, ${size(disk)} on disk` : ''}`;
      });
      console.log(`| ${question} | ${name} | ${peaks.join(' | ')} |`);
    }
  }
}

function headOf({ date, processor, cores, memory_gb, platform, node, capfit, engines, load: loads }) {
  const { duckdb, clickhouse, client } = engines;
  const server = clickhouse === null ? '' : `, ClickHouse ${clickhouse} (client ${client})`;
  return `${date}, ${processor}, ${cores} cores, ${memory_gb} GB, ${platform}; capfit ${capfit}, Node.js ${node}, DuckDB ${duckdb}${server}; load of the machine ${loads.join(', ')}; ${pairs} rounds.
Command: \`node scripts/bench/databases.mjs ${process.argv.slice(2).join(' ')}\``;
}

function count(number) {
  return number.toLocaleString('en-US');
}

function size(bytes) {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
