import { median } from './measure.mjs';

/** The table is Markdown, so that it can be put into a page as it is. */
export const TABLE_HEAD = [
  '| job | data | capfit | DuckDB | chDB | faster one | wall | CPU | memory : DuckDB |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

/**
 * Medians of each program, and capfit's ratios to the faster of the others (by median wall time): the median of the
 * ratios of each round, since what else the machine does slows both programs of a round.
 *
 * @param samples per program one set of figures a round
 */
export function figuresOf(samples) {
  const medians = Object.fromEntries(Object.entries(samples).map(([name, rounds]) => [name, medianOfEach(rounds)]));
  const [faster] = Object.keys(samples)
    .filter((name) => name !== 'capfit')
    .sort((a, b) => medians[a].wall - medians[b].wall);
  if (samples.capfit === undefined || faster === undefined) return { medians, faster: null, ratios: null };
  const ratio = (figure, other) =>
    median(samples.capfit.map((round, index) => round[figure] / samples[other][index][figure]));
  const memory = samples.duckdb === undefined ? null : ratio('memory', 'duckdb');
  return { medians, faster, ratios: { wall: ratio('wall', faster), cpu: ratio('cpu', faster), memory } };
}

function medianOfEach(rounds) {
  const of = (figure) => median(rounds.map((round) => round[figure]));
  return { wall: of('wall'), cpu: of('cpu'), memory: of('memory') };
}

/** A cell as a row: wall and CPU seconds and peak memory of each program, then the ratios. */
export function rowOf({ set, form, job, equal, medians, faster, ratios }) {
  const shown = (name) => {
    if (medians[name] === undefined) return '-';
    const { wall, cpu, memory } = medians[name];
    return `${wall.toFixed(2)} s, ${cpu.toFixed(2)} s CPU, ${memory.toFixed(0)} MB`;
  };
  const chdb = Object.keys(medians).find((name) => name.startsWith('chdb')) ?? 'chdb';
  const { wall, cpu, memory } = ratios ?? {};
  const ratio = (value) => value?.toFixed(2) ?? '-';
  const data = `${set.toUpperCase()} ${form.toUpperCase()}${equal ? '' : ' (NOT EQUAL)'}`;
  const columns = [job, data, shown('capfit'), shown('duckdb'), shown(chdb), faster ?? '-'];
  return `| ${[...columns, ratio(wall), ratio(cpu), ratio(memory)].join(' | ')} |`;
}
