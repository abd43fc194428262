import { LIMITS, type Metric } from '../model/limits.js';
import { ExactSums } from './exact-sums.js';

/** What is counted for each of many policies, one number a policy. */
export interface SweepTallies {
  readonly stops: Uint32Array;
  readonly falseStops: Uint32Array;
  readonly censored: Uint32Array;
  /** Censored runs that are no verified success as recorded: their future is open. */
  readonly censoredOpen: Uint32Array;
  /** Runs known only in total that may have been stopped, and the verified successes among those not stopped for sure. */
  readonly perhapsStopped: Uint32Array;
  readonly perhapsFalseStops: Uint32Array;
  readonly approximate: Uint32Array;
  /** Stops by limit, then by rule of the list; `null` where they are not told apart. */
  readonly byReason: readonly Uint32Array[] | null;
  readonly replayed: Readonly<Record<Metric, ExactSums>>;
  /** What `replayed` may be too high by, since it counts what is not known at its most. */
  readonly excess: Readonly<Record<Metric, ExactSums>>;
}

export function openTallies(policies: number, rules: number | null): SweepTallies {
  const counts = (): Uint32Array => new Uint32Array(policies);
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

export function increment(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}
