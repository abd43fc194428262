import type { Metric } from '../model/limits.js';
import type { Extent } from './sweep-extent.js';
import type { SweepResult } from './sweep-result.js';

/** What the next good run costs where one is at a point of the frontier: what its neighbour spends more to save them. */
export interface NextGoodRun {
  /** How many good runs the neighbour saves together: what lies between is on no frontier. */
  readonly saves: number;
  /** What it spends more for all of them, in atoms. */
  readonly spend: bigint;
}

/** One policy of the frontier, for all that have its figures. */
export interface FrontierPoint {
  /** Of several policies with the same figures the last, and so the one with the loosest caps. */
  readonly policy: number;
  /** Those that are certain. */
  readonly falseStops: number;
  /** In atoms; the most it can be, but for runs that would go on. */
  readonly spend: bigint;
  /** Both ends, the same where the record tells. */
  readonly extent: Extent;
  /** `null`: no policy of the sweep has fewer false stops, or figures are not exact, and then no price can be told. */
  readonly next: NextGoodRun | null;
}

/**
 * The policies of a sweep that no other beats: none has fewer false stops for as little spend, or less spend for as few.
 * Where the record leaves figures open they are those that no other beats if everything open turns out badly, and those
 * that no other beats if it turns out well.
 */
export interface Frontier {
  /** What false stops are weighed against. */
  readonly metric: Metric;
  /** Whether the record tells the figures of every point, and so that no other policy is better. */
  readonly isExact: boolean;
  /** By false stops, from the fewest on; where all is exact each has more of them than the one before, and spends less. */
  readonly points: readonly FrontierPoint[];
  /** The point whose figures a policy has; `null`: another policy beats it. */
  pointOf(policy: number): FrontierPoint | null;
  /** Both ends of every policy whose figures are not those of a point. */
  beside(point: FrontierPoint): Extent[];
}

/** Policies times runs that are replayed where caps could not judge some, in a second or two. */
const MOST_REPLAYED = 2_000_000;

/** The frontier of a sweep, by exact sums. */
export function frontierOf(result: SweepResult, metric: Metric): Frontier {
  const leasts = { well: openLeasts(leastOf), badly: openLeasts(mostOf) };
  // What caps could not judge is replayed for each policy, which many policies and runs leave no time for.
  const isFew = result.length * result.runs <= MOST_REPLAYED;
  const extentOf = isFew ? result.extentOf : result.countedExtentOf;
  for (let policy = 0; policy < result.length; policy++) {
    const extent = extentOf(metric, policy);
    const swept = { policy, falseStops: extent.falseStops[0], spend: result.replayed(metric, policy), extent };
    leasts.well.see(swept);
    leasts.badly.see(swept);
  }
  const whole = (swept: Spender): Spender =>
    isFew ? swept : { ...swept, extent: result.extentOf(metric, swept.policy) };
  const well = leasts.well.unbeaten();
  // Where all of these are told no other is better, whatever it turns out to be.
  const isExact = well.every((swept) => isTold(whole(swept).extent));
  const kept = isExact ? withNext(well) : together(leasts.badly.unbeaten(), well);
  const placeAt = new Map(kept.map(({ extent }, place) => [keyOf(extent), place]));
  const points = kept.map((point) => ({ ...point, ...whole(point) }));
  return {
    metric,
    isExact,
    points,
    pointOf: (policy) => points[placeAt.get(keyOf(extentOf(metric, policy))) ?? -1] ?? null,
    beside(point) {
      const others: Extent[] = [];
      for (let policy = 0; policy < result.length; policy++) {
        const extent = extentOf(metric, policy);
        if (keyOf(extent) !== keyOf(point.extent)) others.push(extent);
      }
      return others;
    },
  };
}

/** Whether nothing of it is left open. */
export function isTold({ falseStops, spend }: Extent): boolean {
  return falseStops[0] === falseStops[1] && spend[0] === spend[1];
}

type Spender = Omit<FrontierPoint, 'next'>;

/** What a policy comes to in one case; `null`: more than any sum. */
interface Figures {
  readonly stops: number;
  readonly spend: bigint | null;
}

function leastOf({ falseStops, spend }: Extent): Figures {
  return { stops: falseStops[0], spend: spend[0] };
}

function mostOf({ falseStops, spend }: Extent): Figures {
  return { stops: falseStops[1], spend: spend[1] };
}

/** Keeps for each number of false stops the policy that spends least in one case. */
function openLeasts(caseOf: (extent: Extent) => Figures): {
  see(swept: Spender): void;
  unbeaten(): Spender[];
} {
  const least = new Map<number, Spender>();
  const spendOf = ({ extent }: Spender): bigint | null => caseOf(extent).spend;
  return {
    see(swept) {
      const { stops } = caseOf(swept.extent);
      const known = least.get(stops);
      if (known === undefined || isNoWorse(swept, known, spendOf)) least.set(stops, swept);
    },
    unbeaten() {
      const kept: Spender[] = [];
      for (const [, swept] of [...least].sort(([one], [other]) => one - other)) {
        const before = kept.at(-1);
        if (before === undefined || isBelow(spendOf(swept), spendOf(before))) kept.push(swept);
      }
      return kept;
    },
  };
}

/** Spends less in the case, or as much and less in the other; the later one where they are alike. */
function isNoWorse(one: Spender, other: Spender, spendOf: (swept: Spender) => bigint | null): boolean {
  const [spend, known] = [spendOf(one), spendOf(other)];
  if (spend !== known) return isBelow(spend, known);
  const [mine, its] = [one.extent, other.extent];
  if (mine.spend[0] !== its.spend[0]) return mine.spend[0] < its.spend[0];
  if (mine.spend[1] !== its.spend[1]) return isBelow(mine.spend[1], its.spend[1]);
  return mine.falseStops[0] + mine.falseStops[1] <= its.falseStops[0] + its.falseStops[1];
}

function isBelow(spend: bigint | null, other: bigint | null): boolean {
  if (spend === null || other === null) return spend !== null && other === null;
  return spend < other;
}

function keyOf({ falseStops, spend }: Extent): string {
  return `${falseStops.join()} ${spend.join()}`;
}

/** Those of both cases, each once, without prices: what one spends more than another is not known. */
function together(badly: readonly Spender[], well: readonly Spender[]): FrontierPoint[] {
  const each = new Map([...badly, ...well].map((swept) => [keyOf(swept.extent), swept]));
  return [...each.values()].sort(byFalseStops).map((swept) => ({ ...swept, next: null }));
}

function byFalseStops({ extent: one }: Spender, { extent: other }: Spender): number {
  const [least, most] = [one.falseStops[0] - other.falseStops[0], one.falseStops[1] - other.falseStops[1]];
  return least || most || (one.spend[0] < other.spend[0] ? 1 : -1);
}

function withNext(spenders: readonly Spender[]): FrontierPoint[] {
  return spenders.map((point, index) => {
    const neighbour = spenders[index - 1];
    if (neighbour === undefined) return { ...point, next: null };
    const saves = point.falseStops - neighbour.falseStops;
    return { ...point, next: { saves, spend: neighbour.spend - point.spend } };
  });
}

/** What is weighed against false stops: tokens where they are known, else dollars, else time, else passes. */
export function weighedIn(result: SweepResult): Metric {
  return (['tokens', 'usd', 'seconds'] as const).find((metric) => result.recorded[metric] !== null) ?? 'passes';
}
