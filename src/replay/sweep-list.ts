import { METRICS } from '../model/limits.js';
import { NOWHERE, passOf } from './columns-place.js';
import { createLooseBook } from './sweep-loose.js';
import { BY_RULES, createFirstPlaces, type FirstPlaces, type PolicyColumns } from './sweep-places.js';
import { IS_GOOD, IS_LOOSE, IS_STOPPED, type PreparedRuns } from './sweep-prepare.js';
import { increment, openTallies, type SweepTallies } from './sweep-tallies.js';

/**
 * Any list of policies, run by run: where each policy reaches something first, and what that saves. Only what is saved
 * is summed, so that a run that no policy stops costs a comparison a limit.
 */
export function sweepList(prepared: PreparedRuns, policies: PolicyColumns): SweepTallies {
  const tallies = openTallies(policies.length, policies.rules.length);
  const found = createFirstPlaces(prepared, policies);
  const book = createBook(prepared, policies.length, found, tallies);
  const { marks } = prepared;
  for (let run = 0; run < prepared.runs; run++) {
    if (((marks[run] as number) & IS_LOOSE) !== 0) continue;
    if (found.find(run)) book.add(run);
    else if (((marks[run] as number) & IS_STOPPED) !== 0) book.addOpen(run);
  }
  book.close();
  const addLoose = createLooseBook(prepared, policies, found, tallies);
  for (const loose of prepared.loose) addLoose(loose);
  return tallies;
}

interface Book {
  /** A run in which some policy reaches something. */
  add(run: number): void;
  /** A run recorded as stopped in which none does. */
  addOpen(run: number): void;
  close(): void;
}

/** Books runs that are known in whole; until it is closed, `replayed` holds what is saved. */
function createBook(prepared: PreparedRuns, policies: number, found: FirstPlaces, tallies: SweepTallies): Book {
  const { first, marks, totals } = prepared;
  const { places, by } = found;
  const { replayed, byReason } = tallies;
  const stopped = new Uint32Array(policies);
  const stoppedAt = new Uint32Array(policies);
  const open = { all: 0, bad: 0 };
  const addOpen = (run: number): void => {
    open.all++;
    if (((marks[run] as number) & IS_GOOD) === 0) open.bad++;
  };
  const count = (policy: number, run: number): void => {
    increment(tallies.stops, policy);
    if (((marks[run] as number) & IS_GOOD) !== 0) increment(tallies.falseStops, policy);
    const reason = by[policy] as number;
    increment(byReason?.[reason === BY_RULES ? BY_RULES + found.ruleOf(run) : reason] as Float64Array, policy);
  };
  const save = (metric: 'tokens' | 'seconds' | 'usd', end: number, stops: number): void => {
    const column = totals[metric];
    const whole = column === null ? null : (column.values[end] as number);
    if (column === null || whole === null || whole === column.unknown) return;
    const sums = replayed[metric];
    for (let index = 0; index < stops; index++) {
      sums.add(stopped[index] as number, whole - (column.values[stoppedAt[index] as number] as number));
    }
  };
  return {
    addOpen,
    add(run) {
      const from = first[run] as number;
      const end = (first[run + 1] as number) - 1;
      const passes = end - from + 1;
      const isOpen = ((marks[run] as number) & IS_STOPPED) !== 0;
      let stops = 0;
      for (let policy = 0; policy < policies; policy++) {
        const place = places[policy] as number;
        places[policy] = NOWHERE;
        if (place < 2 * passes) {
          count(policy, run);
          stopped[stops] = policy;
          stoppedAt[stops++] = from + passOf(place) - 1;
        } else if (isOpen && place === NOWHERE) {
          increment(tallies.censored, policy);
          if (((marks[run] as number) & IS_GOOD) === 0) increment(tallies.censoredOpen, policy);
        }
      }
      for (let index = 0; index < stops; index++) {
        replayed.passes.add(stopped[index] as number, end - (stoppedAt[index] as number));
      }
      if (stops === 0) return;
      save('tokens', end, stops);
      save('seconds', end, stops);
      save('usd', end, stops);
    },
    close() {
      for (let policy = 0; policy < policies; policy++) {
        tallies.censored[policy] = (tallies.censored[policy] as number) + open.all;
        tallies.censoredOpen[policy] = (tallies.censoredOpen[policy] as number) + open.bad;
      }
      for (const metric of METRICS) replayed[metric].takeFrom(prepared.recorded[metric].exact);
    },
  };
}
