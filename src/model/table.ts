import type { PackedColumn } from './chunk.js';
import type { Depth } from './depth.js';
import { growing } from './growing.js';
import { sumPasses } from './measure.js';
import { createPassColumns, type PackedPasses, type PassColumns, type Summed } from './pass-columns.js';
import type { Pass, Run } from './run.js';
import type { RunBatch } from './run-batch.js';
import { allOf, createRunColumns, type PackedRuns, type RunColumns, TableFacts } from './run-columns.js';
import type { Span } from './run-draft.js';
import { startsOf } from './starts.js';

export type { RunFacts } from './run-batch.js';

/**
 * Many runs in typed arrays, about 20 bytes a pass, where the objects of a run take some 400. Iterating makes
 * the runs anew, one at a time, with what counting and replaying need: arguments and results come back as codes that
 * are equal exactly where the contents were, all tokens of a pass as input, times to the millisecond; from the first
 * pass on that lacks a figure, that figure is unknown. Blockers, evidence and unknown keys are not kept.
 *
 * A table of figures keeps a row a run, what it came to behind its last pass. Runs made anew then have as many passes as
 * were made, the first of which has used it all.
 */
export interface RunTable extends Iterable<Run> {
  readonly depth: Depth;
  readonly length: number;
  /** @throws Error once the table has been read as columns */
  add(run: Run): void;
  /**
   * The runs of a batch in [from, to), by default all of them. It has rows as the table keeps them, and its tools bear the
   * codes of `codeForTool`.
   *
   * @throws Error where its rows are others, or once the table has been read as columns
   */
  addBatch(batch: RunBatch, from?: number, to?: number): void;
  /** The runs of another table of that depth in [from, to); nothing can be added to that one afterwards. */
  addSpan(other: RunTable, from: number, to: number): void;
  /** The code under which the table keeps a tool. */
  codeForTool(tool: string): number;
  /** The run of that index, made anew. */
  at(run: number): Run;
  /** Everything of it but its passes. */
  facts(run: number): TableFacts;
  /** The columns, for walks that touch no object. */
  columns(): Columns;
  /** Everything as another thread can be given it. The table is empty afterwards, its codes of tools stay. */
  pack(): PackedTable;
  /**
   * Adds the runs of a packed table.
   *
   * @param lines how many lines of their file come before theirs
   * @param part what share of all that will be unpacked they are, about; the first ones say it
   */
  unpack(packed: PackedTable, lines: number, part?: number): void;
}

/** A table as another thread can be given it: texts, numbers and typed arrays. */
export interface PackedTable {
  readonly rows: PackedRuns;
  readonly passes: PackedPasses;
  /** How many passes and calls each run has. */
  readonly passesMade: PackedColumn;
  readonly callsMade: PackedColumn;
  readonly hasPasses: PackedColumn;
}

/** A table as it lies in memory. */
export interface Columns {
  readonly runs: number;
  /** Everything of a run but its passes. */
  readonly rows: RunColumns;
  readonly passes: PassColumns;
  /**
   * Indexes of the first pass and the first call of a run; of the one behind the last where `run` is the number of runs. In
   * a table of figures only the place of a run's last pass is true.
   */
  firstPass(run: number): number;
  firstCall(run: number): number;
  /** How many passes a run made. */
  passesOf(run: number): number;
  /** The index of a run's first row. */
  firstRow(run: number): number;
  /** Whether passes were recorded. */
  hasPasses(run: number): boolean;
  /** Whether the passes kept are all that the run made, and no totals stand beside them. */
  isWhole(run: number): boolean;
  /** Everything of a run but its passes. */
  facts(run: number): TableFacts;
}

