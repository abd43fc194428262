import type { Sealed } from '../model/chunk.js';
import { METRICS } from '../model/limits.js';
import { boundaryCode, NO_CODE, passesAt } from './sweep-codes.js';
import type { PolicyColumns } from './sweep-columns.js';
import { createStopCounts } from './sweep-counts.js';
import { createLooseBook } from './sweep-loose.js';
import { createFirstPlaces } from './sweep-places.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { IS_GOOD, IS_LOOSE, IS_STOPPED } from './sweep-runs.js';
import { increment, openTallies, type SweepTallies } from './sweep-tallies.js';

/**
 * Any list of policies, run by run: where each policy reaches something first, and what that saves. Only what is saved
 * is summed, so that a run costs what the policies reach in it, and a comparison a limit where they reach nothing.
 */
export function sweepList(prepared: PreparedRuns, policies: PolicyColumns): SweepTallies {
  const { first, marks } = prepared;
  const tallies = openTallies(policies.length, policies.rules.length);
  const found = createFirstPlaces(prepared, policies);
  const counts = createStopCounts(policies, found.rules);
  const savings = createSavings(prepared, tallies);
  const stopped = new Uint32Array(policies.length);
  const { codes } = found;
  const { censored, censoredOpen } = tallies;
  for (let run = 0; run < prepared.runs; run++) {
    const mark = marks[run] as number;
    if (!found.mayReach(run) || (mark & IS_LOOSE) !== 0) continue;
    const reaching = found.find(run);
    const isGood = (mark & IS_GOOD) !== 0;
    // A recorded stop is an open future under those policies that reach nothing in it: under all but these.
    if ((mark & IS_STOPPED) !== 0) {
      countEach(censored, found.reaching, reaching);
      if (!isGood) countEach(censoredOpen, found.reaching, reaching);
    }
    const from = first[run] as number;
    const passes = (first[run + 1] as number) - from;
    const count = listStops(stopped, found.reaching, reaching, codes, passes);
    counts.add(run, isGood, stopped, count, codes);
    savings.add(run, from, passes, stopped, count, codes);
    codes.fill(NO_CODE);
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

function countEach(counts: Uint32Array, policies: Uint32Array, count: number): void {
  for (let at = 0; at < count; at++) increment(counts, policies[at] as number);
}

/** Lists the policies that stop a run. What is reached where the recording ends stops nothing. */
function listStops(
  stopped: Uint32Array,
  reaching: Uint32Array,
  reached: number,
  codes: Int32Array,
  passes: number,
): number {
  const end = boundaryCode(passes, 0);
  let count = 0;
  for (let at = 0; at < reached; at++) {
    const policy = reaching[at] as number;
    stopped[count] = policy;
    // One where the code is below the end, without a branch.
    count += ((codes[policy] as number) - end) >>> 31;
  }
  return count;
}

interface Savings {
  /** Adds what is saved in a run by the first `count` of these policies, which stop it at their codes. */
  add(run: number, from: number, passes: number, policies: Uint32Array, count: number, codes: Int32Array): void;
}

function createSavings(prepared: PreparedRuns, { replayed }: SweepTallies): Savings {
  const summed = (['tokens', 'seconds', 'usd'] as const).flatMap((metric) => {
    const [column, whole] = [prepared.totals[metric], prepared.wholeOf(metric)];
    if (column === null || whole === null) return [];
    return [{ values: column.values, whole: whole.values, unknown: column.unknown, sums: replayed[metric] }];
  });
  return {
    add(run, from, passes, stopped, count, codes) {
      savePasses(replayed.passes.withRoom(passes), passes, stopped, count, codes);
      for (let at = 0; at < summed.length; at++) {
        const { values, whole, unknown, sums } = summed[at] as (typeof summed)[number];
        const used = whole[run] as number;
        if (used !== unknown) saveTotals(sums.withRoom(used), used, values, from, stopped, count, codes);
      }
    },
  };
}

function savePasses(sums: Float64Array, used: number, stopped: Uint32Array, count: number, codes: Int32Array): void {
  for (let at = 0; at < count; at++) {
    const policy = stopped[at] as number;
    sums[policy] = (sums[policy] as number) + (used - passesAt(codes[policy] as number));
  }
}

function saveTotals(
  sums: Float64Array,
  used: number,
  values: Sealed['values'],
  from: number,
  stopped: Uint32Array,
  count: number,
  codes: Int32Array,
): void {
  for (let at = 0; at < count; at++) {
    const policy = stopped[at] as number;
    const left = used - (values[from + passesAt(codes[policy] as number) - 1] as number);
    sums[policy] = (sums[policy] as number) + left;
  }
}
