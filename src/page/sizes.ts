import { bisectLeft, bisectRight } from 'd3-array';
import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { fromAtoms } from '../model/atoms.js';
import type { Metric } from '../model/limits.js';
import { type Bin, histogram } from '../stats/bins.js';
import type { HeldRun } from './replayer.js';

/** How sizes are laid out: from one end to the other, by equal steps or by equal factors. */
export interface Axis {
  readonly type: 'linear' | 'log';
  readonly domain: readonly [number, number];
}

export interface SizeBin {
  readonly from: number;
  readonly to: number;
  readonly good: number;
  readonly bad: number;
}

/** The sizes of the runs in one metric's own unit; runs that do not tell it are left out. */
export interface Sizes {
  readonly metric: Metric;
  /** Of successes, and of all others; ascending. */
  readonly good: Float64Array;
  readonly bad: Float64Array;
  readonly axis: Axis;
  readonly bins: readonly SizeBin[];
  /** The share of successes up to a size, in percent. */
  readonly steps: readonly { readonly size: number; readonly share: number }[];
}

const BINS = 24;
const BINS_A_DECADE = 8;
/** An axis goes by factors where the largest size is more than so many times the middle one. */
const WIDE = 30;
/** A curve of more steps looks the same. */
const STEPS = 400;

/**
 * The sizes of runs, or `null` where none tells.
 *
 * @param most how far the axis goes at least
 */
export function sizesOf(
  runs: readonly HeldRun[],
  metric: Metric,
  population: PopulationOptions,
  most: number,
): Sizes | null {
  const good: number[] = [];
  const bad: number[] = [];
  for (const { counted } of runs) {
    const atoms = counted.whole[metric];
    if (atoms !== null) (endsInPopulation(counted, population) ? good : bad).push(fromAtoms(metric, atoms));
  }
  if (good.length + bad.length === 0) return null;
  const sorted = { good: Float64Array.from(good).sort(), bad: Float64Array.from(bad).sort() };
  const all = Float64Array.from([...good, ...bad]).sort();
  const type = typeOf(all);
  const edges = type === 'log' ? logEdges(all) : linearEdges(all, metric);
  const end = Math.max(edges.at(-1) as number, most);
  const axis: Axis = { type, domain: [type === 'log' ? (edges[0] as number) : 0, end] };
  return { metric, ...sorted, axis, bins: binsOf(edges, sorted), steps: stepsOf(sorted.good) };
}

/** How many of ascending values lie above this one. */
export function countAbove(sorted: Float64Array, value: number): number {
  return sorted.length - bisectRight(sorted, value);
}

function typeOf(all: Float64Array): Axis['type'] {
  const [least, middle, largest] = [all[0], all[all.length >> 1], all.at(-1)] as [number, number, number];
  return least > 0 && largest > WIDE * middle ? 'log' : 'linear';
}

/** @param edges ascending; the last bin holds its upper end */
function binsOf(edges: readonly number[], { good, bad }: Pick<Sizes, 'good' | 'bad'>): SizeBin[] {
  return edges.slice(1).map((to, at) => {
    const from = edges[at] as number;
    const isLast = at === edges.length - 2;
    const countIn = (sorted: Float64Array): number =>
      (isLast ? sorted.length : bisectLeft(sorted, to)) - bisectLeft(sorted, from);
    return { from, to, good: countIn(good), bad: countIn(bad) };
  });
}

function linearEdges(all: Float64Array, metric: Metric): number[] {
  const bins = histogram([...all], BINS);
  const [first, last] = [bins[0], bins.at(-1)] as [Bin, Bin];
  // Values that are all the same have one bin, which must be drawn somehow.
  if (first.from === last.to) return [first.from, first.from + narrowest(metric, first.from)];
  return [...bins.map(({ from }) => from), last.to];
}

function narrowest(metric: Metric, value: number): number {
  return metric === 'passes' || metric === 'tokens' || value === 0 ? 1 : value / BINS;
}

function logEdges(all: Float64Array): number[] {
  const [least, most] = [all[0], all.at(-1)] as [number, number];
  const at = (step: number): number => 10 ** (step / BINS_A_DECADE);
  let first = Math.floor(Math.log10(least) * BINS_A_DECADE);
  while (at(first) > least) first--;
  let last = Math.ceil(Math.log10(most) * BINS_A_DECADE);
  while (at(last) < most) last++;
  return Array.from({ length: last - first + 1 }, (_, step) => at(first + step));
}

/** Beginning where the smallest lies, at the largest 100; so many ranks, evenly, where there are more. */
function stepsOf(good: Float64Array): Sizes['steps'] {
  const n = good.length;
  if (n === 0) return [];
  const count = Math.min(n, STEPS);
  const ranks = Array.from({ length: count }, (_, at) => Math.round(((at + 1) * n) / count));
  return [
    { size: good[0] as number, share: 0 },
    ...ranks.map((rank) => ({ size: good[rank - 1] as number, share: (100 * rank) / n })),
  ];
}
