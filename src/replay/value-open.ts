import { compare, type Fraction } from '../model/decimal.js';
import type { Metric } from '../model/limits.js';
import type { Frontier, FrontierPoint } from './frontier.js';
import type { Extent } from './sweep-extent.js';
import { costOf } from './value.js';

/** A policy and what it costs in all at least and at most; no upper end where runs would go on. */
export interface CostRange {
  readonly point: FrontierPoint;
  readonly least: Fraction;
  readonly most: Fraction | null;
}

/** What costs least in all where the record leaves figures open. */
export interface OpenChoice {
  readonly metric: Metric;
  /** What a finished success is worth. */
  readonly value: Fraction;
  /** The policy that at its most costs no more than any other at its least; `null`: nobody can tell which does. */
  readonly best: CostRange | null;
  /** Those that may cost least, the one with the lowest upper end first. */
  readonly candidates: readonly CostRange[];
}

/**
 * Which of the policies costs least in all, if that can be told at all: one must cost no more at its worst than any other
 * at its best.
 */
export function openChoice({ metric, points, beside }: Frontier, value: Fraction): OpenChoice {
  const rangeOf = (extent: Extent): Pick<CostRange, 'least' | 'most'> => costRange(metric, extent, value);
  const ranges = points
    .map((point): CostRange => ({ point, ...rangeOf(point.extent) }))
    .sort((one, other) => byEnd(one.most, other.most) || compare(one.least, other.least));
  const [first] = ranges;
  const bar = first?.most ?? null;
  const mayBeat = (least: Fraction): boolean => bar === null || compare(least, bar) < 0;
  const candidates = ranges.filter((range) => range === first || mayBeat(range.least));
  const isSure =
    first !== undefined &&
    bar !== null &&
    candidates.length === 1 &&
    !beside(first.point).some((extent) => mayBeat(rangeOf(extent).least));
  return { metric, value, best: isSure ? first : null, candidates };
}

function costRange(metric: Metric, { falseStops, spend }: Extent, value: Fraction): Pick<CostRange, 'least' | 'most'> {
  const at = (stops: number, spent: bigint): Fraction => costOf(metric, { falseStops: stops, spend: spent }, value);
  return { least: at(falseStops[0], spend[0]), most: spend[1] === null ? null : at(falseStops[1], spend[1]) };
}

function byEnd(one: Fraction | null, other: Fraction | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return compare(one, other);
}
