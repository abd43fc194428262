import { figuresIn } from '../model/figures.js';
import type { Run } from '../model/run.js';
import { sharedShareTails, twoSided } from '../stats/tails.js';
import { NEVER, shareAlarms } from './drift-power.js';
import type { DriftEnding } from './drift-result.js';
import type { RawTest } from './drift-tests.js';
import { RARE_ENDINGS } from './drift-words.js';

/** How many runs of a set end in each way. */
export type EndingCounts = ReadonlyMap<string, number>;

/** A status, and the reason of those that have one. */
export function countEndings(runs: Iterable<Run>): EndingCounts {
  const counts = new Map<string, number>();
  for (const { status, reason } of figuresIn(runs)) {
    const hasReason = status === 'stopped_budget' || status === 'halted_error';
    const ending = hasReason ? `${status}: ${reason ?? 'unknown'}` : status;
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return counts;
}

/** Runs on either side from which on a change of their endings is more than a story of one of them. */
const FEWEST_RUNS = 10;

/**
 * A way to end is frequent enough to be tested by itself where its exact test could come to this p at all: with two sets
 * of one size from eleven runs on, five or six expected in each. Fewer are enough where the new set is the smaller one
 * and all of them are in it.
 */
const RAREST_P = 0.001;

/** One way to end in both sets, or several taken together. */
interface Kind {
  readonly ending: string;
  readonly old: number;
  readonly fresh: number;
}

/** Ways to end as they are tested. Only the totals of both sets decide on that, so that no look at the answer does. */
interface Arranged {
  readonly byItself: readonly Kind[];
  readonly rare: readonly Kind[];
  /** Whether the rare ones are tested together, or as what another is not. */
  readonly isRareTested: boolean;
  /** Each is held against all the other runs. */
  readonly tested: readonly Kind[];
}

/** All ways in which runs of either set end, the most frequent first. */
export function endingRows(old: EndingCounts, fresh: EndingCounts): DriftEnding[] {
  const [inOld, inNew] = [total(old), total(fresh)];
  const { byItself, rare, isRareTested } = arrange(kindsOf(old, fresh), inOld, inNew);
  const row = ({ ending, old: before, fresh: after }: Kind, how: DriftEnding['tested']): DriftEnding => ({
    ending,
    old: before,
    new: after,
    old_share: inOld === 0 ? null : before / inOld,
    new_share: inNew === 0 ? null : after / inNew,
    tested: how,
  });
  return [
    ...byItself.map((kind) => row(kind, 'by itself')),
    ...rare.map((kind) => row(kind, isRareTested ? 'together' : 'no')),
  ];
}

/**
 * Whether the runs end as they did: each way that is frequent enough against all the other runs, and the rare ones
 * together, by Fisher's exact test. One that moves the other way hides none, as it would in a test of all at once.
 */
export function endingTests(old: EndingCounts, fresh: EndingCounts): RawTest[] {
  const [inOld, inNew] = [total(old), total(fresh)];
  const kinds = kindsOf(old, fresh);
  const { tested } = arrange(kinds, inOld, inNew);
  if (tested.length > 0) return tested.map((kind) => endingTest(kind, inOld, inNew));
  return [
    {
      ...{ test: 'endings', metric: null, ending: null, against: 'old runs', n_old: inOld, n_new: inNew },
      ...{ p: null, at: null, seen: null, expected: null, p_value: null },
      ...{ not_judged: whyNot(kinds, inOld, inNew), alarmsAt: NEVER },
    },
  ];
}

function endingTest({ ending, old, fresh }: Kind, inOld: number, inNew: number): RawTest {
  return {
    test: 'endings',
    metric: null,
    ending,
    against: 'old runs',
    n_old: inOld,
    n_new: inNew,
    p: null,
    at: null,
    seen: fresh / inNew,
    expected: old / inOld,
    p_value: twoSided(sharedShareTails(fresh, inNew, old, inOld)),
    not_judged: null,
    alarmsAt: (level) => shareAlarms(level, inNew, old, inOld),
    canAlarm: (level) => smallestP(old + fresh, inOld, inNew) <= level,
  };
}

function whyNot(kinds: readonly Kind[], inOld: number, inNew: number): string {
  if (Math.min(inOld, inNew) < FEWEST_RUNS) return `fewer than ${FEWEST_RUNS} runs on one side`;
  if (kinds.length < 2) return 'all runs of both sets end in one way';
  return 'nearly all runs end in one way, and too few in others to tell';
}

function arrange(kinds: readonly Kind[], inOld: number, inNew: number): Arranged {
  if (Math.min(inOld, inNew) < FEWEST_RUNS || kinds.length < 2) {
    return { byItself: [], rare: kinds, isRareTested: false, tested: [] };
  }
  const isFrequent = ({ old, fresh }: Kind): boolean => smallestP(old + fresh, inOld, inNew) <= RAREST_P;
  const [byItself, rare] = [kinds.filter(isFrequent), kinds.filter((kind) => !isFrequent(kind))];
  const others = rare.length > 1 ? [together(rare)].filter(isFrequent) : [];
  const tested = [...byItself, ...others];
  const isWhole = tested.length === 2 && tested.reduce((sum, { old, fresh }) => sum + old + fresh, 0) === inOld + inNew;
  // Of two that are all there are, one is what the other is not.
  return { byItself, rare, isRareTested: others.length > 0, tested: isWhole ? [theTelling(byItself)] : tested };
}

/** The good ending says most to a reader; else the rarer one, which is the exception. */
function theTelling(kinds: readonly Kind[]): Kind {
  return kinds.find(({ ending }) => ending === 'done_verified') ?? (kinds.at(-1) as Kind);
}

/** The smallest p that so many runs of one ending can come to, however they lie in the two sets. */
function smallestP(count: number, inOld: number, inNew: number): number {
  const [most, least] = [Math.min(count, inNew), Math.max(0, count - inOld)];
  const { atLeast } = sharedShareTails(most, inNew, count - most, inOld);
  const { atMost } = sharedShareTails(least, inNew, count - least, inOld);
  return Math.min(1, 2 * atLeast, 2 * atMost);
}

function together(kinds: readonly Kind[]): Kind {
  return {
    ending: RARE_ENDINGS,
    old: kinds.reduce((sum, { old }) => sum + old, 0),
    fresh: kinds.reduce((sum, { fresh }) => sum + fresh, 0),
  };
}

function kindsOf(old: EndingCounts, fresh: EndingCounts): Kind[] {
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((ending) => ({ ending, old: old.get(ending) ?? 0, fresh: fresh.get(ending) ?? 0 }))
    .sort((x, y) => y.old + y.fresh - (x.old + x.fresh) || (x.ending < y.ending ? -1 : 1));
}

function total(counts: EndingCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