/** @param depth what is kept of runs; contents and tools of calls are kept as they come */
export function createRunTable(depth: Depth = 'calls'): RunTable {
  const keepsLast = depth === 'figures';
  const rows = createRunColumns();
  const passes = createPassColumns();
  /** How many each run has: where they begin follows from it, once all are there. */
  const passesMade = growing();
  const callsMade = growing();
  const hasPasses = growing();
  let sealed: Columns | null = null;
  const columnsOf = (): Columns => {
    for (const each of [rows, passes, passesMade, callsMade, hasPasses]) each.freeze();
    const runs = rows.length;
    const made = passesMade.seal()?.values ?? new Uint8Array(0);
    const passStarts = startsOf(keepsLast ? made.map((passes) => Math.min(passes, 1)) : made);
    const callStarts = startsOf(callsMade.seal()?.values ?? []);
    const whole = new Uint8Array(runs);
    for (let run = 0; run < runs; run++) whole[run] = Number(hasPasses.at(run) === 1 && rows.hasNoTotals(run));
    return {
      runs,
      rows,
      passes,
      firstPass: keepsLast
        ? (run) => (passStarts[Math.min(run + 1, runs)] as number) - (made[run] ?? 0)
        : (run) => passStarts[run] as number,
      passesOf: (run) => made[run] as number,
      firstRow: (run) => passStarts[run] as number,
      firstCall: (run) => callStarts[run] as number,
      hasPasses: (run) => hasPasses.at(run) === 1,
      isWhole: (run) => whole[run] === 1,
      facts: (run) => new TableFacts(rows, run),
    };
  };
  const columns = (): Columns => {
    sealed ??= columnsOf();
    return sealed;
  };
  const at = (run: number): Run => {
    const all = columns();
    const hasNone = hasPasses.at(run) === null;
    const kept = passes.slice(all.firstRow(run), all.firstRow(run + 1), all.firstCall(run));
    const isShort = kept.length < all.passesOf(run);
    const others = isShort ? new Array<Pass>(all.passesOf(run) - kept.length).fill(NOTHING_USED) : [];
    return { ...allOf(all.facts(run)), passes: hasNone ? null : [...kept, ...others] };
  };
  return {
    depth,
    get length() {
      return rows.length;
    },
    at,
    facts: (run) => new TableFacts(rows, run),
    add(run) {
      rows.add({ ...run, startedMillis: run.startedAt === null ? null : Date.parse(run.startedAt) });
      const callsBefore = passes.calls.length;
      passesMade.push(run.passes?.length ?? 0);
      hasPasses.push(run.passes === null ? null : 1);
      if (!keepsLast) passes.addRun(run.passes ?? []);
      else if (run.passes !== null && run.passes.length > 0) passes.addSum(sumsOf(run.passes));
      callsMade.push(passes.calls.length - callsBefore);
    },
    addBatch(batch, from = 0, to = batch.runs) {
      if (batch.keepsLast !== keepsLast) throw new Error('a batch has the rows that its table keeps');
      rows.addBatch(batch, from, to);
      passesMade.append(batch.passes, from, to);
      callsMade.append(batch.calls, from, to);
      hasPasses.append(batch.hasPasses, from, to);
      const { figures, firstRow, firstCall } = batch;
      const spanOf = (starts: Float64Array): Span => [starts[from] as number, starts[to] as number];
      passes.addDraft(figures, spanOf(firstRow), spanOf(firstCall));
    },
    addSpan(other, from, to) {
      const those = other.columns();
      rows.addSpan(those.rows, [from, to]);
      for (let run = from; run < to; run++) {
        passesMade.push(those.passesOf(run));
        callsMade.push(those.firstCall(run + 1) - those.firstCall(run));
        hasPasses.push(those.hasPasses(run) ? 1 : null);
      }
      passes.addSpan(
        those.passes,
        [those.firstRow(from), those.firstRow(to)],
        [those.firstCall(from), those.firstCall(to)],
      );
    },
    codeForTool: (tool) => passes.calls.codeForTool(tool),
    columns,
    pack: () => ({
      rows: rows.pack(),
      passes: passes.pack(),
      passesMade: passesMade.pack(),
      callsMade: callsMade.pack(),
      hasPasses: hasPasses.pack(),
    }),
    unpack(packed, lines, part = 1) {
      if (part < 1) passes.expect(Math.ceil((rowsIn(packed.passes) * MARGIN) / part));
      rows.unpack(packed.rows, lines);
      passesMade.unpack(packed.passesMade);
      callsMade.unpack(packed.callsMade);
      hasPasses.unpack(packed.hasPasses);
      passes.unpack(packed.passes);
    },
    *[Symbol.iterator]() {
      for (let run = 0; run < rows.length; run++) yield at(run);
    },
  };
}

/** Parts of a file differ by some percent. */
const MARGIN = 1.1;

function rowsIn({ callsMade }: PackedPasses): number {
  return callsMade.reduce((sum, { length }) => sum + length, 0);
}

const NOTHING_USED: Pass = {
  ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: null, cacheWriteTokens: null },
  ...{ micros: 0, nanos: 0, steps: 0, model: null, calls: [] },
};

function sumsOf(passes: readonly Pass[]): Record<Summed, number | null> {
  const sum = (limit: Summed): number | null => sumPasses(passes, limit);
  return { tokens: sum('tokens'), seconds: sum('seconds'), usd: sum('usd'), steps: sum('steps') };
}
