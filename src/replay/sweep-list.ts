import type { Sealed } from '../model/growing.js';
import { METRICS } from '../model/limits.js';
import { boundaryCode, NO_CODE, passesAt } from './sweep-codes.js';
import type { PolicyColumns } from './sweep-columns.js';
import { createStopCounts } from './sweep-counts.js';
import { createLooseBook } from './sweep-loose.js';
import { createFirstPlaces } from './sweep-places.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { IS_GOOD, IS_LOOSE, IS_STOPPED } from './sweep-runs.js';
import { openTallies, type SweepTallies } from './sweep-tallies.js';

/**
 * Any list of policies, run by run: where each policy reaches something first, and what that saves. Only what is saved
 * is summed, so that a run costs what the policies reach in it, and a comparison a limit where they reach nothing.
 */
export function sweepList(prepared: PreparedRuns, policies: PolicyColumns): SweepTallies {
  const { first, marks } = prepared;
  const tallies = openTallies(policies.length, policies.rules.length);
  const found = createFirstPlaces(prepared, policies);
  const counts = createStopCounts(policies, found.rules);
  const savings = createSavings(prepared, tallies, policies.length);
  const stopped = new Uint32Array(policies.length);
  const codes = new Int32Array(policies.length);
  const { censored, censoredOpen } = tallies;
  for (let run = 0; run < prepared.runs; run++) {
    const mark = marks[run] as number;
    if (!found.mayReach(run) || (mark & IS_LOOSE) !== 0 || !found.find(run)) continue;
    const isGood = (mark & IS_GOOD) !== 0;
    // A recorded stop is an open future under those policies that reach nothing in it: under all but these.
    if ((mark & IS_STOPPED) !== 0) {
      countReaching(censored, found.codes);
      if (!isGood) countReaching(censoredOpen, found.codes);
    }
    const from = first[run] as number;
    const passes = (first[run + 1] as number) - from;
    const count = takeStops(found.codes, passes, stopped, codes);
    counts.add(run, isGood, stopped, codes, count);
    savings.add(run, from, passes, stopped, codes, count);
  }
  for (let policy = 0; policy < policies.length; policy++) {
    censored[policy] = prepared.exact.stopped - (censored[policy] as number);
    censoredOpen[policy] = prepared.exact.stoppedBad - (censoredOpen[policy] as number);
  }
  for (const metric of METRICS) tallies.replayed[metric].takeFrom(prepared.recorded[metric].exact);
  const book = createLooseBook(prepared, policies, found, counts, tallies);
  for (const loose of prepared.loose) book.add(loose);
  counts.close(tallies);
  return tallies;
}

function countReaching(counts: Uint32Array, codes: Int32Array): void {
  for (let policy = 0; policy < codes.length; policy++) {
    counts[policy] = (counts[policy] as number) + (((codes[policy] as number) - NO_CODE) >>> 31);
  }
}

/**
 * Lists the policies that stop a run, and where; the codes of all policies are cleared. What is reached where the
 * recording ends stops nothing.
 */
function takeStops(all: Int32Array, passes: number, policies: Uint32Array, codes: Int32Array): number {
  const end = boundaryCode(passes, 0);
  let count = 0;
  for (let policy = 0; policy < all.length; policy++) {
    const code = all[policy] as number;
    all[policy] = NO_CODE;
    policies[count] = policy;
    codes[count] = code;
    // One where the code is below the end, without a branch.
    count += (code - end) >>> 31;
  }
  return count;
}

interface Savings {
  /** Adds what is saved in a run by the first `count` of these policies, which stop it at these codes. */
  add(run: number, from: number, passes: number, policies: Uint32Array, codes: Int32Array, count: number): void;
}

function createSavings(prepared: PreparedRuns, { replayed }: SweepTallies, policies: number): Savings {
  const saved = new Float64Array(policies);
  const summed = (['tokens', 'seconds', 'usd'] as const).flatMap((metric) => {
    const [column, whole] = [prepared.totals[metric], prepared.wholeOf(metric)];
    if (column === null || whole === null) return [];
    return [{ values: column.values, whole: whole.values, unknown: column.unknown, sums: replayed[metric] }];
  });
  return {
    add(run, from, passes, stopped, codes, count) {
      passesLeft(saved, passes, codes, count);
      replayed.passes.addEach(stopped, saved, count);
      for (let at = 0; at < summed.length; at++) {
        const { values, whole, unknown, sums } = summed[at] as (typeof summed)[number];
        const used = whole[run] as number;
        if (used === unknown) continue;
        totalsLeft(saved, used, values, from, codes, count);
        sums.addEach(stopped, saved, count);
      }
    },
  };
}

function passesLeft(left: Float64Array, passes: number, codes: Int32Array, count: number): void {
  for (let at = 0; at < count; at++) left[at] = passes - passesAt(codes[at] as number);
}

function totalsLeft(
  left: Float64Array,
  used: number,
  values: Sealed['values'],
  from: number,
  codes: Int32Array,
  count: number,
): void {
  for (let at = 0; at < count; at++) {
    left[at] = used - (values[from + passesAt(codes[at] as number) - 1] as number);
  }
}
