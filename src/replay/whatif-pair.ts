import { exactSum } from '../model/exact-sum.js';
import { LIMITS, METRICS, type Metric } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import type { Outcome, Stop } from './replay.js';
import type { Counted } from './tally.js';
import type { Mover, Movers, Relation } from './whatif-result.js';

/** Differences of one metric in atoms, candidate less today, over the runs for which it is known. */
export interface PairedSpend {
  /** Of the figures that the replays count. */
  readonly counted: bigint;
  /** Lowest and highest that the recording allows, run by run; `null`: open. */
  readonly low: bigint | null;
  readonly high: bigint | null;
  readonly changedRuns: number;
}

/** What becomes of the same runs under two policies. */
export interface Paired {
  readonly newlyStopped: Movers;
  readonly released: Movers;
  readonly earlier: number;
  readonly later: number;
  /** Runs that a cap of either policy, or a rule that is not the same in both, could not judge. */
  readonly unseen: number;
  /** Fewest and most false stops that the candidate makes beyond today's, among the runs recorded as verified. */
  readonly falseStops: readonly [low: number, high: number];
  /** Fewest and most verified successes that are not stopped today and are by the candidate, and the other way round. */
  readonly lost: readonly [low: number, high: number];
  readonly regained: readonly [low: number, high: number];
  /** Fewest and most verified successes that finish beyond today's: a censored run may become one. */
  readonly finished: readonly [low: number, high: number];
  readonly spend: { readonly [metric in Metric]: PairedSpend };
}

/** Looks at runs under two policies, one run at a time. */
export interface PairWatch {
  see(run: Counted, verified: boolean, today: Outcome, candidate: Outcome): void;
  finish(): Paired;
}

/** What a figure of one run can be. */
type Range = readonly [low: number, high: number];

/** @param relation of the candidate to today's policy: where one is sure to be stricter, no run moves the other way */
export function watchPair(today: Policy, candidate: Policy, relation: Relation): PairWatch {
  const newlyStopped = collectMovers();
  const released = collectMovers();
  const moved = { earlier: 0, later: 0, unseen: 0 };
  const falseStops: [low: number, high: number] = [0, 0];
  const finished: [low: number, high: number] = [0, 0];
  const lost: [low: number, high: number] = [0, 0];
  const regained: [low: number, high: number] = [0, 0];
  const spend = Object.fromEntries(METRICS.map((metric) => [metric, watchSpend()])) as {
    [metric in Metric]: ReturnType<typeof watchSpend>;
  };
  const changed = changedRules(today, candidate);
  return {
    see(run, verified, before, after) {
      if (before.stop === null && after.stop !== null) newlyStopped.add(run, verified, after.stop);
      if (before.stop !== null && after.stop === null) released.add(run, verified, before.stop);
      if (before.stop !== null && after.stop !== null) {
        const passes = after.stop.afterPasses - before.stop.afterPasses;
        if (passes < 0) moved.earlier++;
        if (passes > 0) moved.later++;
      }
      const unseen = [...before.notJudged, ...after.notJudged].some((name) => changed.has(name));
      const isSettled = relation === 'same' || isSameFate(today, candidate, before, after);
      const add = (sum: [number, number], of: (outcome: Outcome) => Range, bound: Relation): void => {
        if (isSettled) return;
        const [low, high] = clamp(difference(of(after), of(before)), bound);
        sum[0] += low;
        sum[1] += high;
      };
      if (!isSettled) {
        if (unseen || before.unjudged || after.unjudged) moved.unseen++;
        const [was, is] = [falseStopRange(verified, before, unseen), falseStopRange(verified, after, unseen)];
        if (relation !== 'looser') addCrossing(lost, was, is);
        if (relation !== 'stricter') addCrossing(regained, is, was);
      }
      add(falseStops, (outcome) => falseStopRange(verified, outcome, unseen), relation);
      add(finished, (outcome) => finishRange(verified, outcome, unseen), OPPOSITE[relation]);
      for (const metric of METRICS) {
        const [recorded, used, uses] = [run.whole[metric], before.end[metric], after.end[metric]];
        if (recorded === null || used === null || uses === null) continue;
        const range = isSettled
          ? ([0, 0] as const)
          : // A stricter policy spends no more on any run, as it makes no fewer false stops.
            clamp(
              difference(spendRange(metric, after, unseen), spendRange(metric, before, unseen)),
              OPPOSITE[relation],
            );
        spend[metric].add(uses - used, range);
      }
    },
    finish: () => ({
      newlyStopped: newlyStopped.list(),
      released: released.list(),
      ...moved,
      falseStops,
      lost,
      regained,
      finished,
      spend: Object.fromEntries(METRICS.map((metric) => [metric, spend[metric].sums()])) as Paired['spend'],
    }),
  };
}

const OPPOSITE: Readonly<Record<Relation, Relation>> = {
  same: 'same',
  stricter: 'looser',
  looser: 'stricter',
  mixed: 'mixed',
};

