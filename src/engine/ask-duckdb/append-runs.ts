import { toAtoms } from '../../model/atoms.js';
import type { Depth } from '../../model/depth.js';
import { LIMITS, METRICS } from '../../model/limits.js';
import type { Columns, RunTable } from '../../model/table.js';
import { type Extent, extentOf, type Totals, totalAfter, totalsOf } from '../../model/totals.js';
import { SUMMED_LIMITS } from '../ask/dialect.js';
import type { Database } from '../duckdb.js';
import { type Calls, callsOf } from './append-calls.js';
import type { Bulk } from './bulk.js';
import { type Bulks, placesOf, TABLE_NAMES, typesOf } from './tables.js';

/** Puts the runs of tables into the staged ones. */
export interface Appending {
  /** @param before how many runs are there already */
  addRuns(table: RunTable, before: number): void;
}

/**
 * @param tools the codes of all tools, which grow
 * @param depth runs are put in without their passes where figures are all that is asked for
 */
export function createAppending(database: Database, tools: Map<string, number>, depth: Depth): Appending {
  return {
    addRuns(table, before) {
      const bulks = Object.fromEntries(
        TABLE_NAMES.map((name) => [name, database.bulk(name, typesOf(name))]),
      ) as unknown as Bulks;
      try {
        append(table.columns(), bulks, tools, before, depth);
      } finally {
        for (const name of TABLE_NAMES) bulks[name].close();
      }
    },
  };
}

function append(columns: Columns, bulks: Bulks, tools: Map<string, number>, before: number, depth: Depth): void {
  const totals = totalsOf(columns);
  // Where calls are not asked for, some readers do not even give their tools.
  const calls = depth === 'calls' ? callsOf(columns, bulks, tools) : NO_CALLS;
  for (let run = 0; run < columns.runs; run++) {
    const extent = extentOf(columns, run);
    const ord = before + run;
    if (depth !== 'figures') appendPasses(columns, totals, extent, bulks.passes, ord);
    appendRun(columns, totals, extent, bulks, ord, calls);
  }
}

const NO_CALLS = (): Calls => ({ streak: 0, lacks: false });

/** Places of the columns of `passes`, which are many rows. */
const PASS = placesOf('passes');
const COUNTERS = SUMMED_LIMITS.map((limit) => [limit, PASS.get(limit) as number] as const);
const CALLS = PASS.get('calls') as number;

function appendPasses({ passes }: Columns, totals: Totals, extent: Extent, bulk: Bulk, ord: number): void {
  const { first } = extent;
  for (let pass = 1; pass <= extent.passes; pass++) {
    bulk.number(0, ord);
    bulk.number(1, pass);
    for (const [limit, place] of COUNTERS) {
      const total = totalAfter(totals[limit], first, pass);
      if (total !== null) bulk.number(place, total);
    }
    bulk.number(CALLS, passes.callsOf(first + pass - 1));
    bulk.endRow();
  }
}

const RUN = placesOf('runs');
const place = (column: string): number => RUN.get(column) as number;

function appendRun(
  columns: Columns,
  totals: Totals,
  extent: Extent,
  bulks: Bulks,
  ord: number,
  calls: (extent: Extent, ord: number) => Calls,
): void {
  const { runs: bulk } = bulks;
  const { rows } = columns;
  const { run, first } = extent;
  const isKept = columns.hasPasses(run);
  const number = (column: string, value: number | null | undefined): void => {
    if (value !== null && value !== undefined) bulk.number(place(column), value);
  };
  const text = (column: string, value: string | null): void => {
    if (value !== null) bulk.text(place(column), value);
  };
  number('ord', ord);
  text('id', rows.id(run));
  text('status', rows.status(run));
  text('verdict', rows.check(run));
  text('claim', rows.claim(run));
  text('reason', rows.reason(run));
  number('kept', isKept ? extent.passes : -1);
  const stated = rows.totals(run);
  for (const metric of METRICS) number(`stated_${metric}`, stated?.[metric]);
  if (isKept)
    for (const limit of SUMMED_LIMITS) number(`sum_${limit}`, totalAfter(totals[limit], first, extent.passes));
  const under = rows.recordedUnder(run);
  for (const limit of LIMITS) {
    const cap = under.get(limit);
    if (cap !== undefined) number(`under_${limit}`, toAtoms(limit, cap));
  }
  const { streak, lacks } = calls(extent, ord);
  if (isKept) number('streak', streak);
  number('lacks', Number(lacks));
  bulk.endRow();
  appendLabels(rows.labels(run), bulks.labels, ord);
}

function appendLabels(labels: ReadonlyMap<string, string>, bulk: Bulk, ord: number): void {
  let at = 0;
  for (const [label, value] of labels) {
    bulk.number(0, ord);
    bulk.number(1, at++);
    bulk.text(2, label);
    bulk.text(3, value);
    bulk.endRow();
  }
}
