import { toAtoms } from '../model/atoms.js';
import type { Metric } from '../model/limits.js';
import type { ReplayBounds } from './result.js';
import type { SweepTallies } from './sweep-tallies.js';

/** How many false stops a policy makes and what is spent under it, each at least and at most. */
export interface Extent {
  readonly falseStops: readonly [least: number, most: number];
  /** In atoms; no upper end where runs that were stopped while recording would go on. */
  readonly spend: readonly [least: bigint, most: bigint | null];
}

/** The ends that `boundsOf` gives, in atoms. */
export function extentAt(tallies: SweepTallies, metric: Metric, index: number): Extent {
  const surely = tallies.falseStops[index] as number;
  const perhaps = (tallies.perhapsFalseStops[index] as number) + (tallies.censoredOpen[index] as number);
  const most = tallies.replayed[metric].total(index);
  const least = most - tallies.excess[metric].total(index);
  return {
    falseStops: [surely, surely + perhaps],
    spend: [least, (tallies.censored[index] as number) > 0 ? null : most],
  };
}

/** The same with the ends of a replay that saw what could not be judged. */
export function widened({ falseStops, spend }: Extent, bounds: ReplayBounds | null, metric: Metric): Extent {
  if (bounds === null) return { falseStops, spend };
  const least = bounds.spend[metric]?.replayed[0] ?? null;
  const atoms = least === null ? null : toAtoms(metric, least);
  const below = atoms === null || BigInt(atoms) > spend[0] ? spend[0] : BigInt(atoms);
  return { falseStops: [falseStops[0], Math.max(falseStops[1], bounds.false_stops[1] ?? 0)], spend: [below, spend[1]] };
}
