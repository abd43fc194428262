import { type LimitName, METRICS, type Metric } from '../model/limits.js';
import type { ExactSums } from './exact-sums.js';
import { openSums } from './sweep-tallies.js';

/** One limit whose caps are swept: in atoms, ascending, each once, infinite for none. */
export interface Axis {
  readonly limit: LimitName;
  readonly caps: Float64Array;
}

/** What is counted in each cell that the caps of the axes cut; after `sumCells`, below each corner. */
export interface Cells {
  /** How many cells one step along an axis jumps. */
  readonly strides: readonly number[];
  /** A cell more than there are caps along each axis, for what is above all of them. */
  readonly sizes: readonly number[];
  readonly length: number;
  readonly made: Readonly<Record<Metric, ExactSums>>;
  readonly finished: Uint32Array;
  readonly goodFinished: Uint32Array;
  readonly censored: Uint32Array;
  readonly censoredOpen: Uint32Array;
}

export function openCells(axes: readonly Axis[]): Cells {
  const sizes = axes.map(({ caps }) => caps.length + 1);
  const productFrom = (axis: number): number => sizes.slice(axis).reduce((product, size) => product * size, 1);
  const length = productFrom(0);
  const counts = (): Uint32Array => new Uint32Array(length);
  return {
    strides: sizes.map((_, axis) => productFrom(axis + 1)),
    sizes,
    length,
    made: openSums(length),
    finished: counts(),
    goodFinished: counts(),
    censored: counts(),
    censoredOpen: counts(),
  };
}

/** The cell at so many steps along each axis. */
export function cellAt({ strides }: Cells, steps: readonly number[]): number {
  return steps.reduce((sum, step, axis) => sum + step * (strides[axis] as number), 0);
}

/** Adds to each cell all cells below it, one axis after the other. */
export function sumCells(cells: Cells): void {
  const counts = [cells.finished, cells.goodFinished, cells.censored, cells.censoredOpen];
  for (const [axis, stride] of cells.strides.entries()) {
    const size = cells.sizes[axis] as number;
    for (let cell = stride; cell < cells.length; cell++) {
      if (Math.floor(cell / stride) % size === 0) continue;
      for (const each of counts) each[cell] = (each[cell] as number) + (each[cell - stride] as number);
      for (const metric of METRICS) cells.made[metric].addFrom(cell, cells.made[metric], cell - stride);
    }
  }
}

/** Which cap each axis has in the combination of that number, the last axis fastest. */
export function stepsOf(axes: readonly Axis[], policy: number): number[] {
  const steps = new Array<number>(axes.length);
  let rest = policy;
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    const { length } = (axes[axis] as Axis).caps;
    steps[axis] = rest % length;
    rest = Math.floor(rest / length);
  }
  return steps;
}

export function combinationsOf(axes: readonly Axis[]): number {
  return axes.reduce((product, { caps }) => product * caps.length, 1);
}
