import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { type ExactSum, exactSum } from '../model/exact-sum.js';
import { figuresOf, type RunFigures } from '../model/figures.js';
import { LIMITS, type Metric } from '../model/limits.js';
import { isPassedUnfinishedEnding } from '../model/measure.js';
import type { Run } from '../model/run.js';
import { CLAIMS, type Claim, STATUSES, type Status } from '../model/status.js';
import type { Policy } from '../policy/policy.js';
import { trackStreak } from '../policy/repeat.js';
import { lacksArguments } from './arguments.js';
import type { Outcome } from './replay.js';
import type { FalseStop } from './result.js';

/** Exact sums of one metric, in atoms, over the runs for which it is known: beyond 2^53 in large sets. */
export interface SpendTally {
  readonly recorded: ExactSum;
  readonly replayed: ExactSum;
  /** What is left if every run that may have been stopped was, as early as can be. */
  readonly replayedAtLeast: ExactSum;
  /** The part of `recorded` that went to runs outside the population. */
  readonly unverified: ExactSum;
  knownRuns: number;
  /** Known runs that made a model call: a run without any spends nothing, which says nothing of the metric. */
  tellingRuns: number;
  maxBill: number | null;
  readonly overshoots: number[];
}

/** Stops that the replay makes for one reason. */
export interface StopTally {
  readonly afterPasses: number[];
  /** Counts by label name, then by value. */
  readonly byLabel: Map<string, Map<string, number>>;
}

/** Everything that is counted while outcomes pass by; turned into a report at the end. */
export interface Tally {
  runs: number;
  verified: number;
  passedUnfinished: number;
  readonly falseStops: FalseStop[];
  readonly byStatus: Record<Status, number>;
  readonly byReason: Map<string, StopTally>;
  readonly recordedByReason: Map<string, number>;
  readonly byClaim: Record<Claim, number>;
  readonly spend: Record<Metric, SpendTally>;
  censored: number;
  /** Censored runs that are no verified success as recorded: their future is open. */
  censoredOpen: number;
  /** Verified successes that may have been stopped, known only in total. */
  perhapsFalseStops: number;
  perhapsStopped: number;
  /** Runs that the policy does not stop for sure, and that a cap of it could not judge. */
  unjudged: number;
  /** Verified successes among them that no limit known in total may have stopped either way. */
  unjudgedVerified: number;
  /** Runs that a cap of the policy could not judge and may have stopped, or earlier than it was. */
  unseen: number;
  /** Runs of two passes or more, or of nobody knows how many: no cap stops the others. */
  asked: number;
  approximateRuns: number;
  zeroPass: number;
  /** Runs with passes of which none was recorded by itself. */
  hidden: number;
  lackingArguments: number;
  readonly notJudged: Map<string, number>;
  longestStreak: { verified: number | null; all: number | null };
}

/** An empty tally; the policy's own limits and rules are listed even when they never fire. */
export function openTally(policy: Policy): Tally {
  const reasons = [
    ...LIMITS.filter((limit) => policy.caps[limit] !== undefined),
    ...policy.rules.map((rule) => rule.name),
  ];
  return {
    runs: 0,
    verified: 0,
    passedUnfinished: 0,
    falseStops: [],
    byStatus: zeros(STATUSES),
    byReason: new Map(reasons.map((reason) => [reason, openStops()])),
    recordedByReason: new Map(reasons.map((reason) => [reason, 0])),
    byClaim: zeros(CLAIMS),
    spend: { passes: openSpend(), tokens: openSpend(), seconds: openSpend(), usd: openSpend() },
    censored: 0,
    censoredOpen: 0,
    perhapsFalseStops: 0,
    perhapsStopped: 0,
    unjudged: 0,
    unjudgedVerified: 0,
    unseen: 0,
    asked: 0,
    approximateRuns: 0,
    zeroPass: 0,
    hidden: 0,
    lackingArguments: 0,
    notJudged: new Map(reasons.map((reason) => [reason, 0])),
    longestStreak: { verified: null, all: null },
  };
}

function zeros<Word extends string>(words: readonly Word[]): Record<Word, number> {
  return Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>;
}

export function openStops(): StopTally {
  return { afterPasses: [], byLabel: new Map() };
}

function openSpend(): SpendTally {
  return {
    recorded: exactSum(),
    replayed: exactSum(),
    replayedAtLeast: exactSum(),
    unverified: exactSum(),
    knownRuns: 0,
    tellingRuns: 0,
    maxBill: null,
    overshoots: [],
  };
}

/** What a tally asks of a run, worked out once for all policies. */
export interface Counted extends RunFigures {
  /** The longest streak of identical calls; `null` where passes were not recorded. */
  readonly streak: number | null;
  /** Whether rules that compare arguments see every call of a tool as the same. */
  readonly lacksArguments: boolean;
}

