import { endsInPopulation, type PopulationOptions, VERIFIED } from '../calibrate/population.js';
import type { Sealed } from '../model/chunk.js';
import { isTable, wholeOf } from '../model/figures.js';
import { METRICS, type Metric } from '../model/limits.js';
import { type Ending, endingOf, hasAllPasses, passCount } from '../model/measure.js';
import type { Summed } from '../model/pass-columns.js';
import type { Run } from '../model/run.js';
import { type Columns, createRunTable, type RunTable } from '../model/table.js';
import { type Totals, totalAfter, totalsOf } from '../model/totals.js';
import type { Rule } from '../policy/policy.js';
import { type RecordedSpend, recordedIn } from './sweep-recorded.js';
import {
  type ExactRuns,
  exactIn,
  IS_GOOD,
  IS_LOOSE,
  IS_STOPPED,
  type LooseRun,
  mostIn,
  placesIn,
  wholeIn,
} from './sweep-runs.js';
import { type UnseenStops, unseenStops } from './sweep-unseen.js';

/** Runs made ready for any number of sweeps: arrays of one number a run, and the running totals behind them. */
export interface PreparedRuns {
  readonly columns: Columns;
  readonly totals: Totals;
  readonly population: PopulationOptions;
  readonly runs: number;
  readonly verified: number;
  /** What is counted of the runs that are not loose. */
  readonly exact: ExactRuns;
  /** Index of the first pass of each run, and one behind the last. */
  readonly first: Uint32Array;
  /** `IS_GOOD` and the like. */
  readonly marks: Uint8Array;
  readonly loose: readonly LooseRun[];
  readonly recorded: Readonly<Record<Metric, RecordedSpend>>;
  /** The most that a counter stands at where each run is asked; a cap above it is not reached. `null`: nothing is known. */
  mostOf(limit: Summed): Sealed['values'] | null;
  /** What each run used in all, `unknown` of the column where that is not known. */
  wholeOf(limit: Summed): Sealed | null;
  /** What policies could not judge. */
  readonly unseen: UnseenStops;
  /** Where a rule's count is reached in each run, as a place; the boundary behind the last pass included. */
  placesOf(rule: Rule): Float64Array;
}

/**
 * Reads once what every policy of a sweep asks of the runs.
 *
 * @param rules rules to be looked for at once; others are looked for when a policy has them
 */
export function prepareSweep(
  runs: Iterable<Run>,
  rules: readonly Rule[] = [],
  population: PopulationOptions = VERIFIED,
): PreparedRuns {
  const table = isTable(runs) ? runs : tableOf(runs);
  const columns = table.columns();
  const totals = totalsOf(columns);
  const first = firstPasses(columns);
  const marks = new Uint8Array(columns.runs);
  const loose: LooseRun[] = [];
  let verified = 0;
  for (let run = 0; run < columns.runs; run++) {
    const passes = (first[run + 1] as number) - (first[run] as number);
    const found = columns.isWhole(run) ? null : looseRun(table, run, totals, first[run] as number, population);
    const ending = found?.ending ?? endingAt(columns, run, passes);
    const isGood = endsInPopulation(ending, population);
    if (isGood) verified++;
    if (found?.isLoose) {
      marks[run] = IS_LOOSE;
      loose.push(found.loose);
    } else marks[run] = (isGood ? IS_GOOD : 0) | (ending.status === 'stopped_budget' ? IS_STOPPED : 0);
  }
  const most = new Map<Summed, Sealed['values'] | null>();
  const whole = new Map<Summed, Sealed | null>();
  const places = new Map<string, Float64Array>();
  const wholeOf = (limit: Summed): Sealed | null => kept(whole, limit, () => wholeIn(totals[limit], first));
  const recordedOf = (metric: Metric): RecordedSpend =>
    recordedIn(metric, metric === 'passes' ? null : wholeOf(metric), first, marks, loose);
  const prepared: PreparedRuns = {
    columns,
    totals,
    population,
    runs: columns.runs,
    verified,
    exact: exactIn(marks),
    first,
    marks,
    loose,
    recorded: {
      passes: recordedOf('passes'),
      tokens: recordedOf('tokens'),
      seconds: recordedOf('seconds'),
      usd: recordedOf('usd'),
    },
    mostOf: (limit) => kept(most, limit, () => mostIn(totals[limit], first, marks)),
    wholeOf,
    unseen: unseenStops(table, population),
    placesOf: (rule) => kept(places, JSON.stringify(rule), () => placesIn(columns, first, rule)),
  };
  for (const rule of rules) prepared.placesOf(rule);
  return prepared;
}

/** What is asked for again is made once. */
function kept<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make();
  all.set(key, made);
  return made;
}

function firstPasses(columns: Columns): Uint32Array {
  const first = new Uint32Array(columns.runs + 1);
  for (let run = 0; run < first.length; run++) first[run] = columns.firstPass(run);
  return first;
}

function tableOf(runs: Iterable<Run>): RunTable {
  const table = createRunTable();
  for (const run of runs) table.add(run);
  return table;
}

function endingAt(columns: Columns, run: number, passes: number): Ending {
  const { status, check, claim } = columns.facts(run);
  return { status, check, claim, isZeroPass: passes === 0 };
}

interface MaybeLoose {
  readonly isLoose: boolean;
  readonly ending: Ending;
  readonly loose: LooseRun;
}

/** A run with totals beside its passes, or without passes. It is loose only where the totals say more than the passes. */
function looseRun(
  table: RunTable,
  index: number,
  totals: Totals,
  first: number,
  population: PopulationOptions,
): MaybeLoose {
  const run = table.at(index);
  const whole = wholeOf(run);
  const ending = endingOf(run);
  const kept = run.passes?.length ?? 0;
  const saysMore = METRICS.some(
    (metric) => metric !== 'passes' && whole[metric] !== null && totalAfter(totals[metric], first, kept) === null,
  );
  return {
    isLoose: !hasAllPasses(run) || saysMore,
    ending,
    loose: {
      run: index,
      isGood: endsInPopulation(ending, population),
      isStopped: run.status === 'stopped_budget',
      hasAllPasses: hasAllPasses(run),
      made: passCount(run),
      whole,
    },
  };
}
