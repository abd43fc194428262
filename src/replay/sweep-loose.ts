import { LIMITS, type LimitName, METRICS } from '../model/limits.js';
import { totalAfter } from '../model/totals.js';
import { isReached } from '../policy/stop.js';
import { firstAtLeast } from './first-at-least.js';
import { boundaryCode, isInside, NO_CODE, passesAt, rankOf } from './sweep-codes.js';
import type { PolicyColumns } from './sweep-columns.js';
import type { StopCounts } from './sweep-counts.js';
import type { FirstPlaces } from './sweep-places.js';
import type { PreparedRuns } from './sweep-prepare.js';
import type { LooseRun } from './sweep-runs.js';
import { increment, type SweepTallies } from './sweep-tallies.js';

/*
 * Runs of which something is known from their totals only: the passes that were kept are looked at as any other, then
 * the totals say what may have happened besides. `replayRun` is the definition, sentence by sentence.
 */

const SUMMED_TOTALS = ['tokens', 'seconds', 'usd'] as const;

/** Where a policy stops a loose run for sure. */
interface LooseStop {
  /** Passes made by then, 0: it is not stopped. */
  after: number;
  code: number;
  /** By a pass that was kept, rather than by the stated number of passes. */
  isWalked: boolean;
}

export interface LooseBook {
  /** Adds one loose run to the tallies of all policies. */
  add(loose: LooseRun): void;
}

export function createLooseBook(
  prepared: PreparedRuns,
  policies: PolicyColumns,
  found: FirstPlaces,
  counts: StopCounts,
  tallies: SweepTallies,
): LooseBook {
  const { codes } = found;
  const { totals, first } = prepared;
  const one = new Uint32Array(1);
  const stop: LooseStop = { after: 0, code: NO_CODE, isWalked: false };
  const capOf = (limit: LimitName, policy: number): number =>
    (policies.caps[limit]?.[policy] ?? Number.POSITIVE_INFINITY) as number;

  const rankIn = (policy: number, limit: LimitName): number =>
    rankOf(policies.orders[policies.orderOf[policy] as number] as (typeof policies.orders)[number], limit);

  const findStop = (loose: LooseRun, kept: number, policy: number): void => {
    stop.code = codes[policy] as number;
    stop.isWalked = stop.code < boundaryCode(kept, 0);
    stop.after = stop.isWalked ? passesAt(stop.code) : 0;
    // Pass cap + 1 was made if and only if the run made more than cap.
    const cap = capOf('passes', policy);
    if (stop.isWalked || loose.hasAllPasses || loose.made === null || !isReached(loose.made - 1, cap)) return;
    stop.after = cap;
    stop.code = boundaryCode(cap, rankIn(policy, 'passes'));
  };

  /** Whether a limit was asked where its counter is not known. */
  const isBlind = (limit: LimitName, unknownFrom: number, kept: number, policy: number): boolean => {
    if (stop.after === 0) return unknownFrom <= kept - 1;
    if (isInside(stop.code)) return unknownFrom <= stop.after - 1;
    return boundaryCode(unknownFrom, rankIn(policy, limit)) < stop.code;
  };

  const add = (loose: LooseRun, from: number, kept: number, unknownFrom: readonly number[], policy: number): void => {
    const { whole, made } = loose;
    findStop(loose, kept, policy);
    let maybe = 0;
    let theOne: LimitName | null = null;
    for (const [index, limit] of SUMMED_TOTALS.entries()) {
      const cap = capOf(limit, policy);
      const known = whole[limit];
      if (known === null || !isReached(known, cap) || (made !== null && made <= 1)) continue;
      if (loose.hasAllPasses && !isBlind(limit, unknownFrom[index] as number, kept, policy)) continue;
      maybe++;
      theOne = limit;
    }
    let isApproximate = !loose.hasAllPasses || maybe > 0;
    for (const metric of METRICS) {
      const recorded = whole[metric];
      if (recorded === null) continue;
      const counted =
        metric === 'passes' ? stop.after : stop.isWalked ? totalAfter(totals[metric], from, stop.after) : null;
      const end = stop.after === 0 ? recorded : (counted ?? recorded);
      let least = stop.after === 0 ? recorded : (counted ?? 0);
      if (maybe > 0) {
        const isTheOne = maybe === 1 && theOne === metric;
        least = Math.min(least, metric === 'passes' ? 1 : isTheOne ? capOf(metric, policy) : 0);
      }
      if (least !== end) isApproximate = true;
      tallies.replayed[metric].add(policy, end);
      tallies.excess[metric].add(policy, end - least);
    }
    if (isApproximate) increment(tallies.approximate, policy);
    count(loose, policy, maybe > 0);
  };

  const count = (loose: LooseRun, policy: number, isMaybe: boolean): void => {
    if (isMaybe) increment(tallies.perhapsStopped, policy);
    if (stop.after > 0) {
      one[0] = policy;
      codes[policy] = stop.code;
      counts.add(loose.run, loose.isGood, one, 1, codes);
      return;
    }
    if (isMaybe && loose.isGood) increment(tallies.perhapsFalseStops, policy);
    const standsAtEnd =
      codes[policy] !== NO_CODE || LIMITS.some((limit) => isReached(loose.whole[limit], capOf(limit, policy)));
    if (!loose.isStopped || standsAtEnd) return;
    increment(tallies.censored, policy);
    if (!loose.isGood) increment(tallies.censoredOpen, policy);
  };

  return {
    add(loose) {
      const from = first[loose.run] as number;
      const kept = (first[loose.run + 1] as number) - from;
      const unknownFrom = SUMMED_TOTALS.map((limit) => {
        const column = totals[limit];
        return column === null ? 1 : firstAtLeast(column.values, from, from + kept, column.unknown) - from + 1;
      });
      found.find(loose.run);
      for (let policy = 0; policy < policies.length; policy++) add(loose, from, kept, unknownFrom, policy);
      codes.fill(NO_CODE);
    },
  };
}
