/** The three questions that are measured: what is asked, and each program's answer as a value that can be compared. */

export const JOBS = ['derive', 'replay', 'sweep'];

/** Asked of the verified successes; the last is the maximum. */
export const LEVELS = [0.5, 0.9, 0.95, 0.99, 0.999, 1];

/** One policy with the repeat rule: the caps of the worked example. */
export const POLICY = {
  capfit: 'policy/v1',
  name: 'bench',
  caps: { passes: 26, tokens: 460_000, seconds: 270 },
  rules: [{ rule: 'repeat', key: 'call', count: 3 }],
};

/** A thousand policies. */
export const GRID = {
  passes: [12, 14, 16, 18, 20, 23, 26, 30, 35, 40],
  tokens: [100_000, 150_000, 200_000, 250_000, 300_000, 350_000, 400_000, 460_000, 600_000, 900_000],
  seconds: [60, 90, 120, 150, 180, 210, 240, 270, 300, 400],
};

const MICROS = 1_000_000;

/** The command line that asks capfit. */
export function capfitArguments(job, file, policyFile) {
  if (job === 'derive') return ['derive', file, '--json'];
  if (job === 'replay') return ['replay', file, '--policy', policyFile, '--json'];
  const grid = Object.entries(GRID).flatMap(([limit, caps]) => [`--${limit}`, caps.join(',')]);
  return ['sweep', file, ...grid, '--json'];
}

/** What capfit printed, as an answer. */
export function capfitAnswer(job, output) {
  const result = JSON.parse(output);
  if (job === 'derive') return deriveOfCapfit(result);
  if (job === 'replay') return replayOfCapfit(result);
  return sweepOfCapfit(result);
}

/** The rows that a database gave, as an answer. */
export function engineAnswer(job, rows) {
  if (job === 'derive') return deriveOfRow(rows[0]);
  if (job === 'replay') return replayOfRows(rows);
  return rows.map(({ false_stops, stops, replayed }) => [false_stops, stops, replayed].map(Number));
}

function deriveOfCapfit({ runs, verified, quantiles, caps }) {
  const names = [...LEVELS.slice(0, -1).map((level) => `p${level * 100}`), 'max'];
  const valuesOf = (limit) => names.map((name) => quantiles[limit][name]);
  return {
    runs,
    verified,
    quantiles: { passes: valuesOf('passes'), tokens: valuesOf('tokens'), seconds: valuesOf('seconds') },
    caps: { passes: caps.passes.cap, tokens: caps.tokens.cap, seconds: caps.seconds.cap },
  };
}

function deriveOfRow({ runs, verified, passes, tokens, micros }) {
  const values = { passes: passes.map(Number), tokens: tokens.map(Number), micros: micros.map(Number) };
  const p99 = LEVELS.indexOf(0.99);
  return {
    runs: Number(runs),
    verified: Number(verified),
    quantiles: { passes: values.passes, tokens: values.tokens, seconds: values.micros.map((value) => value / MICROS) },
    caps: {
      passes: capOf(values.passes[p99], 1),
      tokens: capOf(values.tokens[p99], 10_000),
      seconds: capOf(values.micros[p99], 30 * MICROS) / MICROS,
    },
  };
}

/** A percentile of whole units times 1.2, rounded up to the unit, or to a finer one where that adds more than 10 %. */
function capOf(percentile, unit) {
  const fits = (step) => 10 * roundUp(percentile * 12, step * 10) <= 11 * percentile * 12;
  return roundUp(percentile * 12, 10 * [unit, ...finerSteps(unit)].find(fits)) / 10;
}

function roundUp(value, step) {
  return Math.ceil(value / step) * step;
}

function finerSteps(unit) {
  const steps = [];
  for (let power = 1; power < unit; power *= 10) steps.unshift(power, 2 * power, 5 * power);
  return steps.filter((step) => step < unit).sort((a, b) => b - a);
}

function replayOfCapfit(result) {
  const counts = Object.entries(result.by_reason).map(([reason, { count }]) => [reason, count]);
  return {
    verified_finished: result.verified_finished,
    false_stops: result.false_stops.count,
    by_status: withoutZeros(Object.entries(result.by_status)),
    by_reason: withoutZeros(counts),
    recorded: result.spend.tokens.recorded,
    replayed: result.spend.tokens.replayed,
  };
}

function replayOfRows(rows) {
  const sumOf = (field, among = () => true) => rows.filter(among).reduce((sum, row) => sum + Number(row[field]), 0);
  const countsBy = (field) =>
    withoutZeros(rows.map(({ [field]: value }) => [value, sumOf('runs', (row) => row[field] === value)]));
  const { null: _unstopped, ...reasons } = countsBy('reason');
  const isVerified = ({ verified }) => Boolean(verified);
  return {
    verified_finished: sumOf('runs', (row) => isVerified(row) && row.reason === null),
    false_stops: sumOf('runs', (row) => isVerified(row) && row.reason !== null),
    by_status: countsBy('status'),
    by_reason: reasons,
    recorded: sumOf('recorded'),
    replayed: sumOf('replayed'),
  };
}

function withoutZeros(counts) {
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function sweepOfCapfit({ policies }) {
  const keyOf = (caps) => [caps.passes, caps.tokens, caps.seconds].join(' ');
  const byCaps = new Map(policies.map((policy) => [keyOf(policy.caps), policy]));
  return gridPolicies().map((caps) => {
    const { false_stops, stops, spend } = byCaps.get(keyOf(caps)) ?? {};
    return [false_stops, stops, spend?.tokens.replayed];
  });
}

/** The policies of the grid, in the order in which the databases answer. */
export function gridPolicies() {
  return GRID.passes.flatMap((passes) =>
    GRID.tokens.flatMap((tokens) => GRID.seconds.map((seconds) => ({ passes, tokens, seconds }))),
  );
}
