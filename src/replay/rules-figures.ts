import { isInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { METRICS, type Metric, perMetric } from '../model/limits.js';
import { isZeroPass, passAmount, runTotal } from '../model/measure.js';
import type { Run } from '../model/run.js';
import { clopperPearson } from '../stats/interval.js';
import { median } from '../stats/summary.js';
import type { RuleFigures, Saved } from './rules-result.js';
import { shareOf, sumInUnits } from './spend.js';

/** What every rule's tally asks of one run, worked out once. */
export interface RunFacts {
  readonly good: boolean;
  /** Figures of the whole run in atoms. */
  readonly whole: Readonly<Record<Metric, number | null>>;
  readonly madeCalls: boolean;
  /** What was used after so many passes; `null` where a pass before does not say. */
  usedAt(metric: Metric, passes: number): number | null;
}

export function factsOf(run: Run, population: PopulationOptions): RunFacts {
  const whole = perMetric((metric) => runTotal(run, metric));
  const used: { [metric in Metric]?: (number | null)[] } = {};
  return {
    good: isInPopulation(run, population),
    whole,
    madeCalls: !isZeroPass(run),
    usedAt(metric, passes) {
      used[metric] ??= runningTotals(run, metric);
      // A run that used nothing had used nothing by then.
      return used[metric][passes] ?? (whole[metric] === 0 ? 0 : null);
    },
  };
}

/** What was used at each boundary; `null` from the first pass on that does not say. */
function runningTotals(run: Run, metric: Metric): (number | null)[] {
  let used: number | null = 0;
  const totals: (number | null)[] = [used];
  for (const pass of run.passes ?? []) {
    const amount = passAmount(pass, metric);
    used = used === null || amount === null ? null : used + amount;
    totals.push(used);
  }
  return totals;
}

/** What the runs used as recorded: the same for every rule. */
export interface RecordedTally {
  runs: number;
  verified: number;
  readonly spend: Readonly<Record<Metric, { sum: bigint; knownRuns: number; tellingRuns: number }>>;
}

export function openRecorded(): RecordedTally {
  return { runs: 0, verified: 0, spend: perMetric(() => ({ sum: 0n, knownRuns: 0, tellingRuns: 0 })) };
}

export function addRecorded(tally: RecordedTally, facts: RunFacts): void {
  tally.runs++;
  if (facts.good) tally.verified++;
  for (const metric of METRICS) {
    const amount = facts.whole[metric];
    if (amount === null) continue;
    const spend = tally.spend[metric];
    spend.sum += BigInt(amount);
    spend.knownRuns++;
    if (metric === 'passes' || facts.madeCalls) spend.tellingRuns++;
  }
}

/** What one rule, or the rules of one policy, did to the runs. */
export interface RuleTally {
  falseStops: number;
  notJudged: number;
  /** After how many passes each run was stopped that is no verified success. */
  readonly catches: number[];
  readonly saved: Record<Metric, SavedTally>;
}

/** What was not spent, over the stops for which that is known; the others leave the sum of all runs as well. */
interface SavedTally {
  sum: bigint;
  knownStops: number;
  unknownStops: number;
  /** Runs whose total is known while what they had used at the stop is not, and these totals. */
  openRuns: number;
  openSpend: bigint;
}

export function openRules(): RuleTally {
  return { falseStops: 0, notJudged: 0, catches: [], saved: perMetric(openSaved) };
}

function openSaved(): SavedTally {
  return { sum: 0n, knownStops: 0, unknownStops: 0, openRuns: 0, openSpend: 0n };
}

/** @param afterPasses where the run is stopped; `null`: not at all */
export function addStop(tally: RuleTally, facts: RunFacts, afterPasses: number | null, judged: boolean): void {
  if (!judged) tally.notJudged++;
  if (afterPasses === null) return;
  if (facts.good) tally.falseStops++;
  else tally.catches.push(afterPasses);
  for (const metric of METRICS) addSaved(tally.saved[metric], facts.whole[metric], facts.usedAt(metric, afterPasses));
}

function addSaved(saved: SavedTally, whole: number | null, used: number | null): void {
  if (whole !== null && used !== null) {
    saved.knownStops++;
    saved.sum += BigInt(whole) - BigInt(used);
    return;
  }
  saved.unknownStops++;
  if (whole === null) return;
  saved.openRuns++;
  saved.openSpend += BigInt(whole);
}

export function figuresOf(tally: RuleTally, recorded: RecordedTally): RuleFigures {
  return {
    false_stops: falseStops(tally.falseStops, recorded.verified),
    caught: tally.catches.length,
    median_catch: median(tally.catches),
    saved: perMetric((metric) => savedOf(metric, tally.saved[metric], recorded)),
    not_judged: tally.notJudged,
  };
}

function falseStops(count: number, verified: number): RuleFigures['false_stops'] {
  if (verified === 0) return { count, rate: null, ci95: null };
  const { low, high } = clopperPearson(count, verified);
  return { count, rate: count / verified, ci95: [low, high] };
}

/** `null` where no run tells the metric, or no stopped run tells what it had used by then. */
function savedOf(metric: Metric, saved: SavedTally, { spend }: RecordedTally): Saved | null {
  const { sum, knownRuns, tellingRuns } = spend[metric];
  if (tellingRuns === 0 || (saved.unknownStops > 0 && saved.knownStops === 0)) return null;
  const recorded = sum - saved.openSpend;
  return {
    amount: sumInUnits(metric, saved.sum),
    share: recorded === 0n ? null : shareOf(saved.sum, recorded),
    known_runs: knownRuns - saved.openRuns,
    unknown_stops: saved.unknownStops,
  };
}
