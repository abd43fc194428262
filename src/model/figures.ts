import type { Counters } from './limits.js';
import { type Ending, endingOf, runTotal } from './measure.js';
import type { Run } from './run.js';
import { TableFacts } from './run-columns.js';
import type { Columns, RunTable } from './table.js';
import { countersAfter, type Extent, extentOf, type Totals, totalAfter, totalsOf } from './totals.js';

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

/** The same, each good until the next one is asked for: what counts many runs and keeps none. */
export function* passingFigures(runs: Iterable<Run>): Generator<RunFigures> {
  if (!isTable(runs)) {
    yield* figuresIn(runs);
    return;
  }
  const columns = runs.columns();
  const passing = new PassingFigures(columns, totalsOf(columns));
  for (let run = 0; run < columns.runs; run++) {
    yield columns.isWhole(run) ? passing.at(run) : figuresOf(runs.at(run));
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

/** One object for one run of the columns after the other, all of them whole. */
export class PassingFigures extends TableFacts implements RunFigures {
  isZeroPass = false;
  readonly whole: Counters;
  readonly extent: Writable<Extent> = { run: 0, first: 0, passes: 0 };

  constructor(
    private readonly columns: Columns,
    totals: Totals,
  ) {
    super(columns.rows, 0);
    const { extent } = this;
    this.whole = {
      get passes() {
        return extent.passes;
      },
      get tokens() {
        return totalAfter(totals.tokens, extent.first, extent.passes);
      },
      get seconds() {
        return totalAfter(totals.seconds, extent.first, extent.passes);
      },
      get usd() {
        return totalAfter(totals.usd, extent.first, extent.passes);
      },
      get steps() {
        return totalAfter(totals.steps, extent.first, extent.passes);
      },
    };
  }

  at(run: number): this {
    const { columns, extent } = this;
    this.row = run;
    extent.run = run;
    extent.first = columns.firstPass(run);
    extent.passes = columns.passesOf(run);
    this.isZeroPass = extent.passes === 0;
    return this;
  }
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export function isTable(runs: Iterable<Run>): runs is RunTable {
  return 'columns' in runs;
}
