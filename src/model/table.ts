import { type Growing, growing, type PackedColumn } from './growing.js';
import { cutIds } from './id-column.js';
import { createPassColumns, type PackedPasses, type PassColumns } from './pass-columns.js';
import type { Run } from './run.js';
import { allOf, createRunColumns, type PackedRuns, type RunColumns, type RunFacts, TableFacts } from './run-columns.js';
import { type RunBatch, spanIn } from './run-batch.js';
import type { DraftFigures } from './run-draft.js';

export type { RunFacts } from './run-columns.js';

/**
 * Many runs in typed arrays, about 20 bytes a pass, where the objects of a run take some 400. Iterating makes
 * the runs anew, one at a time, with what counting and replaying need: arguments and results come back as codes that
 * are equal exactly where the contents were, all tokens of a pass as input, times to the millisecond; from the first
 * pass on that lacks a figure, that figure is unknown. Blockers, evidence and unknown keys are not kept.
 */
export interface RunTable extends Iterable<Run> {
  readonly length: number;
  /** @throws Error once the table has been read as columns */
  add(run: Run): void;
  /**
   * The same for a run whose passes lie in a draft, `null`: not recorded. Its tools bear the codes of `codeForTool`.
   *
   * @throws Error once the table has been read as columns
   */
  addDraft(facts: RunFacts, draft: DraftFigures | null): void;
  /** The runs of a batch in [from, to), by default all of them; what `addDraft` says of tools and errors holds here. */
  addBatch(batch: RunBatch, from?: number, to?: number): void;
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
   * @param ids their ids, cut apart
   */
  unpack(packed: PackedTable, lines: number, ids?: readonly string[]): void;
}

/** A table as another thread can be given it: texts, numbers and typed arrays. */
export interface PackedTable {
  readonly rows: PackedRuns;
  readonly passes: PackedPasses;
  readonly firstPass: PackedColumn;
  readonly firstCall: PackedColumn;
  readonly hasPasses: PackedColumn;
}

/** A table as it lies in memory. */
export interface Columns {
  readonly runs: number;
  /** Everything of a run but its passes. */
  readonly rows: RunColumns;
  readonly passes: PassColumns;
  /** Indexes of the first pass and the first call of a run; of the one behind the last where `run` is the number of runs. */
  firstPass(run: number): number;
  firstCall(run: number): number;
  /** Whether passes were recorded. */
  hasPasses(run: number): boolean;
  /** Whether the passes kept are all that the run made, and no totals stand beside them. */
  isWhole(run: number): boolean;
  /** Everything of a run but its passes. */
  facts(run: number): TableFacts;
}

export function createRunTable(): RunTable {
  const rows = createRunColumns();
  const passes = createPassColumns();
  const firstPass = growing();
  const firstCall = growing();
  const hasPasses = growing();
  let sealed: Columns | null = null;
  const columnsOf = (): Columns => {
    for (const each of [rows, passes, firstPass, firstCall, hasPasses]) each.seal();
    const runs = rows.length;
    const passStarts = startsOf(firstPass, runs, passes.length);
    const callStarts = startsOf(firstCall, runs, passes.calls.length);
    const whole = Uint8Array.from({ length: runs }, (_, run) =>
      Number(hasPasses.at(run) === 1 && rows.hasNoTotals(run)),
    );
    return {
      runs,
      rows,
      passes,
      firstPass: (run) => passStarts[run] as number,
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
    const hasNone = hasPasses.at(run) === null;
    const next = run + 1;
    const isLast = next === rows.length;
    const from = firstPass.at(run) as number;
    const to = isLast ? passes.length : (firstPass.at(next) as number);
    return {
      ...allOf(new TableFacts(rows, run)),
      passes: hasNone ? null : passes.slice(from, to, firstCall.at(run) as number),
    };
  };
  return {
    get length() {
      return rows.length;
    },
    at,
    facts: (run) => new TableFacts(rows, run),
    add(run) {
      rows.add({ ...run, startedMillis: run.startedAt === null ? null : Date.parse(run.startedAt) });
      firstPass.push(passes.length);
      firstCall.push(passes.calls.length);
      hasPasses.push(run.passes === null ? null : 1);
      passes.addRun(run.passes ?? []);
    },
    addDraft(facts, draft) {
      rows.add(facts);
      firstPass.push(passes.length);
      firstCall.push(passes.calls.length);
      hasPasses.push(draft === null ? null : 1);
      if (draft !== null) passes.addDraft(draft, [0, draft.passes], [0, draft.calls]);
    },
    addBatch(batch, from = 0, to = batch.runs) {
      const span = spanIn(batch, from, to);
      const [passesBefore, callsBefore] = [passes.length - span.passes[0], passes.calls.length - span.calls[0]];
      rows.addBatch(batch, from, to);
      for (let run = from; run < to; run++) {
        firstPass.push(passesBefore + (batch.firstPass[run] as number));
        firstCall.push(callsBefore + (batch.firstCall[run] as number));
      }
      hasPasses.append(batch.hasPasses, from, to);
      passes.addDraft(batch.figures, span.passes, span.calls);
    },
    codeForTool: (tool) => passes.calls.codeForTool(tool),
    columns,
    pack: () => ({
      rows: rows.pack(),
      passes: passes.pack(),
      firstPass: firstPass.pack(),
      firstCall: firstCall.pack(),
      hasPasses: hasPasses.pack(),
    }),
    unpack(packed, lines, ids = cutIds(packed.rows.ids)) {
      const [passesBefore, callsBefore] = [passes.length, passes.calls.length];
      rows.unpack(packed.rows, ids, lines);
      firstPass.unpack(packed.firstPass, (pass) => passesBefore + pass);
      firstCall.unpack(packed.firstCall, (call) => callsBefore + call);
      hasPasses.unpack(packed.hasPasses);
      passes.unpack(packed.passes);
    },
    *[Symbol.iterator]() {
      for (let run = 0; run < rows.length; run++) yield at(run);
    },
  };
}

/** Where each run begins, and behind the last one the end. */
function startsOf(starts: Growing, runs: number, end: number): Float64Array {
  const all = new Float64Array(runs + 1);
  for (let run = 0; run < runs; run++) all[run] = starts.at(run) as number;
  all[runs] = end;
  return all;
}
