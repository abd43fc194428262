import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { fromAtoms } from '../model/atoms.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import type { ReplayReport } from '../replay/result.js';
import { openSimulation } from '../replay/simulate.js';
import { NO_LABEL } from '../replay/tally.js';
import { FATES, type Fate, fateOf } from './fates.js';
import type { Replayer } from './replayer.js';

/** A run that the policy stops. */
export interface CutRun {
  /** Its place in the table. */
  readonly index: number;
  readonly id: string;
  readonly isGood: boolean;
  readonly reason: string;
  readonly afterPasses: number;
}

/** Spend of all runs of one fate, in the metric's own unit, before and after. */
export interface FateSpend {
  readonly fate: Fate;
  readonly runs: number;
  readonly recorded: number;
  readonly replayed: number;
}

/** What a policy does to the runs of the page. */
export interface Figures {
  readonly replay: ReplayReport;
  /** Fates that some run has whose spend is known. */
  readonly spend: readonly FateSpend[];
  /** Runs that are stopped, good ones first, in the order of the table. */
  readonly cut: readonly CutRun[];
  /** Stops by reason, then by the value of the label that splits them. */
  readonly stops: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** What the figures of a page are taken of. */
export interface Asked {
  readonly population: PopulationOptions;
  /** `null`: stops are not split. */
  readonly label: string | null;
  /** What is spent. */
  readonly metric: Metric;
}

/** Replays the runs under a policy: one walk, for everything that the page shows. */
export function figuresUnder(replayer: Replayer, policy: Policy, { population, label, metric }: Asked): Figures {
  const simulation = openSimulation([policy], population);
  const spend = new Map<Fate, { runs: number; recorded: number; replayed: number }>();
  const good: CutRun[] = [];
  const others: CutRun[] = [];
  const stops = new Map<string, Map<string, number>>();
  replayer.replay(policy, ({ index, counted }, outcome) => {
    simulation.see({ counted, outcomes: [outcome] });
    const { stop, end } = outcome;
    const isGood = endsInPopulation(counted, population);
    if (stop !== null) {
      const { reason, afterPasses } = stop;
      (isGood ? good : others).push({ index, id: counted.id, isGood, reason, afterPasses });
      addStop(stops, reason, label === null ? ALL : (counted.labels.get(label) ?? NO_LABEL));
    }
    const [recorded, replayed] = [counted.whole[metric], end[metric]];
    if (recorded === null || replayed === null) return;
    const fate = fateOf(counted, isGood, stop !== null);
    const sums = spend.get(fate) ?? { runs: 0, recorded: 0, replayed: 0 };
    spend.set(fate, sums);
    sums.runs++;
    sums.recorded += recorded;
    sums.replayed += replayed;
  });
  return {
    replay: simulation.finish()[0] as ReplayReport,
    spend: FATES.flatMap((fate): FateSpend[] => {
      const sums = spend.get(fate);
      if (sums === undefined) return [];
      const { runs, recorded, replayed } = sums;
      return [{ fate, runs, recorded: fromAtoms(metric, recorded), replayed: fromAtoms(metric, replayed) }];
    }),
    cut: [...good, ...others],
    stops,
  };
}

/** The one value where stops are not split. */
export const ALL = 'all runs';

function addStop(stops: Map<string, Map<string, number>>, reason: string, value: string): void {
  const values = stops.get(reason) ?? new Map<string, number>();
  stops.set(reason, values);
  values.set(value, (values.get(value) ?? 0) + 1);
}

/** What is spent, where nobody says otherwise: tokens where they are known, else dollars, else time, else passes. */
export function spentIn(replay: ReplayReport): Metric {
  return (['tokens', 'usd', 'seconds'] as const).find((metric) => replay.spend[metric] !== null) ?? 'passes';
}

/** The metrics that some run tells. */
export function knownMetrics(replay: ReplayReport): Metric[] {
  return METRICS.filter((metric) => replay.spend[metric] !== null);
}

/** Runs that the policy stops. */
export function stopsIn(replay: ReplayReport): number {
  return Object.values(replay.by_reason).reduce((sum, { count }) => sum + count, 0);
}
