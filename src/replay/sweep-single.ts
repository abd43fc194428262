import type { Sealed } from '../model/chunk.js';
import { exactSum } from '../model/exact-sum.js';
import { METRICS } from '../model/limits.js';
import { SUMMED } from '../model/pass-columns.js';
import { isReached } from '../policy/stop.js';
import { boundaryCode, firstOf, NO_CODE, passesAt, rankOf } from './sweep-codes.js';
import { type PolicyColumns, sortedCaps } from './sweep-columns.js';
import { createStopCounts } from './sweep-counts.js';
import { createDispatchSteps } from './sweep-dispatch.js';
import { createLooseBook } from './sweep-loose.js';
import { createFirstPlaces } from './sweep-places.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { createFirstRules, type FirstRules } from './sweep-rules.js';
import { IS_GOOD, IS_LOOSE, IS_STOPPED, lastAsked, skipBelow } from './sweep-runs.js';
import { increment, openTallies, type SweepTallies } from './sweep-tallies.js';

/** One policy alone: what a list does for many, without its sorting. @param policy columns of a single policy */
export function sweepSingle(prepared: PreparedRuns, policy: PolicyColumns): SweepTallies {
  const { first, marks } = prepared;
  const tallies = openTallies(1, policy.rules.length);
  const rules = createFirstRules(prepared, policy);
  const codeIn = createSinglePlaces(prepared, policy, rules);
  const counts = createStopCounts(policy, rules);
  const savings = createSavings(prepared);
  const one = new Uint32Array(1);
  const codes = new Int32Array(1);
  for (let run = 0; run < prepared.runs; run++) {
    const mark = marks[run] as number;
    if ((mark & IS_LOOSE) !== 0) continue;
    const code = codeIn(run);
    if (code === NO_CODE) {
      if ((mark & IS_STOPPED) === 0) continue;
      increment(tallies.censored, 0);
      if ((mark & IS_GOOD) === 0) increment(tallies.censoredOpen, 0);
      continue;
    }
    const from = first[run] as number;
    const passes = (first[run + 1] as number) - from;
    // What is reached where the recording ends stops nothing.
    if (code >= boundaryCode(passes, 0)) continue;
    codes[0] = code;
    counts.add(run, (mark & IS_GOOD) !== 0, one, 1, codes);
    savings.add(run, from, passes, passesAt(code));
  }
  savings.close(tallies);
  if (prepared.loose.length > 0) {
    const book = createLooseBook(prepared, policy, createFirstPlaces(prepared, policy), counts, tallies);
    for (const loose of prepared.loose) book.add(loose);
  }
  counts.close(tallies);
  return tallies;
}

/** One limit that is summed, and its only cap. */
interface Walked {
  readonly cap: number;
  readonly rank: number;
  readonly values: Sealed['values'];
  readonly most: Sealed['values'];
}

/** Where a single policy first reaches something in a run. It is not followed behind where an earlier limit stops it. */
export function createSinglePlaces(
  prepared: PreparedRuns,
  policy: PolicyColumns,
  rules: FirstRules | null,
): (run: number) => number {
  const { first, marks } = prepared;
  const order = policy.orders[0] as (typeof policy.orders)[number];
  const rulesRank = rankOf(order, 'rules');
  const passesRank = rankOf(order, 'passes');
  const passCap = policy.caps.passes?.[0] ?? Number.POSITIVE_INFINITY;
  const stepCaps = policy.stepsAt === 'dispatch' ? sortedCaps(policy, 'steps') : null;
  const one = new Int32Array(1);
  const reaching = new Uint32Array(2);
  const dispatch = stepCaps === null ? null : createDispatchSteps(prepared, stepCaps, rules);
  const walked = SUMMED.flatMap((limit): Walked[] => {
    const cap = policy.caps[limit]?.[0] ?? Number.POSITIVE_INFINITY;
    // What has no cap is not even put together.
    if (cap === Number.POSITIVE_INFINITY || (limit === 'steps' && stepCaps !== null)) return [];
    const [column, most] = [prepared.totals[limit], prepared.mostOf(limit)];
    if (column === null || most === null) return [];
    return [{ cap, rank: rankOf(order, limit), values: column.values, most }];
  });
  return (run) => {
    const from = first[run] as number;
    const passes = (first[run + 1] as number) - from;
    const asked = lastAsked(passes, marks[run] as number);
    let code = rules === null ? NO_CODE : rules.codeIn(run, rulesRank);
    if (isReached(asked, passCap)) code = Math.min(code, boundaryCode(passCap, passesRank));
    for (let index = 0; index < walked.length; index++) {
      const limit = walked[index] as Walked;
      if (isReached(limit.most[run] as number, limit.cap)) code = walk(limit, from, passes, code);
    }
    if (dispatch === null) return code;
    one[0] = code;
    dispatch.meet(run, from, passes, asked, one, reaching, 0);
    return one[0];
  };
}

function walk({ cap, rank, values }: Walked, from: number, passes: number, code: number): number {
  const end = from + Math.min(passes, passesAt(code));
  if (!isReached(values[end - 1] as number, cap)) return code;
  let at = skipBelow(values, from, end, cap);
  while (!isReached(values[at] as number, cap)) at++;
  return firstOf(code, boundaryCode(at - from + 1, rank));
}

interface Savings {
  /** Adds what is saved in a run that is stopped after so many of its passes. */
  add(run: number, from: number, passes: number, made: number): void;
  close(tallies: SweepTallies): void;
}

function createSavings(prepared: PreparedRuns): Savings {
  const saved = { passes: exactSum(), tokens: exactSum(), seconds: exactSum(), usd: exactSum() };
  const summed = (['tokens', 'seconds', 'usd'] as const).flatMap((metric) => {
    const [column, whole] = [prepared.totals[metric], prepared.wholeOf(metric)];
    if (column === null || whole === null) return [];
    return [{ values: column.values, whole: whole.values, unknown: column.unknown, sum: saved[metric] }];
  });
  return {
    add(run, from, passes, made) {
      saved.passes.add(passes - made);
      for (let index = 0; index < summed.length; index++) {
        const { values, whole, unknown, sum } = summed[index] as (typeof summed)[number];
        const used = whole[run] as number;
        if (used !== unknown) sum.add(used - (values[from + made - 1] as number));
      }
    },
    close({ replayed }) {
      for (const metric of METRICS) {
        replayed[metric].addBig(0, prepared.recorded[metric].exact - saved[metric].total());
      }
    },
  };
}
