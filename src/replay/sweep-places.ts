import { LIMITS, type LimitName } from '../model/limits.js';
import type { Summed } from '../model/pass-columns.js';
import type { OrderEntry, Policy } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { NOWHERE, passOf, placeInside } from './columns-place.js';
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
  /** One a policy, `NOWHERE` for most; `forget` clears them. */
  readonly places: Float64Array;
  /** What is reached there. */
  readonly by: Uint8Array;
  /** The policies that reach something: as many of these as `find` says. */
  readonly reaching: Uint32Array;
  /** The rule of the list that is reached first in a run, where `by` says rules. */
  ruleOf(run: number): number;
  /** Whether a limit is asked before another at one boundary. */
  isAskedBefore(policy: number, one: number, other: number): boolean;
  /** Looks at a run. @returns how many policies reach something */
  find(run: number): number;
  /** Makes ready for the next run. */
  forget(): void;
}

/**
 * Limits are asked one by one. The caps of all policies on a limit are sorted, so that one walk along a run, which ends
 * at the highest cap that it reaches, meets each in turn: the work is what is reached, not policies times passes.
 */
export function createFirstPlaces(prepared: PreparedRuns, policies: PolicyColumns): FirstPlaces {
  const { first, marks } = prepared;
  const offers = createOffers(policies);
  const rule = firstRules(prepared, policies.rules);
  const walks = LIMITS.flatMap((limit): Walk[] => {
    const sorted = sortedCaps(policies.caps[limit]);
    if (sorted === null) return [];
    if (limit === 'passes') return [walkPasses(sorted, offers)];
    if (limit === 'steps' && policies.stepsAt === 'dispatch') return [walkDispatch(prepared, sorted, offers)];
    return walkTotals(prepared, limit, sorted, offers);
  });
  return {
    places: offers.places,
    by: offers.by,
    reaching: offers.reaching,
    ruleOf: (run) => rule?.which[run] as number,
    isAskedBefore: (policy, one, other) => offers.isAskedBefore(policy, one, other),
    forget: () => offers.forget(),
    find(run) {
      const from = first[run] as number;
      const passes = (first[run + 1] as number) - from;
      const asked = lastAsked(passes, marks[run] as number);
      if (rule !== null && rule.places[run] !== NOWHERE) offers.makeAll(rule.places[run] as number, BY_RULES);
      for (const walk of walks) walk(run, from, passes, asked);
      return offers.count;
    },
  };
}

interface Offers {
  readonly places: Float64Array;
  readonly by: Uint8Array;
  readonly reaching: Uint32Array;
  readonly count: number;
  isAskedBefore(policy: number, one: number, other: number): boolean;
  /** A place at which a policy reaches something: it is taken if it is the first so far. */
  make(policy: number, place: number, what: number): void;
  makeAll(place: number, what: number): void;
  forget(): void;
}

function createOffers({ length, orders, orderOf }: PolicyColumns): Offers {
  return new OffersOfRun(length, ranksOf(orders), orderOf);
}

class OffersOfRun implements Offers {
  readonly places: Float64Array;
  readonly by: Uint8Array;
  readonly reaching: Uint32Array;
  count = 0;

  constructor(
    length: number,
    private readonly ranks: Uint8Array,
    private readonly orderOf: Uint16Array,
  ) {
    this.places = new Float64Array(length).fill(NOWHERE);
    this.by = new Uint8Array(length);
    this.reaching = new Uint32Array(length);
  }

  isAskedBefore(policy: number, one: number, other: number): boolean {
    const from = (this.orderOf[policy] as number) * ENTRIES;
    return (this.ranks[from + one] as number) < (this.ranks[from + other] as number);
  }

  make(policy: number, place: number, what: number): void {
    const earliest = this.places[policy] as number;
    if (place > earliest) return;
    if (place === earliest && this.isAskedBefore(policy, this.by[policy] as number, what)) return;
    if (earliest === NOWHERE) this.reaching[this.count++] = policy;
    this.places[policy] = place;
    this.by[policy] = what;
  }

  makeAll(place: number, what: number): void {
    for (let policy = 0; policy < this.places.length; policy++) this.make(policy, place, what);
  }

  forget(): void {
    for (let index = 0; index < this.count; index++) this.places[this.reaching[index] as number] = NOWHERE;
    this.count = 0;
  }
}

/** Walks one run for one limit. */
type Walk = (run: number, from: number, passes: number, asked: number) => void;

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

function walkPasses({ caps, owners }: SortedCaps, offers: Offers): Walk {
  return (_run, _from, _passes, asked) => {
    for (let index = 0; index < caps.length && isReached(asked, caps[index] as number); index++) {
      offers.make(owners[index] as number, 2 * (caps[index] as number), BY_PASSES);
    }
  };
}

function walkTotals(prepared: PreparedRuns, limit: Summed, { caps, owners }: SortedCaps, offers: Offers): Walk[] {
  const column = prepared.totals[limit];
  const most = prepared.mostOf(limit);
  if (column === null || most === null) return [];
  const { values } = column;
  const what = LIMITS.indexOf(limit);
  const lowest = caps[0] as number;
  const isSingle = caps.length === 1;
  return [
    (run, from, passes) => {
      const reached = most[run] as number;
      if (!isReached(reached, lowest)) return;
      // A single policy that is stopped by another limit before is not looked at further.
      const earlier = isSingle ? passOf(offers.places[owners[0] as number] as number) : passes;
      const end = from + Math.min(passes, earlier);
      if (isSingle && !isReached(values[end - 1] as number, lowest)) return;
      let at = firstAtLeast(values, from, end, lowest);
      for (let index = 0; index < caps.length; index++) {
        const cap = caps[index] as number;
        if (!isReached(reached, cap)) break;
        while (!isReached(values[at] as number, cap)) at++;
        offers.make(owners[index] as number, 2 * (at - from + 1), what);
      }
    },
  ];
}

/** Steps that are judged before each tool call as well: whichever place comes first. */
function walkDispatch(prepared: PreparedRuns, { caps, owners }: SortedCaps, offers: Offers): Walk {
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
          offers.make(owner, placeInside(pass, Math.max(1, Math.ceil((cap - before) / 2))), what);
        } else if (pass <= asked && isReached(after, cap)) offers.make(owner, 2 * pass, what);
        else break;
      }
    }
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
