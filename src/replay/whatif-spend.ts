import { ATOMS_PER_UNIT, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { percentileInterval, resampleSums } from '../stats/bootstrap.js';
import { seededRng } from '../stats/rng.js';
import type { Counted } from './tally.js';
import type { PairedSpend } from './whatif-pair.js';
import type { SpendInterval } from './whatif-result.js';

/** Fewer clusters, or runs, than this say too little about others to be resampled. */
export const FEWEST_CLUSTERS = 10;

/** Spend by cluster, under today's policy and each candidate, over the runs for which it is known. */
export interface ClusterBook {
  /** @param spends in atoms: today's, then each candidate's */
  add(run: Pick<Counted, 'labels'>, spends: readonly number[]): void;
  close(): ClusterSpend;
}

export interface ClusterSpend {
  readonly label: string | null;
  readonly count: number;
  readonly runs: number;
  /** By cluster: runs, today's spend, and each candidate's, in atoms. */
  readonly columns: readonly (readonly number[])[];
}

/** @param label whose values name the clusters; a run without it is a cluster of its own, as all are for `null` */
export function openClusters(label: string | null, policies: number): ClusterBook {
  const places = new Map<string, number>();
  const columns: number[][] = Array.from({ length: policies + 1 }, () => []);
  let runs = 0;
  const placeOf = (value: string | undefined): number => {
    const known = value === undefined ? undefined : places.get(value);
    if (known !== undefined) return known;
    const place = columns[0]?.length ?? 0;
    if (value !== undefined) places.set(value, place);
    for (const column of columns) column.push(0);
    return place;
  };
  return {
    add(run, spends) {
      const place = placeOf(label === null ? undefined : run.labels.get(label));
      for (const [index, column] of columns.entries()) {
        column[place] = (column[place] as number) + (index === 0 ? 1 : (spends[index - 1] as number));
      }
      runs++;
    },
    close: () => ({ label, count: columns[0]?.length ?? 0, runs, columns }),
  };
}

/** How resamples are drawn. */
export interface DrawOptions {
  readonly seed: number;
  readonly resamples: number;
}

/**
 * The bootstrap of every candidate's spend against today's, all on the same resamples of whole clusters.
 *
 * @param pairs of the candidates, in the order of the columns
 * @param isInexact by candidate: whether the recording leaves its difference open
 */
export function spendIntervals(
  metric: Metric,
  clusters: ClusterSpend,
  pairs: readonly PairedSpend[],
  isInexact: readonly boolean[],
  { seed, resamples }: DrawOptions,
): SpendInterval[] {
  const reasons = pairs.map((pair, index) => whyNone(clusters, pair, isInexact[index] === true));
  const drawn = reasons.every((reason) => reason !== null)
    ? []
    : resampleSums(clusters.columns, resamples, seededRng(seed));
  return pairs.map(({ changedRuns }, index) => {
    const reason = reasons[index] as string | null;
    const none = { metric, relative_ci95: null, change_ci95: null, changed_runs: changedRuns };
    if (reason !== null) return { ...none, no_interval: reason };
    const [runs, today, candidate] = [drawn[0], drawn[1], drawn[index + 2]] as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const perRun = candidate.map((sum, draw) => (sum - (today[draw] as number)) / (runs[draw] as number));
    const change = intervalOf(perRun.map((each) => (each * clusters.runs) / ATOMS_PER_UNIT[metric]));
    if (change === null) return { ...none, no_interval: 'every resample gives the same figure' };
    const isDefined = today.every((sum) => sum > 0);
    const relative = isDefined ? intervalOf(candidate.map((sum, draw) => sum / (today[draw] as number) - 1)) : null;
    return { ...none, relative_ci95: relative, change_ci95: change, no_interval: null };
  });
}

/** `null` also where both ends are one. */
function intervalOf(values: Float64Array): [number, number] | null {
  const interval = percentileInterval(values);
  // A difference of zero that was taken the other way round is zero all the same.
  return interval === null || interval.low === interval.high ? null : [interval.low + 0, interval.high + 0];
}

function whyNone({ label, count }: ClusterSpend, pair: PairedSpend, isInexact: boolean): string | null {
  if (isInexact) return 'the recording leaves the difference itself open';
  if (pair.changedRuns === 0) return 'no run spends more or less';
  if (count >= FEWEST_CLUSTERS) return null;
  return label === null
    ? `${plural(count, 'run')} with known spend, and resampling needs ${FEWEST_CLUSTERS}`
    : `${plural(count, 'cluster')} by ${label}, and resampling needs ${FEWEST_CLUSTERS}`;
}
