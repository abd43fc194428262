import { fromAtoms } from '../model/atoms.js';
import { decimalOf, type Fraction, toNumber } from '../model/decimal.js';
import { figuresIn } from '../model/figures.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { DEFAULT_UNITS } from './caps.js';
import type { DeriveOptions } from './options.js';
import { endsInPopulation } from './population.js';
import type { CapReport, DeriveReport } from './result.js';
import { lacksUsd, type Sample } from './sample.js';

/** One success in the ascending order of a metric. */
export interface RankedRun {
  /** From 1. */
  readonly rank: number;
  /** In the metric's own unit. */
  readonly value: number;
  readonly run: string;
  /** Whether the percentile was read here; an interpolated one is read at two. */
  readonly is_taken: boolean;
  readonly is_above_cap: boolean;
}

/** Why the unit is this one: the usual, one set by hand, or a finer one since the usual raised the cap by too much. */
export type UnitRule = 'usual' | 'set' | 'finer';

/** How a cap came out of ranked values, step by step; the steps that the cap's report holds are there. */
export interface CapExplanation {
  readonly cap: CapReport;
  /**
   * Where the percentile stands among the ranks: p x n, whose next whole number is the rank; 1 + p x (n - 1) where it is
   * interpolated. `null` where the rank was found otherwise, so that all caps together stay within the accepted rate.
   */
  readonly position: number | null;
  /** Around the percentile, around the cap, and the largest; ascending, with gaps. */
  readonly ranked: readonly RankedRun[];
  readonly unit_rule: UnitRule;
  readonly usual_unit: number;
  /** By what share rounding raised the padded value, and by what share the usual unit would have. */
  readonly raised_by: number;
  readonly usual_raise: number;
  /** Every success above the cap, the largest first. */
  readonly above: readonly string[];
}

/** Why a metric has no cap. */
export interface NoCap {
  readonly cap: null;
  readonly reason: string;
}

export type Explanation = { readonly [metric in Metric]: CapExplanation | NoCap };

/** How many ranks are shown to either side of the percentile, and of the cap. */
const AROUND_PERCENTILE = 4;
const AROUND_CAP = 2;

/**
 * How the caps of a derivation came about.
 *
 * @param runs those that the sample was taken from
 */
export function explainCaps(
  runs: Iterable<Run>,
  { sample, report }: { readonly sample: Sample; readonly report: Pick<DeriveReport, 'caps'> },
  options: DeriveOptions,
): Explanation {
  const shown = METRICS.map((metric) => {
    const cap = report.caps[metric];
    return { metric, cap, ranks: cap === null ? [] : ranksToShow(cap, options) };
  });
  const upper = upperRuns(
    runs,
    options,
    // A run that is shown has a value of at least the lowest one shown.
    shown.flatMap(({ metric, ranks: [first] }) =>
      first === undefined ? [] : [[metric, sample.values[metric][first - 1] as number] as const],
    ),
  );
  return Object.fromEntries(
    shown.map(({ metric, cap, ranks }) => [
      metric,
      cap === null
        ? { cap, reason: whyNoCap(metric, sample, options) }
        : explained(metric, cap, ranks, upper.get(metric) ?? [], options),
    ]),
  ) as unknown as Explanation;
}

function explained(
  metric: Metric,
  cap: CapReport,
  ranks: readonly number[],
  upper: readonly UpperRun[],
  options: DeriveOptions,
): CapExplanation {
  const position = positionOf(cap, options);
  const usual = DEFAULT_UNITS[metric];
  const at = (rank: number): UpperRun => upper[upper.length - 1 - (cap.n - rank)] as UpperRun;
  const taken = takenRanks(cap, position);
  return {
    cap,
    position: position === null ? null : toNumber(position),
    ranked: ranks.map((rank) => ({
      rank,
      value: fromAtoms(metric, at(rank).atoms),
      run: at(rank).id,
      is_taken: taken.includes(rank),
      is_above_cap: rank > cap.n - cap.above,
    })),
    unit_rule: options.units[metric] !== undefined ? 'set' : cap.unit === toNumber(usual) ? 'usual' : 'finer',
    usual_unit: toNumber(usual),
    raised_by: raise(cap.padded, cap.unit),
    usual_raise: raise(cap.padded, toNumber(usual)),
    above: Array.from({ length: cap.above }, (_, index) => at(cap.n - index).id),
  };
}

/** By what share rounding up to a multiple of the unit raises a value above zero. */
function raise(padded: number, unit: number): number {
  const [{ num, den }, step] = [decimalOf(padded), decimalOf(unit)];
  const count = (num * step.den + den * step.num - 1n) / (den * step.num);
  return toNumber({ num: count * step.num * den - num * step.den, den: num * step.den });
}

function positionOf({ n, method, joint }: CapReport, { p }: DeriveOptions): Fraction | null {
  if (joint !== undefined) return null;
  if (method === 'nearest-rank') return { num: p.num * BigInt(n), den: p.den };
  return { num: p.num * BigInt(n - 1) + p.den, den: p.den };
}

/** The ranks whose values make the percentile. */
function takenRanks({ rank, n }: CapReport, position: Fraction | null): number[] {
  if (rank !== null) return [rank];
  if (position === null) return [];
  const below = Number(position.num / position.den);
  return position.num % position.den === 0n ? [below] : [below, Math.min(n, below + 1)];
}

function ranksToShow(cap: CapReport, options: DeriveOptions): number[] {
  const { n, above } = cap;
  const [first = n, last = first] = takenRanks(cap, positionOf(cap, options));
  const around = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const ranks = [
    ...around(first - AROUND_PERCENTILE, last + AROUND_PERCENTILE),
    ...around(n - above - AROUND_CAP + 1, n - above + AROUND_CAP),
    n,
  ];
  return [...new Set(ranks)].filter((rank) => rank >= 1 && rank <= n).sort((a, b) => a - b);
}

interface UpperRun {
  readonly id: string;
  readonly atoms: number;
}

/** The successes whose value is not below the least that is asked for, ascending; of equal ones the first read first. */
function upperRuns(
  runs: Iterable<Run>,
  options: DeriveOptions,
  least: readonly (readonly [metric: Metric, atoms: number])[],
): ReadonlyMap<Metric, readonly UpperRun[]> {
  const upper = new Map(least.map(([metric]) => [metric, [] as UpperRun[]]));
  for (const run of figuresIn(runs)) {
    if (!endsInPopulation(run, options)) continue;
    for (const [metric, atoms] of least) {
      const own = run.whole[metric];
      if (own !== null && own >= atoms) upper.get(metric)?.push({ id: run.id, atoms: own });
    }
  }
  for (const found of upper.values()) found.sort((one, other) => one.atoms - other.atoms);
  return upper;
}

function whyNoCap(metric: Metric, sample: Sample, options: DeriveOptions): string {
  const { length } = sample.values[metric];
  if (sample.verified === 0) return 'there is no success to take it from';
  if (length === 0) return 'no success gives the figure';
  if (metric === 'usd' && lacksUsd(sample, options)) {
    return `the cost of ${sample.verified - length} of ${sample.verified} successes is not known; --partial-usd takes a cap all the same`;
  }
  return 'the percentile is zero, and a cap of zero would stop every run';
}
