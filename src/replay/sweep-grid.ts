import type { Sealed } from '../model/chunk.js';
import { METRICS } from '../model/limits.js';
import type { Caps, Policy } from '../policy/policy.js';
import { type Axis, type Cells, cellAt, combinationsOf, openCells, stepsOf, sumCells } from './sweep-cells.js';
import { boundaryCode, NO_CODE, passesAt } from './sweep-codes.js';
import type { PolicyColumns } from './sweep-columns.js';
import { createStopCounts } from './sweep-counts.js';
import { sweepList } from './sweep-list.js';
import { createLooseBook } from './sweep-loose.js';
import { createPath, type Path } from './sweep-path.js';
import { createFirstPlaces } from './sweep-places.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { createFirstRules } from './sweep-rules.js';
import { type ExactRuns, IS_GOOD, IS_LOOSE, IS_STOPPED, lastAsked } from './sweep-runs.js';
import { createSinglePlaces } from './sweep-single.js';
import { increment, openTallies, type SweepTallies } from './sweep-tallies.js';

/*
 * The caps of a grid cut the counters into cells. Pass k + 1 is made under a policy if and only if at boundary k every
 * counter is below its cap: if the cell of that boundary lies below the policy's corner along every axis. So each pass
 * is added to one cell, and sums along each axis give what is made under every policy at once. Counters never fall, so
 * a run crosses few cells: it is cut where a counter passes a cap, and the pieces are added. A counter that is not
 * known any more stays in the cell where it was known last, for it stops nothing.
 */

/** All combinations of the axes' caps, the last axis fastest; rules, order and other caps are the base policy's. */
export function sweepAxes(prepared: PreparedRuns, base: Policy, axes: readonly Axis[]): SweepTallies {
  const policies = combinedColumns(base, axes);
  // Steps that are judged inside a pass do not end it at a boundary.
  if (base.stepsAt === 'dispatch' && axes.some(({ limit }) => limit === 'steps')) return sweepList(prepared, policies);
  const cells = openCells(axes);
  fillCells(prepared, base, axes, cells);
  const tallies = tallyCells(cells, axes, prepared.exact);
  if (prepared.loose.length === 0) return tallies;
  const found = createFirstPlaces(prepared, policies);
  const counts = createStopCounts(policies, found.rules);
  const book = createLooseBook(prepared, policies, found, counts, tallies);
  for (const loose of prepared.loose) book.add(loose);
  counts.close(tallies);
  return tallies;
}

/** What every combination of the axes' caps lets through: all that lies below its corner. */
export function tallyCells(cells: Cells, axes: readonly Axis[], of: Pick<ExactRuns, 'runs' | 'good'>): SweepTallies {
  sumCells(cells);
  const tallies = openTallies(combinationsOf(axes), null);
  for (let policy = 0; policy < tallies.stops.length; policy++) {
    const cell = cellAt(cells, stepsOf(axes, policy));
    tallies.stops[policy] = of.runs - (cells.finished[cell] as number);
    tallies.falseStops[policy] = of.good - (cells.goodFinished[cell] as number);
    tallies.censored[policy] = cells.censored[cell] as number;
    tallies.censoredOpen[policy] = cells.censoredOpen[cell] as number;
    for (const metric of METRICS) tallies.replayed[metric].addFrom(policy, cells.made[metric], cell);
  }
  return tallies;
}

function fillCells(prepared: PreparedRuns, base: Policy, axes: readonly Axis[], cells: Cells): void {
  const { first, marks } = prepared;
  const kept = fixedColumns(base, axes);
  const codeIn = createSinglePlaces(prepared, kept, createFirstRules(prepared, kept));
  const path = createPath(prepared, axes, cells);
  const pieces = createPieceSums(prepared, cells, path);
  for (let run = 0; run < prepared.runs; run++) {
    const mark = marks[run] as number;
    if ((mark & IS_LOOSE) !== 0) continue;
    const from = first[run] as number;
    const passes = (first[run + 1] as number) - from;
    const code = codeIn(run);
    const isStopped = code < boundaryCode(passes, 0);
    const made = isStopped ? passesAt(code) : passes;
    path.follow(run, from, isStopped ? made - 1 : lastAsked(passes, mark), made);
    pieces.add(run, from, passes, isStopped);
    if (isStopped) continue;
    const isGood = (mark & IS_GOOD) !== 0;
    const lastCell = path.cells[path.pieces - 1] as number;
    increment(cells.finished, lastCell);
    if (isGood) increment(cells.goodFinished, lastCell);
    if ((mark & IS_STOPPED) === 0 || code !== NO_CODE) continue;
    increment(cells.censored, path.endCell);
    if (!isGood) increment(cells.censoredOpen, path.endCell);
  }
}

