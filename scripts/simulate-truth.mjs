// Makes the table of docs/simulated-truth.md: `node scripts/simulate-truth.mjs [dist] [data sets] [--write]`, from the top of
// the project. Caps are derived from synthetic runs of a known distribution, so that their true false-stop rate is known,
// and what capfit says of that rate is held against it. Seeded: the same numbers of data sets give the same table.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import seedrandom from 'seedrandom';

const [dist = 'dist', sets = '1000'] = process.argv.slice(2).filter((word) => word !== '--write');
const { crossValidate, derive, plan } = await import(join(resolve(dist), 'index.js'));

const SETS = Number(sets);
const SIZES = [50, 100, 310, 1000];
const PADDINGS = [
  { name: '1.0', padding: { num: 1n, den: 1n } },
  { name: '1.2', padding: { num: 12n, den: 10n } },
];
/** Further runs on which the true rate of several caps is counted. */
const FURTHER = 1_000_000;

/** Normal and uniform numbers of a seed. */
function drawing(seed) {
  const uniform = seedrandom.alea(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** A run known by its number of passes: what a pass cap does to it is certain. */
function counted(passes, index) {
  return { ...runOf(index), passes: null, totals: { passes, tokens: null, micros: null, nanos: null } };
}

/** A run whose passes are given as [tokens, microseconds]. */
function recorded(passes, index) {
  return {
    ...runOf(index),
    totals: null,
    passes: passes.map(([tokens, micros]) => ({
      ...{ inputTokens: tokens, outputTokens: 0, cacheReadTokens: null, cacheWriteTokens: null, micros, nanos: null },
      ...{ steps: null, model: null, calls: [] },
    })),
  };
}

function runOf(index) {
  return {
    ...{ id: String(index), status: 'done_verified', reason: null, check: 'passed', claim: null, blocker: null },
    ...{ evidence: null, labels: new Map(), startedAt: null, recordedUnder: new Map(), extra: null },
    origin: { file: 'synthetic', line: index + 1 },
  };
}

const lognormal = ({ normal }) => Math.ceil(8 * Math.exp(0.55 * normal()));
const pareto = ({ uniform }) => Math.ceil(4 * (1 - uniform()) ** (-1 / 1.5));

/** A conversation that is sent again with every pass: tokens grow, each run at its own pace. */
function conversation(draws) {
  const passes = lognormal(draws);
  const pace = Math.exp(0.35 * draws.normal());
  return Array.from({ length: passes }, (_, pass) => [
    Math.round((1500 + 500 * pace * pass) * Math.exp(0.1 * draws.normal())),
    Math.round(8e6 * Math.exp(0.5 * draws.normal())),
  ]);
}

/** Tokens and seconds that have nothing to do with each other or with the passes, used up before the last pass. */
function unrelated(draws) {
  const size = () => Math.exp(Math.log(100_000) + 0.55 * draws.normal());
  const first = [Math.ceil(size()), Math.ceil(1000 * size())];
  return [first, ...Array.from({ length: lognormal(draws) }, () => [0, 0])];
}

const sizeTail = (cap) => normalTail(Math.log(cap / 100_000) / 0.55);

/** What a cap is asked at: the counters at the last boundary of a run. */
function lastBoundary(passes) {
  const sum = (at) => passes.slice(0, -1).reduce((total, pass) => total + pass[at], 0);
  return [passes.length - 1, sum(0), sum(1)];
}

const KINDS = [
  {
    name: 'one cap, lognormal',
    draw: (draws, index) => counted(lognormal(draws), index),
    truth: ({ passes }) => normalTail(Math.log(passes / 8) / 0.55),
  },
  {
    name: 'one cap, heavy tail',
    draw: (draws, index) => counted(pareto(draws), index),
    truth: ({ passes }) => Math.min(1, (4 / passes) ** 1.5),
  },
  {
    name: 'three caps, unrelated',
    draw: (draws, index) => recorded(unrelated(draws), index),
    truth: ({ passes, tokens, seconds }) =>
      1 - (1 - normalTail(Math.log((passes - 1) / 8) / 0.55)) * (1 - sizeTail(tokens)) * (1 - sizeTail(seconds * 1e3)),
  },
  {
    name: 'three caps, related',
    draw: (draws, index) => recorded(conversation(draws), index),
    truth: countedTruth(),
  },
];

/** The rate of three caps on a large number of further runs; those far below any cap are looked at only if need be. */
function countedTruth() {
  const draws = drawing('further runs');
  const all = Array.from({ length: 3 }, () => new Float64Array(FURTHER));
  for (let run = 0; run < FURTHER; run++) {
    const last = lastBoundary(conversation(draws));
    for (const [metric, values] of all.entries()) values[run] = last[metric];
  }
  const floors = all.map((values) => Float64Array.from(values).sort()[Math.floor(0.9 * FURTHER)]);
  const high = [];
  for (let run = 0; run < FURTHER; run++) {
    if (floors.some((floor, metric) => all[metric][run] >= floor)) high.push(run);
  }
  const tops = all.map((values) => Float64Array.from(high, (run) => values[run]));
  return ({ passes, tokens, seconds }) => {
    const caps = [passes, tokens, seconds * 1e6];
    const [p, t, s] = caps.every((cap, metric) => cap >= floors[metric]) ? tops : all;
    let cut = 0;
    for (let run = 0; run < p.length; run++) if (p[run] >= caps[0] || t[run] >= caps[1] || s[run] >= caps[2]) cut++;
    return cut / FURTHER;
  };
}

/** P(Z > z) of a standard normal, by its continued fraction or its series: Abramowitz and Stegun 26.2.14 and 26.2.11. */
function normalTail(z) {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 2.5) {
    let [term, sum] = [z, z];
    for (let k = 1; k < 200; k++) {
      term *= (z * z) / (2 * k + 1);
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let k = 200; k >= 1; k--) fraction = z + k / fraction;
  return density / fraction;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share) => `${(100 * share).toFixed(2)} %`;
const whole = (share) => `${(100 * share).toFixed(1)} %`;

function rowOf(kind, size, padding, found) {
  const covers = (interval, truth) => interval[0] <= truth && truth <= interval[1];
  return [
    ...[kind.name, String(size), padding.name],
    percent(mean(found.map(({ truth }) => truth))),
    percent(mean(found.map(({ inSample }) => inSample.rate))),
    whole(mean(found.map(({ truth, inSample }) => (covers(inSample.ci95, truth) ? 1 : 0)))),
    percent(mean(found.map(({ held }) => held.rate))),
    whole(mean(found.map(({ truth, held }) => (covers(held.ci95, truth) ? 1 : 0)))),
    whole(mean(found.map(({ truth, claimed }) => (truth <= claimed ? 1 : 0)))),
  ];
}

const HEADER = [
  ...['runs', 'n', 'padding', 'true rate', 'in-sample', 'its interval covers'],
  ...['cross-validated', 'its interval covers', 'claim holds'],
];
const lines = [HEADER, HEADER.map((_, column) => (column === 0 ? '---' : '---:'))];
for (const kind of KINDS) {
  for (const size of SIZES) {
    const found = PADDINGS.map(() => []);
    for (let set = 0; set < SETS; set++) {
      const draws = drawing(`${kind.name} ${size} ${set}`);
      const runs = Array.from({ length: size }, (_, index) => kind.draw(draws, index));
      for (const [at, { padding }] of PADDINGS.entries()) {
        const { caps } = derive(runs, { padding }).report;
        const amounts = Object.fromEntries(Object.entries(caps).map(([metric, cap]) => [metric, cap?.cap ?? null]));
        const held = crossValidate(runs, { padding });
        const claimed = plan(runs, { padding }).claims.find((claim) => claim.caps === 'derived').at_most;
        found[at].push({ truth: kind.truth(amounts), inSample: held.in_sample, held, claimed });
      }
    }
    for (const [at, padding] of PADDINGS.entries()) lines.push(rowOf(kind, size, padding, found[at]));
    process.stderr.write(`${kind.name}, ${size}\n`);
  }
}
const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
console.log(table);

if (process.argv.includes('--write')) {
  const page = 'docs/simulated-truth.md';
  const [from, to] = ['<!-- table -->\n', '\n<!-- end of table -->'];
  const text = readFileSync(page, 'utf8');
  const [head, rest] = [text.split(from)[0], text.split(to)[1]];
  writeFileSync(page, `${head}${from}${table}${to}${rest}`);
}
