import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import type { OutcomeCount } from '../calibrate/questions.js';
import { METRICS } from '../model/limits.js';
import { isPassedUnfinishedEnding } from '../model/measure.js';
import type { Policy } from '../policy/policy.js';
import { NO_LABEL, openStops, openTally, type SpendTally, type Tally } from './tally.js';

/** A tally of runs that were counted in classes elsewhere: what `addOutcome` does run by run. */
export function tallyOfClasses(
  classes: Iterable<OutcomeCount>,
  policy: Policy,
  population: PopulationOptions,
  labels: readonly string[],
): Tally {
  const tally = openTally(policy);
  for (const each of classes) addClass(tally, each, population, labels);
  return tally;
}

function addClass(tally: Tally, each: OutcomeCount, population: PopulationOptions, labels: readonly string[]): void {
  const { runs, stop } = each;
  const good = endsInPopulation(each, population);
  tally.runs += runs;
  if (good) tally.verified += runs;
  if (good && isPassedUnfinishedEnding(each)) tally.passedUnfinished += runs;
  tally.byStatus[stop === null ? each.status : 'stopped_budget'] += runs;
  if (each.claim !== null) tally.byClaim[each.claim] += runs;
  if (stop !== null) addStops(tally, each, stop, labels);
  else if (each.status === 'stopped_budget') increase(tally.recordedByReason, each.reason ?? 'unknown', runs);
  if (each.isCensored) {
    tally.censored += runs;
    if (!good) tally.censoredOpen += runs;
  }
  if (each.isApproximate) tally.approximateRuns += runs;
  if (each.isPerhaps) {
    tally.perhapsStopped += runs;
    if (good && stop === null) tally.perhapsFalseStops += runs;
  }
  if (each.isAsked) tally.asked += runs;
  if (each.isUnjudged) {
    tally.unseen += runs;
    if (stop === null) {
      tally.unjudged += runs;
      if (good && !each.isPerhaps) tally.unjudgedVerified += runs;
    }
  }
  for (const name of each.notJudged) increase(tally.notJudged, name, runs);
  for (const metric of METRICS) addSpend(tally.spend[metric], metric, each, good);
  if (each.isZeroPass) tally.zeroPass += runs;
  else if (!each.hasPasses) tally.hidden += runs;
  if (each.lacksArguments) tally.lackingArguments += runs;
  const { longestStreak: streak } = each;
  if (streak === null) return;
  tally.longestStreak.all = Math.max(tally.longestStreak.all ?? 0, streak);
  if (good) tally.longestStreak.verified = Math.max(tally.longestStreak.verified ?? 0, streak);
}

function addStops(
  tally: Tally,
  { runs, labels: values }: OutcomeCount,
  { reason, afterPasses }: NonNullable<OutcomeCount['stop']>,
  labels: readonly string[],
): void {
  const stops = tally.byReason.get(reason) ?? openStops();
  tally.byReason.set(reason, stops);
  for (let run = 0; run < runs; run++) stops.afterPasses.push(afterPasses);
  for (const label of labels) {
    const counts = stops.byLabel.get(label) ?? new Map<string, number>();
    stops.byLabel.set(label, counts);
    increase(counts, values[label] ?? NO_LABEL, runs);
  }
}

function addSpend(spend: SpendTally, metric: (typeof METRICS)[number], each: OutcomeCount, good: boolean): void {
  const most = each.maxBill[metric];
  if (most !== null) spend.maxBill = Math.max(spend.maxBill ?? 0, most);
  if (!each.knows[metric]) return;
  spend.knownRuns += each.runs;
  if (metric === 'passes' || !each.isZeroPass) spend.tellingRuns += each.runs;
  spend.recorded.addSum(each.recorded[metric]);
  spend.replayed.addSum(each.replayed[metric]);
  spend.replayedAtLeast.addSum(each.replayedAtLeast[metric]);
  if (!good) spend.unverified.addSum(each.recorded[metric]);
}

function increase(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
