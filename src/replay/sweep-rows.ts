import { toNumber } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import { clopperPearson } from '../stats/interval.js';
import type { Frontier, FrontierPoint } from './frontier.js';
import type { ReplayBounds } from './result.js';
import type { SweepAnswer, SweepResult } from './sweep-result.js';
import { priceOfNext } from './value.js';

/** One policy as `sweep --json` prints it. */
export interface SweepRow {
  /** `null`: no cap. */
  readonly caps: SweepAnswer['caps'];
  /** Count of the repeat rule, `null` for no such rule; only where several are tried. */
  readonly repeat?: number | null;
  /** Those that are certain. */
  readonly false_stops: number;
  readonly rate: number | null;
  /** Exact (Clopper-Pearson) two-sided 95 % interval of the rate; from end to end where the rate is not exact. */
  readonly ci95: readonly [number, number] | null;
  readonly stops: number;
  readonly censored: number;
  readonly spend: {
    readonly [metric in Metric]: { readonly replayed: number; readonly reduction: number | null } | null;
  };
  readonly on_frontier: boolean;
  /**
   * What the next good run costs, in what is weighed, and how many the next policy of the frontier saves together;
   * `null`: no policy has fewer false stops, or figures are not exact. Only on the frontier.
   */
  readonly next_good_run?: { readonly costs: number; readonly saves: number } | null;
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
    const point = frontier.pointOf(policy);
    const { caps, repeat, false_stops, stops, censored, spend, bounds } = result.at(policy);
    return {
      caps,
      ...(repeat === undefined ? {} : { repeat }),
      false_stops: false_stops.count,
      rate: false_stops.rate,
      ci95: bounds === null ? intervalOf(false_stops.count) : bounds.ci95,
      stops,
      censored,
      spend: Object.fromEntries(
        METRICS.map((metric) => {
          const known = spend[metric];
          return [metric, known === null ? null : { replayed: known.replayed, reduction: known.reduction }];
        }),
      ) as SweepRow['spend'],
      on_frontier: point !== null,
      ...(point === null ? {} : { next_good_run: nextOf(frontier.metric, point) }),
      ...(bounds === null ? {} : { bounds }),
    };
  };
}

function nextOf(metric: Metric, point: FrontierPoint): NonNullable<SweepRow['next_good_run']> | null {
  const price = priceOfNext(metric, point);
  return price === null || point.next === null ? null : { costs: toNumber(price), saves: point.next.saves };
}
