import type { Sealed } from '../model/growing.js';
import type { LimitName } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { boundaryCode, firstOf, NO_CODE, rankOf } from './sweep-codes.js';
import { createDispatchSteps } from './sweep-dispatch.js';
import { firstAtLeast, lastAsked, type PreparedRuns } from './sweep-prepare.js';
import { createFirstRules, type FirstRules } from './sweep-rules.js';

/** Policies that share their rules and differ in caps and order, column by column. */
export interface PolicyColumns {
  readonly length: number;
  readonly rules: Policy['rules'];
  readonly stepsAt: Policy['stepsAt'];
  /** Ceilings in atoms, infinite for none; a limit that no policy has is left out. */
  readonly caps: { readonly [limit in LimitName]?: Float64Array };
  /** The distinct orders in which limits are asked, and which one a policy has. */
  readonly orders: readonly Policy['order'][];
  readonly orderOf: Uint16Array;
}

/** The first place at which each policy reaches something in one run. */
export interface FirstPlaces {
  /** One code a policy, `NO_CODE` for none; who has read them sets them back. */
  readonly codes: Int32Array;
  /** Where the rules are reached; `null`: there are none. */
  readonly rules: FirstRules | null;
  /** Looks at a run. @returns whether any policy reaches anything */
  find(run: number): boolean;
}

/** The caps of all policies on one limit, ascending. */
export interface SortedCaps {
  readonly caps: Float64Array;
  readonly owners: Uint32Array;
  /** The rank of the limit in the owner's order. */
  readonly ranks: Uint8Array;
}

/** The same with the running totals that reach them; without any where passes are counted. */
interface Walked extends SortedCaps {
  readonly lowest: number;
  readonly values: Sealed['values'];
  /** The most that a run's counter stands at where it is asked; `null`: passes. */
  readonly most: Sealed['values'];
}

/**
 * Limits are asked one by one. The caps of all policies on a limit are sorted, so that one walk along a run, which ends
 * at the highest cap that it reaches, meets each in turn: the work is what is reached, not policies times passes.
 */
export function createFirstPlaces(prepared: PreparedRuns, policies: PolicyColumns): FirstPlaces {
  const { first, marks } = prepared;
  const codes = new Int32Array(policies.length).fill(NO_CODE);
  const isDispatch = policies.stepsAt === 'dispatch';
  const passCaps = sortedCaps(policies, 'passes');
  const stepCaps = isDispatch ? sortedCaps(policies, 'steps') : null;
  const rules = createFirstRules(prepared, policies);
  const dispatch = stepCaps === null ? null : createDispatchSteps(prepared, stepCaps, rules, codes);
  const walked = (['tokens', 'seconds', 'usd', 'steps'] as const).flatMap((limit): Walked[] => {
    const sorted = limit === 'steps' && isDispatch ? null : sortedCaps(policies, limit);
    const [column, most] = [prepared.totals[limit], prepared.mostOf(limit)];
    if (sorted === null || column === null || most === null) return [];
    return [{ ...sorted, lowest: sorted.caps[0] as number, values: column.values, most }];
  });
  return {
    codes,
    rules,
    find(run) {
      const from = first[run] as number;
      const passes = (first[run + 1] as number) - from;
      const asked = lastAsked(passes, marks[run] as number);
      let isFound = rules?.fill(run, codes) ?? false;
      if (passCaps !== null && isReached(asked, passCaps.caps[0] as number)) {
        meetPasses(passCaps, asked, codes);
        isFound = true;
      }
      for (const limit of walked) {
        const reached = limit.most[run] as number;
        if (!isReached(reached, limit.lowest)) continue;
        meetTotals(limit, from, passes, reached, codes);
        isFound = true;
      }
      return dispatch?.find(run, from, passes, asked) || isFound;
    },
  };
}

function sortedCaps(policies: PolicyColumns, limit: LimitName): SortedCaps | null {
  const caps = policies.caps[limit];
  if (caps === undefined) return null;
  const owners = Uint32Array.from(caps.keys())
    .filter((policy) => caps[policy] !== Number.POSITIVE_INFINITY)
    .sort((a, b) => (caps[a] as number) - (caps[b] as number));
  if (owners.length === 0) return null;
  const ranks = policies.orders.map((order) => rankOf(order, limit));
  return {
    owners,
    caps: Float64Array.from(owners, (policy) => caps[policy] as number),
    ranks: Uint8Array.from(owners, (policy) => ranks[policies.orderOf[policy] as number] as number),
  };
}

function meetPasses({ caps, owners, ranks }: SortedCaps, asked: number, codes: Int32Array): void {
  for (let index = 0; index < caps.length; index++) {
    const cap = caps[index] as number;
    if (!isReached(asked, cap)) return;
    const owner = owners[index] as number;
    codes[owner] = firstOf(codes[owner] as number, boundaryCode(cap, ranks[index] as number));
  }
}

function meetTotals(limit: Walked, from: number, passes: number, reached: number, codes: Int32Array): void {
  const { caps, owners, ranks, values, lowest } = limit;
  let at = firstAtLeast(values, from, from + passes, lowest);
  for (let index = 0; index < caps.length; index++) {
    const cap = caps[index] as number;
    if (!isReached(reached, cap)) return;
    while (!isReached(values[at] as number, cap)) at++;
    const owner = owners[index] as number;
    codes[owner] = firstOf(codes[owner] as number, boundaryCode(at - from + 1, ranks[index] as number));
  }
}
