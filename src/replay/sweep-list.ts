import { METRICS } from '../model/limits.js';
import { boundaryCode, NO_CODE, passesAt } from './sweep-codes.js';
import { createStopCounts } from './sweep-counts.js';
import { createLooseBook } from './sweep-loose.js';
import { createFirstPlaces, type PolicyColumns } from './sweep-places.js';
import { IS_GOOD, IS_LOOSE, IS_STOPPED, type PreparedRuns } from './sweep-prepare.js';
import { openTallies, type SweepTallies } from './sweep-tallies.js';

/**
 * Any list of policies, run by run: where each policy reaches something first, and what that saves. Only what is saved
 * is summed, so that a run costs what the policies reach in it, and a comparison a limit where they reach nothing.
 */
export function sweepList(prepared: PreparedRuns, policies: PolicyColumns): SweepTallies {
  const { first, marks } = prepared;
  const tallies = openTallies(policies.length, policies.rules.length);
  const found = createFirstPlaces(prepared, policies);
  const counts = createStopCounts(policies, found);
  const stops = createStops(policies.length);
  const savings = createSavings(prepared, tallies, stops);
  const futures = createFutures(prepared, tallies);
  for (let run = 0; run < prepared.runs; run++) {
    if (!found.mayReach(run) || ((marks[run] as number) & IS_LOOSE) !== 0 || !found.find(run)) continue;
    const mark = marks[run] as number;
    const isGood = (mark & IS_GOOD) !== 0;
    if ((mark & IS_STOPPED) !== 0) futures.takeAway(found.codes, isGood);
    const from = first[run] as number;
    const passes = (first[run + 1] as number) - from;
    stops.take(found.codes, passes);
    for (let index = 0; index < stops.count; index++) {
      counts.add(run, stops.policies[index] as number, stops.codes[index] as number, isGood);
    }
    savings.add(run, from, passes);
  }
  futures.close();
  for (const metric of METRICS) tallies.replayed[metric].takeFrom(prepared.recorded[metric].exact);
  const book = createLooseBook(prepared, policies, found, counts, tallies);
  for (const loose of prepared.loose) book.add(loose);
  counts.close(tallies);
  return tallies;
}

/** The policies that stop one run, and where. */
interface Stops {
  count: number;
  readonly policies: Uint32Array;
  readonly codes: Int32Array;
  /** Takes them out of the codes of all policies, which are cleared. */
  take(codes: Int32Array, passes: number): void;
}

function createStops(length: number): Stops {
  const policies = new Uint32Array(length);
  const stopCodes = new Int32Array(length);
  return {
    count: 0,
    policies,
    codes: stopCodes,
    take(codes, passes) {
      // What is reached where the recording ends stops nothing.
      const end = boundaryCode(passes, 0);
      let count = 0;
      for (let policy = 0; policy < codes.length; policy++) {
        const code = codes[policy] as number;
        codes[policy] = NO_CODE;
        policies[count] = policy;
        stopCodes[count] = code;
        // One where the code is below the end, without a branch.
        count += (code - end) >>> 31;
      }
      this.count = count;
    },
  };
}

interface Savings {
  /** Adds what is saved in a run by the policies that stop it. */
  add(run: number, from: number, passes: number): void;
}

function createSavings(prepared: PreparedRuns, { replayed }: SweepTallies, stops: Stops): Savings {
  const summed = (['tokens', 'seconds', 'usd'] as const).flatMap((metric) => {
    const [column, whole] = [prepared.totals[metric], prepared.wholeOf(metric)];
    if (column === null || whole === null) return [];
    return [{ values: column.values, whole: whole.values, unknown: column.unknown, sums: replayed[metric] }];
  });
  return {
    add(run, from, passes) {
      const { count, policies, codes } = stops;
      for (let index = 0; index < count; index++) {
        replayed.passes.add(policies[index] as number, passes - passesAt(codes[index] as number));
      }
      for (const { values, whole, unknown, sums } of summed) {
        const used = whole[run] as number;
        if (used === unknown) continue;
        for (let index = 0; index < count; index++) {
          const at = from + passesAt(codes[index] as number) - 1;
          sums.add(policies[index] as number, used - (values[at] as number));
        }
      }
    },
  };
}

/** A recorded stop is an open future under those policies that reach nothing in it: under all but these. */
interface Futures {
  takeAway(codes: Int32Array, isGood: boolean): void;
  close(): void;
}

function createFutures({ exact }: PreparedRuns, { censored, censoredOpen }: SweepTallies): Futures {
  return {
    takeAway(codes, isGood) {
      for (let policy = 0; policy < codes.length; policy++) {
        const isReached = ((codes[policy] as number) - NO_CODE) >>> 31;
        censored[policy] = (censored[policy] as number) + isReached;
        if (!isGood) censoredOpen[policy] = (censoredOpen[policy] as number) + isReached;
      }
    },
    close() {
      for (let policy = 0; policy < censored.length; policy++) {
        censored[policy] = exact.stopped - (censored[policy] as number);
        censoredOpen[policy] = exact.stoppedBad - (censoredOpen[policy] as number);
      }
    },
  };
}