function collectMovers(): { add(run: Counted, verified: boolean, stop: Stop): void; list(): Movers } {
  const [good, others]: [Mover[], Mover[]] = [[], []];
  return {
    add(run, verified, { reason, afterPasses }) {
      const mover = { id: run.id, verified, recorded: run.status, reason, after_passes: afterPasses };
      (verified ? good : others).push(mover);
    },
    list: () => ({ count: good.length + others.length, verified: good.length, runs: [...good, ...others] }),
  };
}

/** Whether what is not known of a run is the same under both: stopped alike, or perhaps, and by the same caps. */
function isSameFate(today: Policy, candidate: Policy, before: Outcome, after: Outcome): boolean {
  if (before.censored || after.censored) return false;
  if (!before.notJudged.every((name) => after.notJudged.includes(name) && isSameLimit(today, candidate, name)))
    return false;
  if (before.notJudged.length !== after.notJudged.length) return false;
  if (before.stop?.reason !== after.stop?.reason || before.stop?.afterPasses !== after.stop?.afterPasses) return false;
  return LIMITS.every(
    (limit) =>
      before.maybe.includes(limit) === after.maybe.includes(limit) &&
      (!before.maybe.includes(limit) || today.caps[limit] === candidate.caps[limit]),
  );
}

/** Names of the rules that are not the same in both: where one lacks what it looks at, it may stop a run or not. */
function changedRules(today: Policy, candidate: Policy): ReadonlySet<string> {
  const names = [...today.rules, ...candidate.rules].map(({ name }) => name);
  return new Set(names.filter((name) => !isSameLimit(today, candidate, name)));
}

/** Whether a cap or rule, by its name, is the same in both policies. */
export function isSameLimit(today: Policy, candidate: Policy, name: string): boolean {
  const of = ({ caps, rules, stepsAt }: Policy): string =>
    JSON.stringify([
      LIMITS.filter((limit) => limit === name).map((limit) => caps[limit]),
      rules.filter((rule) => rule.name === name),
      stepsAt,
    ]);
  return of(today) === of(candidate);
}

/** Whether a run is a false stop: 0, 1, or either. */
function falseStopRange(verified: boolean, outcome: Outcome, unseen: boolean): Range {
  if (!verified) return [0, 0];
  return outcome.stop !== null ? [1, 1] : [0, unseen || mayBeStopped(outcome) ? 1 : 0];
}

function mayBeStopped({ maybe, unjudged }: Outcome): boolean {
  return maybe.length > 0 || unjudged;
}

/** Adds a run that is not stopped on one side and is on the other: for sure, and perhaps. */
function addCrossing(sum: [number, number], [least, most]: Range, [leastAfter, mostAfter]: Range): void {
  if (most === 0 && leastAfter === 1) sum[0]++;
  if (least === 0 && mostAfter === 1) sum[1]++;
}

/** Whether a run is a verified success that finishes, as the bounds of a replay count it: a censored one may be. */
function finishRange(verified: boolean, outcome: Outcome, unseen: boolean): Range {
  if (!verified) return [0, outcome.censored ? 1 : 0];
  return outcome.stop !== null ? [0, 0] : [unseen || mayBeStopped(outcome) ? 0 : 1, 1];
}

/** What a run spends: a censored one would have gone on, by an amount that no recording tells. */
function spendRange(metric: Metric, { end, endAtLeast, censored }: Outcome, unseen: boolean): Range {
  const most = end[metric] ?? 0;
  const least = unseen ? Math.min(most, metric === 'passes' ? 1 : 0) : (endAtLeast[metric] ?? most);
  return [least, censored ? Number.POSITIVE_INFINITY : most];
}

function difference([low, high]: Range, [otherLow, otherHigh]: Range): Range {
  return [low - otherHigh, high - otherLow];
}

/** `stricter`: nothing below zero; `looser`: nothing above. */
function clamp([low, high]: Range, relation: Relation): Range {
  if (relation === 'stricter') return [Math.max(0, low), Math.max(0, high)];
  if (relation === 'looser') return [Math.min(0, low), Math.min(0, high)];
  return [low, high];
}

function watchSpend(): { add(counted: number, range: Range): void; sums(): PairedSpend } {
  const [counted, low, high] = [signedSum(), signedSum(), signedSum()];
  const open = { low: false, high: false };
  let changedRuns = 0;
  return {
    add(value, [least, most]) {
      if (value !== 0) changedRuns++;
      counted.add(value);
      if (least === Number.NEGATIVE_INFINITY) open.low = true;
      else low.add(least);
      if (most === Number.POSITIVE_INFINITY) open.high = true;
      else high.add(most);
    },
    sums: () => ({
      counted: counted.total(),
      low: open.low ? null : low.total(),
      high: open.high ? null : high.total(),
      changedRuns,
    }),
  };
}

/** An exact sum of whole numbers of either sign. */
function signedSum(): { add(value: number): void; total(): bigint } {
  const [up, down] = [exactSum(), exactSum()];
  return {
    add(value) {
      if (value < 0) down.add(-value);
      else up.add(value);
    },
    total: () => up.total() - down.total(),
  };
}
