import { LIMITS, type Metric } from '../model/limits.js';
import { ExactSums } from './exact-sums.js';

/** What is counted for each of many policies, one number a policy. */
export interface SweepTallies {
  readonly stops: Float64Array;
  readonly falseStops: Float64Array;
  readonly censored: Float64Array;
  /** Censored runs that are no verified success as recorded: their future is open. */
  readonly censoredOpen: Float64Array;
  /** Runs known only in total that may have been stopped, and the verified successes among those not stopped for sure. */
  readonly perhapsStopped: Float64Array;
  readonly perhapsFalseStops: Float64Array;
  readonly approximate: Float64Array;
  /** Stops by limit, then by rule of the list; `null` where they are not told apart. */
  readonly byReason: readonly Float64Array[] | null;
  readonly replayed: Readonly<Record<Metric, ExactSums>>;
  /** What `replayed` may be too high by, since it counts what is not known at its most. */
  readonly excess: Readonly<Record<Metric, ExactSums>>;
}

export function openTallies(policies: number, rules: number | null): SweepTallies {
  const counts = (): Float64Array => new Float64Array(policies);
  return {
    stops: counts(),
    falseStops: counts(),
    censored: counts(),
    censoredOpen: counts(),
    perhapsStopped: counts(),
    perhapsFalseStops: counts(),
    approximate: counts(),
    byReason: rules === null ? null : Array.from({ length: LIMITS.length + rules }, counts),
    replayed: openSums(policies),
    excess: openSums(policies),
  };
}

export function openSums(length: number): Record<Metric, ExactSums> {
  return {
    passes: new ExactSums(length),
    tokens: new ExactSums(length),
    seconds: new ExactSums(length),
    usd: new ExactSums(length),
  };
}

export function increment(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}
