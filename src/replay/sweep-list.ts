import { METRICS } from '../model/limits.js';
import { passOf } from './columns-place.js';
import { createLooseBook } from './sweep-loose.js';
import { BY_RULES, createFirstPlaces, type FirstPlaces, type PolicyColumns } from './sweep-places.js';
import { IS_GOOD, IS_LOOSE, IS_STOPPED, type PreparedRuns } from './sweep-prepare.js';
import { increment, openTallies, type SweepTallies } from './sweep-tallies.js';

/**
 * Any list of policies, run by run: where each policy reaches something first, and what that saves. Only what is saved
 * is summed, so that a run costs what the policies reach in it, and a comparison a limit where they reach nothing.
 */
export function sweepList(prepared: PreparedRuns, policies: PolicyColumns): SweepTallies {
  const tallies = openTallies(policies.length, policies.rules.length);
  const found = createFirstPlaces(prepared, policies);
  const book = createBook(prepared, policies.length, found, tallies);
  const { marks } = prepared;
  for (let run = 0; run < prepared.runs; run++) {
    if (((marks[run] as number) & IS_LOOSE) === 0) book.add(run);
  }
  book.close();
  const addLoose = createLooseBook(prepared, policies, found, tallies);
  for (const loose of prepared.loose) addLoose(loose);
  return tallies;
}

interface Book {
  add(run: number): void;
  close(): void;
}

/** Books runs that are known in whole; until it is closed, `replayed` holds what is saved. */
function createBook(prepared: PreparedRuns, policies: number, found: FirstPlaces, tallies: SweepTallies): Book {
  const { first, marks } = prepared;
  const { places, by, reaching } = found;
  const { replayed, falseStops, censored, censoredOpen, stops } = tallies;
  const byReason = tallies.byReason as readonly Uint32Array[];
  const stopped = new Uint32Array(policies);
  const stoppedAt = new Uint32Array(policies);
  const savings = createSavings(prepared, tallies, stopped, stoppedAt);
  const open = { all: 0, bad: 0 };
  const isGood = (run: number): boolean => ((marks[run] as number) & IS_GOOD) !== 0;
  /** A recorded stop is an open future for those policies that reach nothing: for all but these. */
  const bookOpen = (run: number, count: number): void => {
    open.all++;
    if (!isGood(run)) open.bad++;
    for (let index = 0; index < count; index++) {
      increment(censored, reaching[index] as number);
      if (!isGood(run)) increment(censoredOpen, reaching[index] as number);
    }
  };
  /** @returns how many policies stop the run */
  const bookStops = (run: number, count: number, from: number, passes: number): number => {
    const isFalse = isGood(run);
    let made = 0;
    for (let index = 0; index < count; index++) {
      const policy = reaching[index] as number;
      const place = places[policy] as number;
      // What is reached where the recording ends stops nothing.
      if (place >= 2 * passes) continue;
      const reason = by[policy] as number;
      increment(byReason[reason === BY_RULES ? BY_RULES + found.ruleOf(run) : reason] as Uint32Array, policy);
      if (isFalse) increment(falseStops, policy);
      stopped[made] = policy;
      stoppedAt[made++] = from + passOf(place) - 1;
    }
    return made;
  };
  return {
    add(run) {
      const count = found.find(run);
      if (((marks[run] as number) & IS_STOPPED) !== 0) bookOpen(run, count);
      if (count === 0) return;
      const from = first[run] as number;
      const end = first[run + 1] as number;
      savings.add(run, end, bookStops(run, count, from, end - from));
      found.forget();
    },
    close() {
      for (let policy = 0; policy < policies; policy++) {
        censored[policy] = open.all - (censored[policy] as number);
        censoredOpen[policy] = open.bad - (censoredOpen[policy] as number);
        stops[policy] = byReason.reduce((sum, counts) => sum + (counts[policy] as number), 0);
      }
      for (const metric of METRICS) replayed[metric].takeFrom(prepared.recorded[metric].exact);
    },
  };
}

interface Savings {
  /** What is saved in a run by the first of the policies that are listed as stopping it. */
  add(run: number, end: number, stops: number): void;
}

function createSavings(
  prepared: PreparedRuns,
  { replayed }: SweepTallies,
  stopped: Uint32Array,
  stoppedAt: Uint32Array,
): Savings {
  const summed = (['tokens', 'seconds', 'usd'] as const).flatMap((metric) => {
    const [column, whole] = [prepared.totals[metric], prepared.wholeOf(metric)];
    if (column === null || whole === null) return [];
    return [{ values: column.values, whole: whole.values, unknown: column.unknown, sums: replayed[metric] }];
  });
  return {
    add(run, end, stops) {
      for (let index = 0; index < stops; index++) {
        replayed.passes.add(stopped[index] as number, end - 1 - (stoppedAt[index] as number));
      }
      for (const { values, whole, unknown, sums } of summed) {
        const used = whole[run] as number;
        if (used === unknown) continue;
        for (let index = 0; index < stops; index++) {
          sums.add(stopped[index] as number, used - (values[stoppedAt[index] as number] as number));
        }
      }
    },
  };
}
