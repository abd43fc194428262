import { METRICS, type Metric } from '../model/limits.js';
import { clopperPearson } from '../stats/interval.js';
import type { Frontier } from './frontier.js';
import type { ReplayBounds } from './result.js';
import type { SweepAnswer, SweepResult } from './sweep-result.js';

/** One policy as `sweep --json` prints it. */
export interface SweepRow {
  /** `null`: no cap. */
  readonly caps: SweepAnswer['caps'];
  readonly false_stops: number;
  readonly rate: number | null;
  /** Exact (Clopper-Pearson) two-sided 95 % interval of the rate. */
  readonly ci95: readonly [number, number] | null;
  readonly stops: number;
  readonly censored: number;
  readonly spend: {
    readonly [metric in Metric]: { readonly replayed: number; readonly reduction: number | null } | null;
  };
  readonly on_frontier: boolean;
  /** Only where figures are not exact. */
  readonly bounds?: ReplayBounds;
}

/** Makes the rows of a sweep one by one. Few counts of false stops occur, so that their intervals are kept. */
export function createRows(result: SweepResult, frontier: Frontier): (policy: number) => SweepRow {
  const intervals = new Map<number, readonly [number, number] | null>();
  const intervalOf = (count: number): readonly [number, number] | null => {
    const known = intervals.get(count);
    if (known !== undefined) return known;
    const interval = result.verified === 0 ? null : clopperPearson(count, result.verified);
    const made = interval === null ? null : ([interval.low, interval.high] as const);
    intervals.set(count, made);
    return made;
  };
  return (policy) => {
    const { caps, false_stops, stops, censored, spend, bounds } = result.at(policy);
    return {
      caps,
      false_stops: false_stops.count,
      rate: false_stops.rate,
      ci95: intervalOf(false_stops.count),
      stops,
      censored,
      spend: Object.fromEntries(
        METRICS.map((metric) => {
          const known = spend[metric];
          return [metric, known === null ? null : { replayed: known.replayed, reduction: known.reduction }];
        }),
      ) as SweepRow['spend'],
      on_frontier: frontier.has(policy),
      ...(bounds === null ? {} : { bounds }),
    };
  };
}
