import { figuresOf, isTable, PassingFigures, passingFigures, type RunFigures } from './figures.js';
import type { Run } from './run.js';
import type { Columns, RunTable } from './table.js';
import { totalsOf } from './totals.js';

/** Runs that say the same of themselves and made as many passes. */
export interface Alike {
  /** One of them, good until the next ones are asked for. */
  readonly run: RunFigures;
  readonly runs: number;
}

/** With more settings than this, runs have little in common. */
const MOST_SETTINGS = 4096;
/** Runs of more passes than this are told one by one. */
const MOST_PASSES = 4096;

/**
 * All runs, those of a table that are alike together: looking at 60 kinds of a hundred thousand runs takes a tenth of the
 * time of looking at each.
 *
 * @param isTold whether a run is told by itself all the same, because of what it says
 */
export function* alikeIn(
  runs: Iterable<Run>,
  isTold: (run: Pick<RunFigures, 'recordedUnder'>) => boolean = () => false,
): Generator<Alike> {
  if (!isTable(runs) || runs.columns().rows.settings > MOST_SETTINGS) {
    for (const run of passingFigures(runs)) yield { run, runs: 1 };
    return;
  }
  const columns = runs.columns();
  const passing = new PassingFigures(columns, totalsOf(columns));
  for (const [run, count] of countedIn(runs, columns, isTold)) {
    yield { run: columns.isWhole(run) ? passing.at(run) : figuresOf(runs.at(run)), runs: count };
  }
}

/** The first run of each kind and how many there are of it, in the order of the first ones. */
function countedIn(
  table: RunTable,
  columns: Columns,
  isTold: (run: Pick<RunFigures, 'recordedUnder'>) => boolean,
): readonly (readonly [run: number, count: number])[] {
  const counts = new Map<number, number>();
  const firsts: number[] = [];
  /** By setting, where a kind's number begins; -1: its runs are told one by one. */
  const starts = new Float64Array(columns.rows.settings).fill(Number.NaN);
  for (let run = 0; run < columns.runs; run++) {
    const setting = columns.rows.setting(run);
    if (Number.isNaN(starts[setting])) starts[setting] = isTold(table.facts(run)) ? -1 : setting * MOST_PASSES;
    const start = starts[setting] as number;
    const passes = columns.passesOf(run);
    const isAlone = start < 0 || passes >= MOST_PASSES || !columns.isWhole(run);
    const kind = isAlone ? -1 - run : start + passes;
    const count = counts.get(kind);
    if (count === undefined) firsts.push(run, kind);
    counts.set(kind, (count ?? 0) + 1);
  }
  return Array.from({ length: firsts.length / 2 }, (_, index) => {
    const [run, kind] = [firsts[index * 2], firsts[index * 2 + 1]] as [number, number];
    return [run, counts.get(kind) as number];
  });
}
