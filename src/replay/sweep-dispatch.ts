import { isReached } from '../policy/stop.js';
import { passOf, placeInside } from './columns-place.js';
import { boundaryCode, FIRST_RANK, firstOf, insideCode, isNone, LAST_RANK, rankAt } from './sweep-codes.js';
import { ownerOf, type SortedCaps } from './sweep-columns.js';
import type { PreparedRuns } from './sweep-prepare.js';
import type { FirstRules } from './sweep-rules.js';

/** Steps that are judged before each tool call as well. */
export interface DispatchSteps {
  /** Looks at a run. @returns how many policies reach something by now */
  meet(
    run: number,
    from: number,
    passes: number,
    asked: number,
    codes: Int32Array,
    reaching: Uint32Array,
    before: number,
  ): number;
}

/** Pass by pass, whichever comes first: a call of the pass, or the boundary behind it. */
export function createDispatchSteps(
  prepared: PreparedRuns,
  { caps, owners }: SortedCaps,
  rules: FirstRules | null,
): DispatchSteps {
  const values = prepared.totals.steps?.values ?? new Uint32Array(0);
  const { passes: columns } = prepared.columns;
  /** A rule may be reached inside the same pass: then the call decides, and the order only at one call. */
  const rankInside = (run: number, place: number, rank: number): number => {
    const other = rules?.places[run] as number;
    if (rules === null || other % 2 === 0 || passOf(other) !== passOf(place) || other === place) return rank;
    return place < other ? FIRST_RANK : LAST_RANK;
  };
  return {
    meet(run, from, passes, asked, codes, reaching, before) {
      let count = before;
      let index = 0;
      for (let pass = 1; pass <= passes && index < caps.length; pass++) {
        const emitted = pass === 1 ? 0 : (values[from + pass - 2] as number);
        const after = values[from + pass - 1] as number;
        const calls = columns.callsOf(from + pass - 1);
        for (; index < caps.length; index++) {
          const cap = caps[index] as number;
          const owner = ownerOf(owners[index] as number);
          const rank = rankAt(owners[index] as number);
          let code: number;
          if (calls > 0 && isReached(emitted + 2 * calls, cap)) {
            const place = placeInside(pass, Math.max(1, Math.ceil((cap - emitted) / 2)));
            code = insideCode(pass, rankInside(run, place, rank));
          } else if (pass <= asked && isReached(after, cap)) code = boundaryCode(pass, rank);
          else break;
          const known = codes[owner] as number;
          codes[owner] = firstOf(known, code);
          reaching[count] = owner;
          count += isNone(known);
        }
      }
      return count;
    },
  };
}
