import type { Sealed } from './chunk.js';
import type { Counters } from './limits.js';
import type { Summed } from './pass-columns.js';
import type { Columns } from './table.js';

/** Where a run lies in the columns of a table. */
export interface Extent {
  readonly run: number;
  /** Index of its first pass. */
  readonly first: number;
  readonly passes: number;
}

export function extentOf(columns: Columns, run: number): Extent {
  return { run, first: columns.firstPass(run), passes: columns.passesOf(run) };
}

/** The running totals of every counter that is summed; `null` where nothing is known of it. */
export type Totals = Readonly<Record<Summed, Sealed | null>>;

/** A column puts itself together when it is asked for first: sweeps of three caps over 17 million passes never ask for steps. */
export function totalsOf({ passes }: Columns): Totals {
  return {
    get tokens() {
      return passes.totals('tokens');
    },
    get seconds() {
      return passes.totals('seconds');
    },
    get usd() {
      return passes.totals('usd');
    },
    get steps() {
      return passes.totals('steps');
    },
  };
}

/** The counters of a run after so many of its passes, in atoms. */
export function countersAfter(totals: Totals, { first }: Extent, passes: number): Counters {
  return {
    passes,
    tokens: totalAfter(totals.tokens, first, passes),
    seconds: totalAfter(totals.seconds, first, passes),
    usd: totalAfter(totals.usd, first, passes),
    steps: totalAfter(totals.steps, first, passes),
  };
}

export function totalAfter(column: Sealed | null, first: number, passes: number): number | null {
  if (passes === 0) return 0;
  if (column === null) return null;
  const value = column.values[first + passes - 1] as number;
  return value === column.unknown ? null : value;
}
