import { compare, decimalOf, type Fraction, toNumber } from '../model/decimal.js';
import type { Metric } from '../model/limits.js';
import type { Frontier, FrontierPoint } from './frontier.js';
import type { SweepAnswer, SweepResult } from './sweep-result.js';
import { bestAtValue, costOf, type ValueChoice } from './value.js';
import { type CostRange, openChoice } from './value-open.js';

/** What costs least in all, as `sweep --json` prints it; amounts are in the unit of `metric`. */
export interface ValueReport {
  readonly metric: Metric;
  /** What a finished success is worth. */
  readonly per_success: number;
  /** The policy that costs least in all: its place in the list of policies, and its caps. */
  readonly policy: number;
  readonly caps: SweepAnswer['caps'];
  readonly repeat?: number | null;
  readonly false_stops: number;
  readonly finished: number;
  readonly spend: number;
  /** Spend, and the worth of the successes that are cut off. */
  readonly cost: number;
  /** What the runs cost as they were recorded: their spend, and no success cut off. */
  readonly recorded_cost: number | null;
  /** Whether the recorded runs cost less than this policy, more, or the same. */
  readonly recorded_is: 'less' | 'same' | 'more' | 'unknown';
  /** It stays the best for any value from here … `null`: however low, or not told where figures are not exact. */
  readonly best_from: number | null;
  /** … to here; `null`: however high, or not told. */
  readonly best_to: number | null;
  /** The least and the most that it costs, where figures are not exact: no other costs less whichever it is. */
  readonly cost_bounds?: readonly [number, number];
}

/** Why nothing can be picked. */
export interface UndecidedValue {
  readonly metric: Metric;
  readonly per_success: number;
  readonly policy: null;
  /** No success to lose, so that the strictest caps would always win; or figures that are not exact. */
  readonly reason: 'no_success' | 'open';
  /** Those that may cost least in all, with the least and the most of it. */
  readonly candidates: readonly {
    readonly policy: number;
    readonly caps: SweepAnswer['caps'];
    readonly repeat?: number | null;
    /** `null`: nobody knows how much more. */
    readonly cost: readonly [number, number | null];
  }[];
  readonly recorded_cost: number | null;
}

/** What costs least in all, or why that cannot be told; `null` where the sweep has no policy. */
export function valueAnswer(
  result: SweepResult,
  frontier: Frontier,
  value: Fraction,
): ValueReport | UndecidedValue | null {
  const { metric, points, isExact } = frontier;
  if (points.length === 0) return null;
  if (result.verified === 0) return undecided(result, metric, value, 'no_success', []);
  if (isExact) return valueReport(result, bestAtValue(frontier, value) as ValueChoice);
  const { best, candidates } = openChoice(frontier, value);
  return best === null || best.most === null
    ? undecided(result, metric, value, 'open', candidates)
    : surely(result, metric, value, best.point, [best.least, best.most]);
}

export function valueReport(result: SweepResult, choice: ValueChoice): ValueReport {
  const { metric, value, point, cost, from, to } = choice;
  return {
    ...chosen(result, metric, value, point),
    recorded_is: comparedTo(result, metric, cost, cost),
    best_from: from === null ? null : toNumber(from),
    best_to: to === null ? null : toNumber(to),
  };
}

/** One that costs no more at its most than any other at its least. */
function surely(
  result: SweepResult,
  metric: Metric,
  value: Fraction,
  point: FrontierPoint,
  [least, most]: readonly [Fraction, Fraction],
): ValueReport {
  return {
    ...chosen(result, metric, value, point),
    recorded_is: comparedTo(result, metric, least, most),
    best_from: null,
    best_to: null,
    cost_bounds: [toNumber(least), toNumber(most)],
  };
}

function chosen(
  result: SweepResult,
  metric: Metric,
  value: Fraction,
  point: FrontierPoint,
): Omit<ValueReport, 'recorded_is' | 'best_from' | 'best_to'> {
  const { caps, repeat } = result.at(point.policy);
  return {
    metric,
    per_success: toNumber(value),
    policy: point.policy,
    caps,
    ...(repeat === undefined ? {} : { repeat }),
    false_stops: point.falseStops,
    finished: result.verified - point.falseStops,
    spend: toNumber(costOf(metric, { falseStops: 0, spend: point.spend }, value)),
    cost: toNumber(costOf(metric, point, value)),
    recorded_cost: result.recorded[metric]?.spend ?? null,
  };
}

function comparedTo(result: SweepResult, metric: Metric, least: Fraction, most: Fraction): ValueReport['recorded_is'] {
  const recorded = result.recorded[metric]?.spend ?? null;
  if (recorded === null) return 'unknown';
  const [toLeast, toMost] = [compare(decimalOf(recorded), least), compare(decimalOf(recorded), most)];
  return toLeast === toMost ? COMPARED[toMost] : 'unknown';
}

const COMPARED = { [-1]: 'less', 0: 'same', 1: 'more' } as const;

function undecided(
  result: SweepResult,
  metric: Metric,
  value: Fraction,
  reason: UndecidedValue['reason'],
  candidates: readonly CostRange[],
): UndecidedValue {
  return {
    metric,
    per_success: toNumber(value),
    policy: null,
    reason,
    candidates: candidates.map(({ point: { policy }, least, most }) => {
      const { caps, repeat } = result.at(policy);
      const cost = [toNumber(least), most === null ? null : toNumber(most)] as const;
      return { policy, caps, ...(repeat === undefined ? {} : { repeat }), cost };
    }),
    recorded_cost: result.recorded[metric]?.spend ?? null,
  };
}
