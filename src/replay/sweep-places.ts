import type { Sealed } from '../model/chunk.js';
import { SUMMED } from '../model/pass-columns.js';
import { isReached } from '../policy/stop.js';
import { NOWHERE } from './columns-place.js';
import { boundaryCode, firstOf, isNone, NO_CODE, rankAt } from './sweep-codes.js';
import { ownerOf, type PolicyColumns, type SortedCaps, sortedCaps } from './sweep-columns.js';
import { createDispatchSteps } from './sweep-dispatch.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { createFirstRules, type FirstRules } from './sweep-rules.js';
import { lastAsked, skipBelow } from './sweep-runs.js';

/** The first place at which each policy reaches something in one run. */
export interface FirstPlaces {
  /** One code a policy, `NO_CODE` for none; who has read them sets them back. */
  readonly codes: Int32Array;
  /** The policies that have one: as many of these as `find` says. */
  readonly reaching: Uint32Array;
  /** Where the rules are reached; `null`: there are none. */
  readonly rules: FirstRules | null;
  /** Whether a look at a run can find anything. */
  mayReach(run: number): boolean;
  /** Looks at a run. @returns how many policies reach anything */
  find(run: number): number;
}

/** The same with the running totals that reach them. */
interface Walked extends SortedCaps {
  readonly values: Sealed['values'];
  /** The most that a run's counter stands at where it is asked. */
  readonly most: Sealed['values'];
  /** The limit's bit among the hits. */
  readonly bit: number;
}

const RULES_HIT = 1;
const PASSES_HIT = 2;
const DISPATCH_HIT = 4;
const FIRST_TOTAL_HIT = 8;

/**
 * Limits are asked one by one. The caps of all policies on a limit are sorted, so that one walk along a run, which ends
 * at the highest cap that it reaches, meets each in turn: the work is what is reached, not policies times passes.
 * Which limits a run reaches at all is found for all runs beforehand, limit by limit: one even pass over one array each.
 */
export function createFirstPlaces(prepared: PreparedRuns, policies: PolicyColumns): FirstPlaces {
  const { first, marks } = prepared;
  const codes = new Int32Array(policies.length).fill(NO_CODE);
  // One more than there are policies: an entry is written before it is known whether it counts.
  const reaching = new Uint32Array(policies.length + 1);
  const isDispatch = policies.stepsAt === 'dispatch';
  const passCaps = sortedCaps(policies, 'passes');
  const stepCaps = isDispatch ? sortedCaps(policies, 'steps') : null;
  const rules = createFirstRules(prepared, policies);
  const dispatch = stepCaps === null ? null : createDispatchSteps(prepared, stepCaps, rules);
  const walked = SUMMED.flatMap((limit, index): Walked[] => {
    const sorted = limit === 'steps' && isDispatch ? null : sortedCaps(policies, limit);
    // What has no cap is not even put together.
    if (sorted === null) return [];
    const [column, most] = [prepared.totals[limit], prepared.mostOf(limit)];
    if (column === null || most === null) return [];
    return [{ ...sorted, values: column.values, most, bit: FIRST_TOTAL_HIT << index }];
  });
  const hits = new Uint8Array(prepared.runs).fill(dispatch === null ? 0 : DISPATCH_HIT);
  if (rules !== null) markRules(hits, rules.places);
  if (passCaps !== null) markPasses(hits, prepared, passCaps.caps[0] as number);
  for (const { most, caps, bit } of walked) markTotals(hits, most, caps[0] as number, bit);
  return {
    codes,
    rules,
    reaching,
    mayReach: (run) => hits[run] !== 0,
    find(run) {
      const hit = hits[run] as number;
      const from = first[run] as number;
      const passes = (first[run + 1] as number) - from;
      const asked = lastAsked(passes, marks[run] as number);
      let count = (hit & RULES_HIT) === 0 || rules === null ? 0 : rules.meet(run, codes, reaching);
      if ((hit & PASSES_HIT) !== 0) count = meetPasses(passCaps as SortedCaps, asked, codes, reaching, count);
      for (let index = 0; index < walked.length; index++) {
        const limit = walked[index] as Walked;
        if ((hit & limit.bit) === 0) continue;
        count = meetTotals(limit, limit.most[run] as number, from, passes, codes, reaching, count);
      }
      if (dispatch !== null) count = dispatch.meet(run, from, passes, asked, codes, reaching, count);
      return count;
    },
  };
}

function markRules(hits: Uint8Array, places: Float64Array): void {
  for (let run = 0; run < hits.length; run++) {
    if (places[run] !== NOWHERE) hits[run] = (hits[run] as number) | RULES_HIT;
  }
}

function markPasses(hits: Uint8Array, { first, marks }: PreparedRuns, lowest: number): void {
  for (let run = 0; run < hits.length; run++) {
    const asked = lastAsked((first[run + 1] as number) - (first[run] as number), marks[run] as number);
    if (isReached(asked, lowest)) hits[run] = (hits[run] as number) | PASSES_HIT;
  }
}

function markTotals(hits: Uint8Array, most: Sealed['values'], lowest: number, bit: number): void {
  for (let run = 0; run < hits.length; run++) {
    if (isReached(most[run] as number, lowest)) hits[run] = (hits[run] as number) | bit;
  }
}

function meetPasses(
  { caps, owners }: SortedCaps,
  asked: number,
  codes: Int32Array,
  reaching: Uint32Array,
  before: number,
): number {
  let count = before;
  for (let index = 0; index < caps.length; index++) {
    const cap = caps[index] as number;
    if (!isReached(asked, cap)) break;
    count = meet(codes, reaching, count, owners[index] as number, cap);
  }
  return count;
}

function meetTotals(
  { caps, owners, values }: Walked,
  reached: number,
  from: number,
  passes: number,
  codes: Int32Array,
  reaching: Uint32Array,
  before: number,
): number {
  let count = before;
  let at = skipBelow(values, from, from + passes, caps[0] as number);
  for (let index = 0; index < caps.length; index++) {
    const cap = caps[index] as number;
    if (!isReached(reached, cap)) break;
    while (!isReached(values[at] as number, cap)) at++;
    count = meet(codes, reaching, count, owners[index] as number, at - from + 1);
  }
  return count;
}

/** A policy meets its cap at the boundary after so many passes. @returns how many policies reach something by now */
function meet(codes: Int32Array, reaching: Uint32Array, count: number, owner: number, passes: number): number {
  const policy = ownerOf(owner);
  const known = codes[policy] as number;
  codes[policy] = firstOf(known, boundaryCode(passes, rankAt(owner)));
  reaching[count] = policy;
  return count + isNone(known);
}
