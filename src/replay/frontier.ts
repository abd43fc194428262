import type { Metric } from '../model/limits.js';
import type { SweepResult } from './sweep-result.js';

/** The policies of a sweep that no other beats: none has fewer false stops for as little spend, or less spend for as few. */
export interface Frontier {
  readonly metric: Metric;
  /** One policy a point, by false stops; of several with the same figures the one with the loosest caps. */
  readonly points: readonly number[];
  has(policy: number): boolean;
}

export function frontierOf(result: SweepResult, metric: Metric): Frontier {
  const spend = Float64Array.from({ length: result.length }, (_, policy) => Number(result.replayed(metric, policy)));
  // The least spend for each number of false stops, the later and so looser caps at a tie.
  const best = new Map<number, number>();
  for (let policy = 0; policy < result.length; policy++) {
    const stops = result.falseStops(policy);
    const other = best.get(stops);
    if (other === undefined || (spend[policy] as number) <= (spend[other] as number)) best.set(stops, policy);
  }
  const points: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const [, policy] of [...best].sort(([one], [other]) => one - other)) {
    if ((spend[policy] as number) >= least) continue;
    least = spend[policy] as number;
    points.push(policy);
  }
  const spendAt = new Map(points.map((policy) => [result.falseStops(policy), spend[policy]]));
  return { metric, points, has: (policy) => spendAt.get(result.falseStops(policy)) === spend[policy] };
}

/** What is weighed against false stops: tokens where they are known, else dollars, else time, else passes. */
export function weighedIn(result: SweepResult): Metric {
  return (['tokens', 'usd', 'seconds'] as const).find((metric) => result.recorded[metric] !== null) ?? 'passes';
}