export function countedOf(run: Run): Counted {
  return { ...figuresOf(run), streak: streakOf(run), lacksArguments: lacksArguments(run) };
}

function streakOf(run: Run): number | null {
  if (run.passes === null) return null;
  const tracker = trackStreak('call');
  for (const pass of run.passes) for (const call of pass.calls) tracker.observe(call);
  return tracker.count;
}

/** Counts one run and what the policy did to it. `labels`: the label names that stops are split by. */
export function addOutcome(
  tally: Tally,
  run: Counted,
  outcome: Outcome,
  population: PopulationOptions,
  labels: readonly string[],
): void {
  const good = endsInPopulation(run, population);
  const { stop } = outcome;
  tally.runs++;
  if (good) tally.verified++;
  if (good && isPassedUnfinishedEnding(run)) tally.passedUnfinished++;
  tally.byStatus[stop === null ? run.status : 'stopped_budget']++;
  if (run.claim !== null) tally.byClaim[run.claim]++;
  if (stop !== null) addStop(tally, run, stop, good, labels);
  else if (run.status === 'stopped_budget') increment(tally.recordedByReason, run.reason ?? 'unknown');
  if (outcome.censored) {
    tally.censored++;
    if (!good) tally.censoredOpen++;
  }
  if (outcome.approximate) tally.approximateRuns++;
  if (outcome.maybe.length > 0) {
    tally.perhapsStopped++;
    if (good && stop === null) tally.perhapsFalseStops++;
  }
  if ((run.whole.passes ?? 2) > 1) tally.asked++;
  if (outcome.unjudged) tally.unseen++;
  if (outcome.unjudged && stop === null) {
    tally.unjudged++;
    if (good && outcome.maybe.length === 0) tally.unjudgedVerified++;
  }
  for (const name of outcome.notJudged) increment(tally.notJudged, name);
  // Each by its name: looked up by a name that varies they take twice the time of all the rest.
  const { spend } = tally;
  const { whole } = run;
  const { end, endAtLeast } = outcome;
  addSpend(spend.passes, whole.passes, end.passes, endAtLeast.passes, true, good);
  addSpend(spend.tokens, whole.tokens, end.tokens, endAtLeast.tokens, !run.isZeroPass, good);
  addSpend(spend.seconds, whole.seconds, end.seconds, endAtLeast.seconds, !run.isZeroPass, good);
  addSpend(spend.usd, whole.usd, end.usd, endAtLeast.usd, !run.isZeroPass, good);
  if (run.isZeroPass) tally.zeroPass++;
  else if (run.streak === null) tally.hidden++;
  if (run.lacksArguments) tally.lackingArguments++;
  if (run.streak !== null) addStreak(tally, run.streak, good);
}

function addStop(
  tally: Tally,
  run: Counted,
  stop: NonNullable<Outcome['stop']>,
  good: boolean,
  labels: readonly string[],
): void {
  if (good) tally.falseStops.push({ id: run.id, reason: stop.reason, after_passes: stop.afterPasses });
  const stops = tally.byReason.get(stop.reason) ?? openStops();
  tally.byReason.set(stop.reason, stops);
  stops.afterPasses.push(stop.afterPasses);
  for (const label of labels) {
    const values = stops.byLabel.get(label) ?? new Map<string, number>();
    stops.byLabel.set(label, values);
    increment(values, run.labels.get(label) ?? NO_LABEL);
  }
  if (stop.limit !== null && stop.limit !== 'passes' && stop.limit !== 'steps') {
    tally.spend[stop.limit].overshoots.push(stop.counter - stop.cap);
  }
}

/** How a run without the label is called where stops are split by it. */
export const NO_LABEL = '(none)';

/** @param isTelling whether a run that spends nothing says something of the metric */
function addSpend(
  spend: SpendTally,
  recorded: number | null,
  replayed: number | null,
  replayedAtLeast: number | null,
  isTelling: boolean,
  good: boolean,
): void {
  if (replayed !== null && isTelling && replayed > (spend.maxBill ?? -1)) spend.maxBill = replayed;
  if (recorded === null || replayed === null) return;
  spend.knownRuns++;
  if (isTelling) spend.tellingRuns++;
  spend.recorded.add(recorded);
  spend.replayed.add(replayed);
  spend.replayedAtLeast.add(replayedAtLeast ?? replayed);
  if (!good) spend.unverified.add(recorded);
}

function addStreak({ longestStreak }: Tally, streak: number, good: boolean): void {
  longestStreak.all = Math.max(longestStreak.all ?? 0, streak);
  if (good) longestStreak.verified = Math.max(longestStreak.verified ?? 0, streak);
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
