import type { LimitName } from '../model/limits.js';
import { isReached } from '../policy/stop.js';
import type { Axis, Cells } from './sweep-cells.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { skipBelow } from './sweep-runs.js';

/** The way of one run through the cells, in pieces that lie in one cell each. */
export interface Path {
  /** How many pieces there are; the first of the arrays below are theirs. */
  pieces: number;
  readonly cells: Uint32Array;
  /** Passes made at the end of a piece. */
  readonly ends: Uint32Array;
  /** The cell of the last boundary that was looked at. */
  endCell: number;
  /** @param until the last boundary looked at @param made passes that are cut into pieces */
  follow(run: number, from: number, until: number, made: number): void;
}

/** Each axis notes at which boundaries its counter passes a cap; between those the run stays in its cell. */
export function createPath(prepared: PreparedRuns, axes: readonly Axis[], { strides }: Cells): Path {
  const longest = longestOf(prepared.first);
  /** What the cell's number grows by at a boundary. */
  const jumps = new Uint32Array(longest + 1);
  const crossings = axes.map((axis, index) => createCrossing(prepared, axis, strides[index] as number, jumps));
  const cells = new Uint32Array(longest + 1);
  const ends = new Uint32Array(longest + 1);
  return {
    pieces: 0,
    endCell: 0,
    cells,
    ends,
    follow(run, from, until, made) {
      let last = 0;
      for (const cross of crossings) last = Math.max(last, cross(run, from, until));
      let cell = 0;
      let pieces = 0;
      for (let boundary = 1; boundary <= last; boundary++) {
        const jump = jumps[boundary] as number;
        if (jump === 0) continue;
        cells[pieces] = cell;
        ends[pieces++] = boundary;
        cell += jump;
        jumps[boundary] = 0;
      }
      this.endCell = cell;
      if (pieces === 0 || (ends[pieces - 1] as number) < made) {
        cells[pieces] = cell;
        ends[pieces++] = made;
      }
      this.pieces = pieces;
    },
  };
}

/** Notes the boundaries at which a counter passes caps. @returns the last of them, 0 for none */
type Crossing = (run: number, from: number, until: number) => number;

function createCrossing(prepared: PreparedRuns, { limit, caps }: Axis, stride: number, jumps: Uint32Array): Crossing {
  if (limit === 'passes') return crossPasses(caps, stride, jumps);
  return crossTotals(prepared, limit, caps, stride, jumps);
}

function crossPasses(caps: Float64Array, stride: number, jumps: Uint32Array): Crossing {
  return (_run, _from, until) => {
    let last = 0;
    for (let index = 0; index < caps.length && isReached(until, caps[index] as number); index++) {
      last = caps[index] as number;
      jumps[last] = (jumps[last] as number) + stride;
    }
    return last;
  };
}

function crossTotals(
  prepared: PreparedRuns,
  limit: Exclude<LimitName, 'passes'>,
  caps: Float64Array,
  stride: number,
  jumps: Uint32Array,
): Crossing {
  const column = prepared.totals[limit];
  const most = prepared.mostOf(limit);
  if (column === null || most === null) return () => 0;
  const { values } = column;
  const lowest = caps[0] as number;
  return (run, from, until) => {
    const reached = most[run] as number;
    if (!isReached(reached, lowest)) return 0;
    let last = 0;
    let at = skipBelow(values, from, from + until, lowest);
    for (let index = 0; index < caps.length; index++) {
      const cap = caps[index] as number;
      if (!isReached(reached, cap)) break;
      while (!isReached(values[at] as number, cap)) at++;
      const boundary = at - from + 1;
      if (boundary > until) break;
      last = boundary;
      jumps[last] = (jumps[last] as number) + stride;
    }
    return last;
  };
}

function longestOf(first: Uint32Array): number {
  let longest = 0;
  for (let run = 1; run < first.length; run++) {
    longest = Math.max(longest, (first[run] as number) - (first[run - 1] as number));
  }
  return longest;
}
