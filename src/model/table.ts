import type { PackedColumn } from './chunk.js';
import { growing } from './growing.js';
import { createPassColumns, type PackedPasses, type PassColumns } from './pass-columns.js';
import type { Run } from './run.js';
import type { RunBatch, RunFacts } from './run-batch.js';
import { allOf, createRunColumns, type PackedRuns, type RunColumns, TableFacts } from './run-columns.js';
import type { DraftFigures, Span } from './run-draft.js';
import { startsOf } from './starts.js';

export type { RunFacts } from './run-batch.js';

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
  /** The runs of another table in [from, to); nothing can be added to that one afterwards. */
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
   */
  unpack(packed: PackedTable, lines: number): void;
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
  /** How many each run has: where they begin follows from it, once all are there. */
  const passesMade = growing();
  const callsMade = growing();
  const hasPasses = growing();
  let sealed: Columns | null = null;
  const columnsOf = (): Columns => {
    for (const each of [rows, passes, passesMade, callsMade, hasPasses]) each.freeze();
    const runs = rows.length;
    const passStarts = startsOf(passesMade.seal()?.values ?? []);
    const callStarts = startsOf(callsMade.seal()?.values ?? []);
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
    const all = columns();
    const hasNone = hasPasses.at(run) === null;
    return {
      ...allOf(all.facts(run)),
      passes: hasNone ? null : passes.slice(all.firstPass(run), all.firstPass(run + 1), all.firstCall(run)),
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
      const callsBefore = passes.calls.length;
      passesMade.push(run.passes?.length ?? 0);
      hasPasses.push(run.passes === null ? null : 1);
      passes.addRun(run.passes ?? []);
      callsMade.push(passes.calls.length - callsBefore);
    },
    addDraft(facts, draft) {
      rows.add(facts);
      passesMade.push(draft?.passes ?? 0);
      callsMade.push(draft?.calls ?? 0);
      hasPasses.push(draft === null ? null : 1);
      if (draft !== null) passes.addDraft(draft, [0, draft.passes], [0, draft.calls]);
    },
    addBatch(batch, from = 0, to = batch.runs) {
      rows.addBatch(batch, from, to);
      passesMade.append(batch.passes, from, to);
      callsMade.append(batch.calls, from, to);
      hasPasses.append(batch.hasPasses, from, to);
      const { figures, firstPass, firstCall } = batch;
      const spanOf = (starts: Float64Array): Span => [starts[from] as number, starts[to] as number];
      passes.addDraft(figures, spanOf(firstPass), spanOf(firstCall));
    },
    addSpan(other, from, to) {
      const those = other.columns();
      rows.addSpan(those.rows, [from, to]);
      for (let run = from; run < to; run++) {
        passesMade.push(those.firstPass(run + 1) - those.firstPass(run));
        callsMade.push(those.firstCall(run + 1) - those.firstCall(run));
        hasPasses.push(those.hasPasses(run) ? 1 : null);
      }
      passes.addSpan(
        those.passes,
        [those.firstPass(from), those.firstPass(to)],
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
    unpack(packed, lines) {
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
