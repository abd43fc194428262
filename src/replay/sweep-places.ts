import { LIMITS, type LimitName } from '../model/limits.js';
import { SUMMED, type Summed } from '../model/pass-columns.js';
import type { OrderEntry, Policy } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { NOWHERE, placeInside } from './columns-place.js';
import { firstAtLeast, lastAsked, type PreparedRuns } from './sweep-prepare.js';

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

/** What stops a run, as a number: a limit's place among `LIMITS`, and this for the rules together. */
export const BY_RULES = LIMITS.length;

/** The first place at which each policy reaches something in one run. */
export interface FirstPlaces {
  /** One a policy; who has read a place sets it back to `NOWHERE`. */
  readonly places: Float64Array;
  /** What is reached there. */
  readonly by: Uint8Array;
  /** The rule of the list that is reached first in a run, where `by` says rules. */
  ruleOf(run: number): number;
  /** Whether a limit is asked before another at one boundary. */
  isAskedBefore(policy: number, one: number, other: number): boolean;
  /** Looks at a run. @returns whether anything is reached by any policy */
  find(run: number): boolean;
}

/**
 * Limits are asked one by one. The caps of all policies on a limit are sorted, so that one walk along a run, which ends
 * at the highest cap that it reaches, meets each in turn: the work is what is reached, not policies times passes.
 */
export function createFirstPlaces(prepared: PreparedRuns, policies: PolicyColumns): FirstPlaces {
  const { first, marks } = prepared;
  const places = new Float64Array(policies.length).fill(NOWHERE);
  const by = new Uint8Array(policies.length);
  const ranks = ranksOf(policies.orders);
  const rule = firstRules(prepared, policies.rules);
  const isAskedBefore = (policy: number, one: number, other: number): boolean => {
    const from = (policies.orderOf[policy] as number) * ENTRIES;
    return (ranks[from + one] as number) < (ranks[from + other] as number);
  };
  const offer = (policy: number, place: number, what: number): void => {
    const earliest = places[policy] as number;
    if (place > earliest || (place === earliest && isAskedBefore(policy, by[policy] as number, what))) return;
    places[policy] = place;
    by[policy] = what;
  };
  const passCaps = sortedCaps(policies.caps.passes);
  const walks = SUMMED.flatMap((limit) => {
    const sorted = sortedCaps(policies.caps[limit]);
    if (sorted === null) return [];
    if (limit === 'steps' && policies.stepsAt === 'dispatch') return [walkDispatch(prepared, sorted, offer)];
    return walkTotals(prepared, limit, sorted, offer) ?? [];
  });
  return {
    places,
    by,
    ruleOf: (run) => rule?.which[run] as number,
    isAskedBefore,
    find(run) {
      const from = first[run] as number;
      const passes = (first[run + 1] as number) - from;
      const asked = lastAsked(passes, marks[run] as number);
      let isFound = false;
      const byRules = rule === null ? NOWHERE : (rule.places[run] as number);
      if (byRules !== NOWHERE) {
        places.fill(byRules);
        by.fill(BY_RULES);
        isFound = true;
      }
      if (passCaps !== null) {
        const { caps, owners } = passCaps;
        for (let index = 0; index < caps.length && isReached(asked, caps[index] as number); index++) {
          offer(owners[index] as number, 2 * (caps[index] as number), BY_PASSES);
          isFound = true;
        }
      }
      for (const walk of walks) if (walk(run, from, passes, asked)) isFound = true;
      return isFound;
    },
  };
}

type Offer = (policy: number, place: number, what: number) => void;
/** Walks one run for one limit. @returns whether any cap is reached */
type Walk = (run: number, from: number, passes: number, asked: number) => boolean;

const ENTRIES = LIMITS.length + 1;
const BY_PASSES = LIMITS.indexOf('passes');

interface SortedCaps {
  readonly caps: Float64Array;
  readonly owners: Uint32Array;
}

function sortedCaps(caps: Float64Array | undefined): SortedCaps | null {
  if (caps === undefined) return null;
  const owners = Uint32Array.from(caps.keys())
    .filter((policy) => caps[policy] !== Number.POSITIVE_INFINITY)
    .sort((a, b) => (caps[a] as number) - (caps[b] as number));
  return owners.length === 0 ? null : { owners, caps: Float64Array.from(owners, (policy) => caps[policy] as number) };
}

/** A single cap is bisected, several are met in one walk: a walk from cap to cap reads each total once. */
function walkTotals(prepared: PreparedRuns, limit: Summed, { caps, owners }: SortedCaps, offer: Offer): Walk | null {
  const column = prepared.totals[limit];
  const most = prepared.mostOf(limit);
  if (column === null || most === null) return null;
  const { values } = column;
  const what = LIMITS.indexOf(limit);
  const lowest = caps[0] as number;
  return (run, from, passes) => {
    const reached = most[run] as number;
    if (!isReached(reached, lowest)) return false;
    let at = firstAtLeast(values, from, from + passes, lowest);
    for (let index = 0; index < caps.length; index++) {
      const cap = caps[index] as number;
      if (!isReached(reached, cap)) break;
      while (!isReached(values[at] as number, cap)) at++;
      offer(owners[index] as number, 2 * (at - from + 1), what);
    }
    return true;
  };
}

/** Steps that are judged before each tool call as well: whichever place comes first. */
function walkDispatch(prepared: PreparedRuns, { caps, owners }: SortedCaps, offer: Offer): Walk {
  const values = prepared.totals.steps?.values ?? new Uint32Array(0);
  const { passes: columns } = prepared.columns;
  const what = LIMITS.indexOf('steps');
  return (_run, from, passes, asked) => {
    let index = 0;
    for (let pass = 1; pass <= passes && index < caps.length; pass++) {
      const before = pass === 1 ? 0 : (values[from + pass - 2] as number);
      const after = values[from + pass - 1] as number;
      const calls = columns.callsOf(from + pass - 1);
      for (; index < caps.length; index++) {
        const cap = caps[index] as number;
        const owner = owners[index] as number;
        if (calls > 0 && isReached(before + 2 * calls, cap)) {
          offer(owner, placeInside(pass, Math.max(1, Math.ceil((cap - before) / 2))), what);
        } else if (pass <= asked && isReached(after, cap)) offer(owner, 2 * pass, what);
        else break;
      }
    }
    return index > 0;
  };
}

/** The place of each limit, and of the rules, in each order. */
function ranksOf(orders: readonly Policy['order'][]): Uint8Array {
  const ranks = new Uint8Array(orders.length * ENTRIES);
  const entries: readonly OrderEntry[] = [...LIMITS, 'rules'];
  for (const [index, order] of orders.entries()) {
    for (const [what, entry] of entries.entries()) ranks[index * ENTRIES + what] = order.indexOf(entry);
  }
  return ranks;
}

interface FirstRules {
  readonly places: Float64Array;
  readonly which: Uint16Array;
}

/** Of several rules the first place in each run; at one place the first of the list. */
function firstRules(prepared: PreparedRuns, rules: Policy['rules']): FirstRules | null {
  if (rules.length === 0) return null;
  const which = new Uint16Array(prepared.runs);
  const places = prepared.placesOf(rules[0] as Policy['rules'][number]).slice();
  for (const [index, rule] of rules.entries()) {
    const others = prepared.placesOf(rule);
    for (let run = 0; run < prepared.runs; run++) {
      if ((others[run] as number) >= (places[run] as number)) continue;
      places[run] = others[run] as number;
      which[run] = index;
    }
  }
  return { places, which };
}
