// How often the 95 % interval of `capfit whatif` covers the true difference in spend. A pool of runs is the population,
// so that the truth is known; samples are drawn from it, and each is bootstrapped as whatif does.
//
//   npm run build && node scripts/simulate-bootstrap.mjs [samples] [resamples]
import seedrandom from 'seedrandom';
import { policyOf } from '../dist/policy/of-record.js';
import { replayRun } from '../dist/replay/replay.js';
import { percentileInterval, resampleSums } from '../dist/stats/bootstrap.js';
import { generateRuns } from '../dist/synth/generate.js';
import { findProfile } from '../dist/synth/profiles.js';

const samples = Number(process.argv[2] ?? 1000);
const resamples = Number(process.argv[3] ?? 2000);
const rng = seedrandom.alea('simulate-bootstrap');
const draw = (size) => Math.floor(rng() * size);

/** Pools of clusters, each a list of [today, candidate] spends. */
const runs = [...generateRuns(findProfile('worked-example'), { runs: 20_000, seed: 11 })];
const rule = { rule: 'repeat', key: 'call', count: 3 };
const today = policyOf({ capfit: 'policy/v1', caps: { passes: 26, tokens: 460_000, seconds: 270 }, rules: [rule] });
const replayed = (policy) => runs.map((run) => replayRun(run, policy).end.tokens);
const before = replayed(today);
const singles = (candidate) => {
  const after = replayed(policyOf({ capfit: 'policy/v1', rules: [rule], ...candidate }));
  return before.map((tokens, index) => [[tokens, after[index]]]);
};
/** Tasks of ten runs each, alike within a task; `spread`: of their sizes, on the scale of logarithms. */
const tasks = (spread) =>
  Array.from({ length: 4_000 }, () => {
    const size = Math.exp(spread * normal());
    return Array.from({ length: 10 }, () => {
      const tokens = 50_000 * size * Math.exp(0.3 * normal());
      return [tokens, Math.min(tokens, 60_000)];
    });
  });
const [even, uneven] = [tasks(0.5), tasks(1)];

const cases = [
  ['worked example, passes 26 -> 12', singles({ caps: { passes: 12, tokens: 460_000, seconds: 270 } }), [50, 100, 400]],
  ['worked example, passes 26 -> 20', singles({ caps: { passes: 20, tokens: 460_000, seconds: 270 } }), [50, 100, 400]],
  [
    'worked example, without the rule',
    singles({ caps: { passes: 26, tokens: 460_000, seconds: 270 }, rules: [] }),
    [50, 100, 400],
  ],
  ['worked example, passes 26 -> 25', singles({ caps: { passes: 25, tokens: 460_000, seconds: 270 } }), [100, 400]],
  ['10 runs a task, whole tasks drawn', even, [10, 20, 50, 100]],
  ['the same, tasks of very uneven size', uneven, [10, 20, 50, 100]],
];

console.log(
  `${samples} samples a row, ${resamples} resamples each, nominal 95 %; none: samples in which no run changes`,
);
console.log(`${'case'.padEnd(38)}     n  changed      true   covered   none`);
for (const [name, pool, sizes] of cases) for (const size of sizes) report(name, pool, size, (sample) => sample);
for (const size of [10, 50, 100]) {
  report('10 runs a task, runs drawn one by one', even, size, (sample) => sample.flat().map((run) => [run]));
}

/** @param split how a sample of clusters is resampled */
function report(name, pool, size, split) {
  const truth = ratio(pool.flat());
  let [covered, made, changed] = [0, 0, 0];
  for (let sample = 0; sample < samples; sample++) {
    const clusters = split(Array.from({ length: size }, () => pool[draw(pool.length)]));
    changed += clusters.flat().filter(([one, other]) => one !== other).length;
    const sums = clusters.map((each) => each.reduce(([a, b], [one, other]) => [a + one, b + other], [0, 0]));
    const [one, other] = resampleSums([sums.map(([a]) => a), sums.map(([, b]) => b)], resamples, rng);
    const { low, high } = percentileInterval(one.map((sum, index) => other[index] / sum - 1));
    if (low === high) continue;
    made++;
    if (low <= truth && truth <= high) covered++;
  }
  const cells = [
    name.padEnd(38),
    String(size).padStart(4),
    (changed / samples).toFixed(1).padStart(7),
    percent(truth).padStart(8),
    percent(covered / made).padStart(8),
    String(samples - made).padStart(5),
  ];
  console.log(cells.join('  '));
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function ratio(pairs) {
  const [one, other] = pairs.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return other / one - 1;
}

function normal() {
  return Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
}
