import { LIMITS } from '../model/limits.js';
import { FIRST_RANK, LAST_RANK, RANKS, rankAt, rankOf } from './sweep-codes.js';
import type { PolicyColumns } from './sweep-columns.js';
import type { FirstRules } from './sweep-rules.js';
import type { SweepTallies } from './sweep-tallies.js';

/** Counts stops, one number a stop: which limit it was follows from the rank, and the order of its policy, at the end. */
export interface StopCounts {
  /** Counts the first `count` of these policies as stopping a run, each at the code that it has among all. */
  add(run: number, isGood: boolean, policies: Uint32Array, count: number, codes: Int32Array): void;
  /** Adds what was counted to tallies. */
  close(tallies: SweepTallies): void;
}

export function createStopCounts(policies: PolicyColumns, rules: FirstRules | null): StopCounts {
  const { length } = policies;
  /** A row a rank, and behind them the same for runs in the population. */
  const rows = new Uint32Array(2 * RANKS * length);
  const byRule = policies.rules.length < 2 ? null : new Uint32Array(policies.rules.length * length);
  const rowSum = (rank: number, policy: number): number =>
    (rows[rank * length + policy] as number) + (rows[(rank + RANKS) * length + policy] as number);
  return {
    add(run, isGood, stopped, count, codes) {
      countRanks(rows, length, isGood ? RANKS : 0, stopped, count, codes);
      if (byRule === null || rules === null) return;
      const row = (rules.which[run] as number) * length;
      for (let at = 0; at < count; at++) {
        const policy = stopped[at] as number;
        if (rules.isAt(run, policy, codes[policy] as number))
          byRule[row + policy] = (byRule[row + policy] as number) + 1;
      }
    },
    close({ stops, falseStops, byReason }) {
      for (let policy = 0; policy < length; policy++) {
        for (let rank = 0; rank < RANKS; rank++) {
          stops[policy] = (stops[policy] as number) + rowSum(rank, policy);
          falseStops[policy] = (falseStops[policy] as number) + (rows[(rank + RANKS) * length + policy] as number);
        }
        if (byReason === null) continue;
        const order = policies.orders[policies.orderOf[policy] as number] as (typeof policies.orders)[number];
        const count = (reason: number, stopped: number): void => {
          const counts = byReason[reason] as Uint32Array;
          counts[policy] = (counts[policy] as number) + stopped;
        };
        for (const [reason, limit] of LIMITS.entries()) count(reason, rowSum(rankOf(order, limit), policy));
        count(LIMITS.indexOf('steps'), rowSum(FIRST_RANK, policy) + rowSum(LAST_RANK, policy));
        if (policies.rules.length === 1) count(LIMITS.length, rowSum(rankOf(order, 'rules'), policy));
        if (byRule === null) continue;
        for (const rule of policies.rules.keys()) {
          count(LIMITS.length + rule, byRule[rule * length + policy] as number);
        }
      }
    },
  };
}

function countRanks(
  rows: Uint32Array,
  length: number,
  firstRow: number,
  policies: Uint32Array,
  count: number,
  codes: Int32Array,
): void {
  for (let at = 0; at < count; at++) {
    const policy = policies[at] as number;
    const cell = (firstRow + rankAt(codes[policy] as number)) * length + policy;
    rows[cell] = (rows[cell] as number) + 1;
  }
}
