import type { RunFigures } from '../model/figures.js';
import type { Metric } from '../model/limits.js';
import { isPassedUnfinishedEnding } from '../model/measure.js';
import type { Ascending } from '../stats/ascending.js';
import { sortAscending } from '../stats/summary.js';
import { endsInPopulation, type PopulationOptions } from './population.js';

/** What percentiles are taken from, wherever the runs lie: one value a run of the population that knows it, in atoms. */
export interface Sampled {
  readonly runs: number;
  readonly verified: number;
  readonly passedUnfinished: number;
  readonly zeroPass: number;
  /** Runs with any check at all, passed or failed. */
  readonly checked: number;
  readonly values: { readonly [metric in Metric]: Ascending };
}

/** The same with all values at hand. */
export interface Sample extends Sampled {
  readonly values: { readonly [metric in Metric]: Float64Array };
}

/** Collects the values of the population while runs pass by. */
export interface Sampler {
  see(run: RunFigures): void;
  finish(): Sample;
}

export function createSampler(population: PopulationOptions): Sampler {
  const values = { passes: createValues(), tokens: createValues(), seconds: createValues(), usd: createValues() };
  const counts = { runs: 0, verified: 0, passedUnfinished: 0, zeroPass: 0, checked: 0 };
  return {
    see(run) {
      counts.runs++;
      if (run.isZeroPass) counts.zeroPass++;
      if (run.check !== 'none') counts.checked++;
      if (!endsInPopulation(run, population)) return;
      counts.verified++;
      if (isPassedUnfinishedEnding(run)) counts.passedUnfinished++;
      // Each by its name: looked up by a name that varies they take twice the time of all the rest.
      const { whole } = run;
      values.passes.push(whole.passes);
      values.tokens.push(whole.tokens);
      values.seconds.push(whole.seconds);
      values.usd.push(whole.usd);
    },
    finish: () => ({
      ...counts,
      values: {
        passes: sortAscending(values.passes.all()),
        tokens: sortAscending(values.tokens.all()),
        seconds: sortAscending(values.seconds.all()),
        usd: sortAscending(values.usd.all()),
      },
    }),
  };
}

/** Known numbers in memory that grows by doubling. */
function createValues(): { push(value: number | null): void; all(): Float64Array } {
  let values = new Float64Array(64);
  let count = 0;
  return {
    push(value) {
      if (value === null) return;
      if (count === values.length) {
        const wider = new Float64Array(2 * count);
        wider.set(values);
        values = wider;
      }
      values[count++] = value;
    },
    all: () => values.subarray(0, count),
  };
}

/**
 * Whether no usd cap may be derived: an unknown cost would count as one below the cap, and the runs without a price may
 * well be the dear ones. The percentiles of the known ones are shown all the same.
 */
export function lacksUsd(
  sample: Pick<Sampled, 'verified' | 'values'>,
  options: { readonly partialUsd: boolean },
): boolean {
  return !options.partialUsd && sample.values.usd.length < sample.verified;
}
