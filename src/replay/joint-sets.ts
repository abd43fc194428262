import type { DerivedCaps } from '../calibrate/derive.js';
import { type Fraction, toNumber } from '../model/decimal.js';
import { METRICS, perMetric } from '../model/limits.js';
import { type Caps, EMPTY_POLICY, type Policy } from '../policy/policy.js';
import { clopperPearson } from '../stats/interval.js';
import type { CapSet, JointRate } from './joint-result.js';
import { type PreparedRuns, type SweepAnswer, sweep } from './sweep.js';

/** Caps with where each came from, and the percentile that they share. */
export interface Candidate extends DerivedCaps {
  /** `null`: each has its own. */
  readonly p: Fraction | null;
}

/** The accepted rate, against counts of the successes that are stopped. */
export interface Bound {
  readonly verified: number;
  isWithin(count: number): boolean;
}

/** A count is within the rate exactly, not as the doubles have it. */
export function boundOf(verified: number, accepted: Fraction): Bound {
  const most = BigInt(verified) * accepted.num;
  return { verified, isWithin: (count) => BigInt(count) * accepted.den <= most };
}

/** The policy that has these caps and nothing else. */
export function capsAlone(caps: Caps): Policy {
  return { ...EMPTY_POLICY, caps };
}

/**
 * The most successes that the caps may stop: runs known only in total count where they may be among them. Those that a
 * cap could not judge are left out, since no cap could ever be within a rate if they counted.
 */
export function mostFalseStops({ false_stops, bounds }: SweepAnswer, verified: number): number {
  if (bounds === null) return false_stops.count;
  return verified - (bounds.verified_finished[0] ?? verified) - (bounds.unjudged?.verified ?? 0);
}

/** The same of one set of caps, replayed. */
export function mostStoppedBy(prepared: PreparedRuns, caps: Caps): number {
  return mostFalseStops(sweep(prepared, [capsAlone(caps)]).at(0), prepared.verified);
}

/** What a candidate does: all its caps together, each alone, and the spend. The population is not empty. */
export function capSetOf(prepared: PreparedRuns, { p, caps, reports }: Candidate): CapSet {
  const metrics = METRICS.filter((metric) => caps[metric] !== undefined);
  const policies = metrics.map((metric) => capsAlone({ [metric]: caps[metric] as number }));
  const [together, ...alone] = sweep(prepared, [capsAlone(caps), ...policies]);
  const { spend } = together as SweepAnswer;
  const counts = new Map(metrics.map((metric, index) => [metric, (alone[index] as SweepAnswer).false_stops.count]));
  return {
    p: p === null ? null : toNumber(p),
    caps: reports,
    alone: perMetric((metric) => {
      const count = counts.get(metric);
      return count === undefined ? null : { count, rate: count / prepared.verified };
    }),
    joint: jointRate(together as SweepAnswer, prepared.verified),
    spend,
  };
}

function jointRate(answer: SweepAnswer, verified: number): JointRate {
  const { count } = answer.false_stops;
  const most = mostFalseStops(answer, verified);
  const ci95 = [clopperPearson(count, verified).low, clopperPearson(most, verified).high] as const;
  const atMost = most === count ? null : most;
  const rateAtMost = atMost === null ? null : atMost / verified;
  return { count, rate: count / verified, ci95, at_most: atMost, rate_at_most: rateAtMost };
}
