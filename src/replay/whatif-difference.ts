import { decimalOf, toNumber } from '../model/decimal.js';
import { type Metric, perMetric } from '../model/limits.js';
import { STATUSES } from '../model/status.js';
import type { ReplayReport } from './result.js';
import { shareOf, sumInUnits } from './spend.js';
import type { Paired, PairedSpend } from './whatif-pair.js';
import type { Difference, SpendDifference } from './whatif-result.js';

/** Candidate minus today, figure by figure. */
export function differenceOf(today: ReplayReport, candidate: ReplayReport, paired: Paired): Difference {
  const reasons = [...new Set([...Object.keys(today.by_reason), ...Object.keys(candidate.by_reason)])];
  const count = candidate.false_stops.count - today.false_stops.count;
  return {
    verified_finished: {
      count: candidate.verified_finished - today.verified_finished,
      bounds: boundsOf(paired.finished),
    },
    false_stops: {
      count,
      rate: today.verified === 0 ? null : count / today.verified,
      bounds: boundsOf(paired.falseStops),
    },
    stops: stopsOf(candidate) - stopsOf(today),
    by_status: Object.fromEntries(
      STATUSES.map((status) => [status, candidate.by_status[status] - today.by_status[status]]),
    ) as Difference['by_status'],
    by_reason: Object.fromEntries(
      reasons.map((reason) => [
        reason,
        (candidate.by_reason[reason]?.count ?? 0) - (today.by_reason[reason]?.count ?? 0),
      ]),
    ),
    spend: perMetric((metric) => spendDifference(metric, today, candidate, paired.spend[metric])),
    max_bill: perMetric((metric) => minus(candidate.max_bill[metric], today.max_bill[metric])),
    censored: candidate.censored - today.censored,
  };
}

function boundsOf([low, high]: readonly [number, number]): [number, number] | null {
  return low === high ? null : [low, high];
}

/** Stops that a policy makes. */
export function stopsOf(replay: ReplayReport): number {
  return Object.values(replay.by_reason).reduce((sum, { count }) => sum + count, 0);
}

function spendDifference(
  metric: Metric,
  today: ReplayReport,
  candidate: ReplayReport,
  { counted, low, high }: PairedSpend,
): SpendDifference | null {
  const [before, after] = [today.spend[metric], candidate.spend[metric]];
  if (before === null || after === null) return null;
  const inUnits = (sum: bigint | null): number | null => (sum === null ? null : sumInUnits(metric, sum));
  return {
    replayed: sumInUnits(metric, counted),
    relative: before.replayed === 0 ? null : ratioOf(sumInUnits(metric, counted), before.replayed),
    reduction: minus(after.reduction, before.reduction),
    bounds: low !== null && low === high ? null : [inUnits(low), inUnits(high)],
  };
}

/** A ratio of two decimals, by whole numbers. */
function ratioOf(part: number, whole: number): number {
  const [a, b] = [decimalOf(part), decimalOf(whole)];
  return shareOf(a.num * b.den, b.num * a.den);
}

/** The difference of two decimals, without the noise of doubles; `null` where one is not known. */
function minus(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  const [x, y] = [decimalOf(a), decimalOf(b)] as const;
  return toNumber({ num: x.num * y.den - y.num * x.den, den: x.den * y.den });
}

/** Fewest and most false stops among the runs recorded as verified. */
export function falseStopRange({ false_stops, verified, bounds }: ReplayReport): readonly [number, number] {
  const finished = bounds?.verified_finished[0] ?? null;
  return [false_stops.count, finished === null ? false_stops.count : verified - finished];
}
