import { LIMITS } from '../model/limits.js';
import { FIRST_RANK, LAST_RANK, RANKS, rankAt, rankOf } from './sweep-codes.js';
import type { FirstPlaces, PolicyColumns } from './sweep-places.js';
import type { SweepTallies } from './sweep-tallies.js';

/** Counts stops, one number a stop: which limit it was follows from the rank, and the order of its policy, at the end. */
export interface StopCounts {
  add(run: number, policy: number, code: number, isGood: boolean): void;
  /** Adds what was counted to tallies. */
  close(tallies: SweepTallies): void;
}

export function createStopCounts(policies: PolicyColumns, found: FirstPlaces): StopCounts {
  const { length, rules } = policies;
  /** A row a rank, and behind them the same for runs in the population. */
  const rows = new Uint32Array(2 * RANKS * length);
  const byRule = rules.length < 2 ? null : new Uint32Array(rules.length * length);
  const rowSum = (rank: number, policy: number): number =>
    (rows[rank * length + policy] as number) + (rows[(rank + RANKS) * length + policy] as number);
  return {
    add(run, policy, code, isGood) {
      const at = (rankAt(code) + (isGood ? RANKS : 0)) * length + policy;
      rows[at] = (rows[at] as number) + 1;
      if (byRule === null || found.rules?.isAt(run, policy, code) !== true) return;
      const rule = (found.rules.which[run] as number) * length + policy;
      byRule[rule] = (byRule[rule] as number) + 1;
    },
    close({ stops, falseStops, byReason }) {
      for (let policy = 0; policy < length; policy++) {
        const order = policies.orders[policies.orderOf[policy] as number] as (typeof policies.orders)[number];
        for (let rank = 0; rank < RANKS; rank++) {
          stops[policy] = (stops[policy] as number) + rowSum(rank, policy);
          falseStops[policy] = (falseStops[policy] as number) + (rows[(rank + RANKS) * length + policy] as number);
        }
        if (byReason === null) continue;
        const count = (reason: number, stopped: number): void => {
          const counts = byReason[reason] as Uint32Array;
          counts[policy] = (counts[policy] as number) + stopped;
        };
        for (const [reason, limit] of LIMITS.entries()) count(reason, rowSum(rankOf(order, limit), policy));
        count(LIMITS.indexOf('steps'), rowSum(FIRST_RANK, policy) + rowSum(LAST_RANK, policy));
        if (rules.length === 1) count(LIMITS.length, rowSum(rankOf(order, 'rules'), policy));
        for (const rule of byRule === null ? [] : rules.keys()) {
          count(LIMITS.length + rule, byRule?.[rule * length + policy] as number);
        }
      }
    },
  };
}
