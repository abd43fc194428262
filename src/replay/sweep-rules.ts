import { NOWHERE } from './columns-place.js';
import { boundaryCode, insideCode, NO_CODE, rankOf } from './sweep-codes.js';
import type { PolicyColumns } from './sweep-columns.js';
import type { PreparedRuns } from './sweep-prepare.js';

/** Of several rules the one that is reached first, run by run. */
export interface FirstRules {
  /** Where, as in `columns-place`. */
  readonly places: Float64Array;
  /** Which of the list. */
  readonly which: Uint16Array;
  /** Writes the place of a run, which has one, into the codes of all policies. @returns how many they are */
  meet(run: number, codes: Int32Array, reaching: Uint32Array): number;
  /** The code of a run for a policy in whose order the rules have that rank. */
  codeIn(run: number, rank: number): number;
  /** Whether it is the rules that a policy reaches in a run under that code. */
  isAt(run: number, policy: number, code: number): boolean;
}

/** At one place the first of the list comes first. */
export function createFirstRules(prepared: PreparedRuns, policies: PolicyColumns): FirstRules | null {
  const [head, ...others] = policies.rules;
  if (head === undefined) return null;
  const which = new Uint16Array(prepared.runs);
  const places = others.length === 0 ? prepared.placesOf(head) : prepared.placesOf(head).slice();
  for (const [index, rule] of others.entries()) {
    const found = prepared.placesOf(rule);
    for (let run = 0; run < prepared.runs; run++) {
      if ((found[run] as number) >= (places[run] as number)) continue;
      places[run] = found[run] as number;
      which[run] = index + 1;
    }
  }
  const rankIn = policies.orders.map((order) => rankOf(order, 'rules'));
  const ranks = Uint8Array.from(policies.orderOf, (order) => rankIn[order] as number);
  return {
    places,
    which,
    meet(run, codes, reaching) {
      const code = ruleCode(places[run] as number);
      for (let policy = 0; policy < codes.length; policy++) {
        codes[policy] = code + (ranks[policy] as number);
        reaching[policy] = policy;
      }
      return codes.length;
    },
    codeIn: (run, rank) => (places[run] === NOWHERE ? NO_CODE : ruleCode(places[run] as number) + rank),
    isAt: (run, policy, code) =>
      places[run] !== NOWHERE && code === ruleCode(places[run] as number) + (ranks[policy] as number),
  };
}

/** A place as a code without a rank. */
function ruleCode(place: number): number {
  const pass = Math.ceil(place / 2);
  return place % 2 === 0 ? boundaryCode(pass, 0) : insideCode(pass, 0);
}
