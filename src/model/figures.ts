import type { Counters } from './limits.js';
import { type Ending, endingOf, runTotal } from './measure.js';
import type { Run } from './run.js';
import { TableFacts } from './run-columns.js';
import type { Columns, RunTable } from './table.js';
import { countersAfter, type Extent, extentOf, type Totals, totalsOf } from './totals.js';

/** A run without its passes: how it ended, what it is called, and what it used. */
export interface RunFigures extends Ending, Omit<Run, 'passes' | 'status' | 'check' | 'claim'> {
  /** Figures of the whole run in atoms. */
  readonly whole: Counters;
}

export function figuresOf(run: Run): RunFigures {
  const { passes: _, ...facts } = run;
  return { ...facts, ...endingOf(run), whole: wholeOf(run) };
}

/** Figures of the whole run in atoms. */
export function wholeOf(run: Run): Counters {
  return {
    passes: runTotal(run, 'passes'),
    tokens: runTotal(run, 'tokens'),
    seconds: runTotal(run, 'seconds'),
    usd: runTotal(run, 'usd'),
    steps: runTotal(run, 'steps'),
  };
}

/** The figures of many runs. Those of a table come out of its columns, without making the passes anew. */
export function* figuresIn(runs: Iterable<Run>): Generator<RunFigures> {
  if (!isTable(runs)) {
    for (const run of runs) yield figuresOf(run);
    return;
  }
  const columns = runs.columns();
  const totals = totalsOf(columns);
  for (let run = 0; run < columns.runs; run++) {
    yield columns.isWhole(run) ? figuresAt(columns, totals, run) : figuresOf(runs.at(run));
  }
}

/** The figures of a run of the columns that is whole. */
export function figuresAt(columns: Columns, totals: Totals, run: number): RunFigures {
  return new TableFigures(columns, totals, extentOf(columns, run));
}

/** Looked up part by part: an object with all of them takes longer to make than a replay. */
export class TableFigures extends TableFacts implements RunFigures {
  readonly isZeroPass: boolean;
  readonly whole: Counters;

  constructor(columns: Columns, totals: Totals, extent: Extent) {
    super(columns.rows, extent.run);
    this.isZeroPass = extent.passes === 0;
    this.whole = countersAfter(totals, extent, extent.passes);
  }
}

export function isTable(runs: Iterable<Run>): runs is RunTable {
  return 'columns' in runs;
}
