import type { Frontier, FrontierPoint } from './frontier.js';
import type { SweepResult } from './sweep-result.js';

/** How many good runs may be stopped: as many as today's policy stops, or the accepted share of them. */
export interface Allowed {
  readonly by: 'today' | 'accepted';
  readonly stops: number;
  /** The accepted rate; `null` under today's policy. */
  readonly rate: number | null;
  /** What today's policy spends, in atoms of what is weighed; `null`: no policy, or not known. */
  readonly spend: bigint | null;
}

/** What a reader of a frontier may do, where it can be told. */
export interface SweepAdvice {
  readonly allowed: Allowed;
  /** The cheapest that stops no more good runs than allowed; `null`: none does. */
  readonly pick: FrontierPoint | null;
  /** The one with the fewest false stops. */
  readonly safest: FrontierPoint;
  /** One step further: the next that spends less. Only where all figures are exact. */
  readonly further: FrontierPoint | null;
}

/** @returns `null` where no success could be lost, or nothing was tried */
export function adviceOf({ verified }: SweepResult, frontier: Frontier, allowed: Allowed): SweepAdvice | null {
  const { points, isExact } = frontier;
  const [safest] = [...points].sort((one, other) => mostOf(one) - mostOf(other));
  if (safest === undefined || verified === 0) return null;
  const within = points.filter((point) => mostOf(point) <= allowed.stops);
  const pick = within.reduce<FrontierPoint | null>(
    (best, each) => (best === null || isCheaper(each, best) ? each : best),
    null,
  );
  const next = pick === null ? null : points[points.indexOf(pick) + 1];
  return { allowed, pick, safest, further: isExact ? (next ?? null) : null };
}

function mostOf({ extent }: FrontierPoint): number {
  return extent.falseStops[1];
}

/** Spends less at the most, or at the least where the most is alike. */
function isCheaper({ extent: one }: FrontierPoint, { extent: other }: FrontierPoint): boolean {
  const [most, its] = [one.spend[1], other.spend[1]];
  if (most === its) return one.spend[0] < other.spend[0];
  return most !== null && (its === null || most < its);
}