interface PieceSums {
  /** Adds what a run used, piece by piece, where it is known whole. @param isCut it is stopped within its passes */
  add(run: number, from: number, passes: number, isCut: boolean): void;
}

function createPieceSums(prepared: PreparedRuns, { made }: Cells, path: Path): PieceSums {
  const summed = (['tokens', 'seconds', 'usd'] as const).flatMap((metric) => {
    const [column, whole] = [prepared.totals[metric], prepared.wholeOf(metric)];
    if (column === null || whole === null) return [];
    return [{ values: column.values, whole: whole.values, unknown: column.unknown, sums: made[metric] }];
  });
  const { ends, cells } = path;
  return {
    add(run, from, passes, isCut) {
      const { pieces } = path;
      addPasses(made.passes.withRoom(passes), cells, ends, pieces);
      for (let at = 0; at < summed.length; at++) {
        const { values, whole, unknown, sums } = summed[at] as (typeof summed)[number];
        const all = whole[run] as number;
        if (all === unknown) continue;
        const room = sums.withRoom(all);
        // The end of a run needs no look at its passes.
        const inside = isCut ? pieces : pieces - 1;
        const used = addTotals(room, values, from, cells, ends, inside);
        if (isCut) continue;
        const last = cells[inside] as number;
        room[last] = (room[last] as number) + (all - used);
      }
    },
  };
}

function addPasses(sums: Float64Array, cells: Uint32Array, ends: Uint32Array, pieces: number): void {
  let before = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const cell = cells[piece] as number;
    const end = ends[piece] as number;
    sums[cell] = (sums[cell] as number) + (end - before);
    before = end;
  }
}

/** @returns what is used by the end of the pieces */
function addTotals(
  sums: Float64Array,
  values: Sealed['values'],
  from: number,
  cells: Uint32Array,
  ends: Uint32Array,
  pieces: number,
): number {
  let before = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const cell = cells[piece] as number;
    const used = values[from + (ends[piece] as number) - 1] as number;
    sums[cell] = (sums[cell] as number) + (used - before);
    before = used;
  }
  return before;
}

/** The base policy without the caps that are swept: what stops a run wherever it is in the grid. */
function fixedColumns(base: Policy, axes: readonly Axis[]): PolicyColumns {
  const caps: { -readonly [limit in keyof Caps]?: Float64Array } = {};
  for (const [limit, cap] of Object.entries(base.caps) as [keyof Caps, number][]) {
    if (!axes.some((axis) => axis.limit === limit)) caps[limit] = Float64Array.of(cap);
  }
  return {
    length: 1,
    rules: base.rules,
    stepsAt: base.stepsAt,
    caps,
    orders: [base.order],
    orderOf: new Uint16Array(1),
  };
}

function combinedColumns(base: Policy, axes: readonly Axis[]): PolicyColumns {
  const length = combinationsOf(axes);
  const fixed = fixedColumns(base, axes);
  const caps: { -readonly [limit in keyof Caps]?: Float64Array } = {};
  for (const [limit, cap] of Object.entries(fixed.caps) as [keyof Caps, Float64Array][]) {
    caps[limit] = new Float64Array(length).fill(cap[0] as number);
  }
  let repeats = length;
  for (const axis of axes) {
    repeats /= axis.caps.length;
    caps[axis.limit] = Float64Array.from(
      { length },
      (_, policy) => axis.caps[Math.floor(policy / repeats) % axis.caps.length] as number,
    );
  }
  return { ...fixed, length, caps, orderOf: new Uint16Array(length) };
}
