import { compare, type Fraction, multiply } from '../model/decimal.js';
import { ATOMS_PER_UNIT, type Metric } from '../model/limits.js';
import type { Frontier, FrontierPoint } from './frontier.js';

/*
 * What a good run is worth turns false stops and spend into one number: a policy costs what it spends, and for each
 * success that it cuts off what that was worth. (Less the worth of those that finish, that is the same up to a sum
 * which no policy changes.) All figures are exact fractions in the metric's own unit.
 */

/** The policy that costs least in all at a given worth of a finished success. */
export interface ValueChoice {
  readonly metric: Metric;
  /** What a finished success is worth. */
  readonly value: Fraction;
  readonly point: FrontierPoint;
  readonly spend: Fraction;
  /** Spend, and what the successes that are cut off were worth. */
  readonly cost: Fraction;
  /** No policy costs less at any value from here on … `null`: down to nothing. */
  readonly from: Fraction | null;
  /** … up to here; `null`: however high. */
  readonly to: Fraction | null;
}

/**
 * Picks the policy that costs least in all. Of several that cost the same it is the one with the fewest false stops,
 * and of those with the same figures the one of the frontier.
 *
 * The values for which it stays the best lie between the slopes at which the lower convex hull of spend over false
 * stops reaches and leaves its point: the dearest good run that it gives up, and the cheapest that it does not buy.
 *
 * @param value what a finished success is worth, above zero, in the unit of the frontier's metric
 * @returns `null` where the sweep has no policy
 */
export function bestAtValue({ metric, points }: Frontier, value: Fraction): ValueChoice | null {
  const [head, ...others] = points;
  if (head === undefined) return null;
  let point = head;
  for (const other of others) {
    if (compare(costOf(metric, other, value), costOf(metric, point, value)) < 0) point = other;
  }
  const stricter = points.filter(({ falseStops }) => falseStops > point.falseStops);
  const looser = points.filter(({ falseStops }) => falseStops < point.falseStops);
  return {
    metric,
    value,
    point,
    spend: inUnits(metric, point.spend),
    cost: costOf(metric, point, value),
    from: extreme(
      stricter.map((other) => pricePerRun(metric, point, other)),
      1,
    ),
    to: extreme(
      looser.map((other) => pricePerRun(metric, other, point)),
      -1,
    ),
  };
}

/** What a policy with these figures costs in all. */
export function costOf(
  metric: Metric,
  { falseStops, spend }: Pick<FrontierPoint, 'falseStops' | 'spend'>,
  value: Fraction,
): Fraction {
  const { num, den } = inUnits(metric, spend);
  const lost = multiply(value, { num: BigInt(falseStops), den: 1n });
  return { num: num * lost.den + lost.num * den, den: den * lost.den };
}

/** The price of the next good run at a point of the frontier; `null` where there is none. */
export function priceOfNext(metric: Metric, { next }: FrontierPoint): Fraction | null {
  return next === null ? null : perRun(metric, next.spend, next.saves);
}

/** What each good run costs that one point saves and the other does not. */
function pricePerRun(metric: Metric, saving: FrontierPoint, losing: FrontierPoint): Fraction {
  return perRun(metric, saving.spend - losing.spend, losing.falseStops - saving.falseStops);
}

function perRun(metric: Metric, spend: bigint, goodRuns: number): Fraction {
  const { num, den } = inUnits(metric, spend);
  return { num, den: den * BigInt(goodRuns) };
}

function inUnits(metric: Metric, atoms: bigint): Fraction {
  return { num: atoms, den: BigInt(ATOMS_PER_UNIT[metric]) };
}

/** The largest of fractions (1), or the smallest (-1); `null` of none. */
function extreme(fractions: readonly Fraction[], sign: 1 | -1): Fraction | null {
  return fractions.reduce<Fraction | null>(
    (best, each) => (best === null || compare(each, best) === sign ? each : best),
    null,
  );
}
