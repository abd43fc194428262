import { LIMITS, type LimitName, METRICS } from '../model/limits.js';
import { totalAfter } from '../model/totals.js';
import { isReached } from '../policy/stop.js';
import { NOWHERE, passOf } from './columns-place.js';
import { BY_RULES, type FirstPlaces, type PolicyColumns } from './sweep-places.js';
import { firstAtLeast, type LooseRun, type PreparedRuns } from './sweep-prepare.js';
import { increment, type SweepTallies } from './sweep-tallies.js';

/*
 * Runs of which something is known from their totals only: the passes that were kept are looked at as any other, then
 * the totals say what may have happened besides. `replayRun` is the definition, sentence by sentence.
 */

const PASSES = LIMITS.indexOf('passes');
const SUMMED_TOTALS = ['tokens', 'seconds', 'usd'] as const;

/** Where a policy stops a loose run for sure. */
interface LooseStop {
  /** Passes made by then, 0: it is not stopped. */
  after: number;
  by: number;
  /** By a pass that was kept, rather than by the stated number of passes. */
  isWalked: boolean;
  isInside: boolean;
}

/** Adds one loose run to the tallies of all policies. */
export function createLooseBook(
  prepared: PreparedRuns,
  policies: PolicyColumns,
  found: FirstPlaces,
  tallies: SweepTallies,
): (loose: LooseRun) => void {
  const { places, by } = found;
  const { totals, first } = prepared;
  const stop: LooseStop = { after: 0, by: 0, isWalked: false, isInside: false };
  const capOf = (limit: LimitName, policy: number): number =>
    (policies.caps[limit]?.[policy] ?? Number.POSITIVE_INFINITY) as number;

  const findStop = (loose: LooseRun, kept: number, policy: number): void => {
    const place = places[policy] as number;
    stop.isWalked = place < 2 * kept;
    stop.isInside = stop.isWalked && place % 2 !== 0;
    stop.after = stop.isWalked ? passOf(place) : 0;
    stop.by = by[policy] as number;
    // Pass cap + 1 was made if and only if the run made more than cap.
    const cap = capOf('passes', policy);
    if (stop.isWalked || loose.hasAllPasses || loose.made === null || !isReached(loose.made - 1, cap)) return;
    stop.after = cap;
    stop.by = PASSES;
  };

  /** Whether a limit was asked where its counter is not known. */
  const isBlind = (what: number, unknownFrom: number, kept: number, policy: number): boolean => {
    if (stop.after === 0) return unknownFrom <= kept - 1;
    const last = stop.isInside ? stop.after - 1 : stop.after;
    if (unknownFrom !== last) return unknownFrom < last;
    return stop.isInside || found.isAskedBefore(policy, what, stop.by);
  };

  const add = (loose: LooseRun, from: number, kept: number, unknownFrom: readonly number[], policy: number): void => {
    const { whole, made } = loose;
    findStop(loose, kept, policy);
    let maybe = 0;
    let theOne = -1;
    for (const [index, limit] of SUMMED_TOTALS.entries()) {
      const cap = capOf(limit, policy);
      const known = whole[limit];
      if (known === null || !isReached(known, cap) || (made !== null && made <= 1)) continue;
      const what = LIMITS.indexOf(limit);
      if (loose.hasAllPasses && !isBlind(what, unknownFrom[index] as number, kept, policy)) continue;
      maybe++;
      theOne = what;
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
        const isTheOne = maybe === 1 && LIMITS[theOne] === metric;
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
      increment(tallies.stops, policy);
      if (loose.isGood) increment(tallies.falseStops, policy);
      const reason = stop.by === BY_RULES ? BY_RULES + found.ruleOf(loose.run) : stop.by;
      const counts = tallies.byReason?.[reason];
      if (counts !== undefined) increment(counts, policy);
      return;
    }
    if (isMaybe && loose.isGood) increment(tallies.perhapsFalseStops, policy);
    const standsAtEnd =
      places[policy] !== NOWHERE || LIMITS.some((limit) => isReached(loose.whole[limit], capOf(limit, policy)));
    if (!loose.isStopped || standsAtEnd) return;
    increment(tallies.censored, policy);
    if (!loose.isGood) increment(tallies.censoredOpen, policy);
  };

  return (loose) => {
    const from = first[loose.run] as number;
    const kept = (first[loose.run + 1] as number) - from;
    const unknownFrom = SUMMED_TOTALS.map((limit) => {
      const column = totals[limit];
      return column === null ? 1 : firstAtLeast(column.values, from, from + kept, column.unknown) - from + 1;
    });
    found.find(loose.run);
    for (let policy = 0; policy < policies.length; policy++) add(loose, from, kept, unknownFrom, policy);
    found.forget();
  };
}
