import { DERIVE_DEFAULTS, type DeriveOptions } from '../calibrate/options.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Caps } from '../policy/policy.js';
import { clusteredInterval } from '../stats/clustered.js';
import { clusterSizes, foldsOf } from '../stats/folds.js';
import { clopperPearson, type Interval } from '../stats/interval.js';
import { seededRng } from '../stats/rng.js';
import { type Clusters, clustersOf, TASK_LABELS } from './clusters.js';
import { capFitOf, type Training } from './cross-validate-fit.js';
import type { CountedRate, CrossValidated } from './cross-validate-result.js';
import type { JointOptions } from './joint-result.js';
import { countCut, isCut, mayBeCut, type SuccessSizes, successSizes, UNKNOWN_SIZE } from './success-sizes.js';

/** How caps are held against runs that they were not taken from. */
export interface CrossValidateOptions extends DeriveOptions {
  /** Parts that the successes are split into, each set aside once; fewer where there are fewer tasks. */
  readonly folds: number;
  /** How often they are split anew. */
  readonly repeats: number;
  readonly seed: number;
  /** Label whose runs stay together; `null`: the task of a run, where runs tell. */
  readonly cluster: string | null;
  /** How all caps together are held to the accepted rate, each time anew; `null`: each cap by itself. */
  readonly joint: JointOptions | null;
}

export const CROSS_VALIDATE_DEFAULTS: CrossValidateOptions = {
  ...DERIVE_DEFAULTS,
  folds: 10,
  repeats: 10,
  seed: 1,
  cluster: null,
  joint: null,
};

/** With fewer successes there is nothing to set aside that caps could still be taken without. */
export const FEWEST_SUCCESSES = 10;

/**
 * The false-stop rate of caps on runs that they were not taken from: the successes are split into folds, caps are derived
 * from all folds but one, and the successes of that one are held against them; caps only, no rules. Caps of fewer runs are
 * taken at the percentile that stands for the same share of runs, since the one in force would jump. Repeated k-fold
 * cross-validation: M. Stone, "Cross-validatory choice and assessment of statistical predictions", Journal of the Royal
 * Statistical Society B 36 (1974); S. Geisser, "The predictive sample reuse method", Journal of the American Statistical
 * Association 70 (1975).
 *
 * @param runs recorded runs, in any order
 */
export function crossValidate(runs: Iterable<Run>, options: Partial<CrossValidateOptions> = {}): CrossValidated {
  const resolved: CrossValidateOptions = { ...CROSS_VALIDATE_DEFAULTS, ...options };
  const labels = resolved.cluster === null ? TASK_LABELS : [resolved.cluster];
  return crossValidateSizes(successSizes(runs, resolved, labels), resolved);
}

/** The same of successes that have been read already, with the label that they are clustered by. */
export function crossValidateSizes(sizes: SuccessSizes, options: CrossValidateOptions): CrossValidated {
  const { repeats, seed } = options;
  const clusters = clustersOf(sizes.labels, options.cluster, sizes.count);
  const ordered = orderedSizes(sizes);
  const takeCaps = capFitOf(options, options.joint, sizes.count);
  const caps = takeCaps?.(trainingOf(sizes, ordered, null, 0)) ?? null;
  const folds = Math.min(options.folds, clusters.count);
  const settled = {
    successes: sizes.count,
    folds,
    repeats,
    seed,
    cluster: clusters.label === null ? null : { label: clusters.label, tasks: clusters.count },
    in_sample: caps === null ? null : inSample(sizes, caps),
  };
  const reason = whyNot(sizes, caps, folds, clusters);
  if (takeCaps === null || reason !== null) return { ...settled, ...NOTHING, not_judged: reason };
  const heldOut = holdOut(sizes, ordered, clusters, folds, takeCaps, options);
  const counts = [...heldOut.counts];
  const mean = counts.reduce((sum, count) => sum + count, 0) / repeats;
  const intervalOf = (byCluster: Float64Array): Interval =>
    clusteredInterval(
      byCluster.map((count) => count / repeats),
      clusterSizes(clusters.of),
    );
  const { low, high } = intervalOf(heldOut.byCluster);
  const most = intervalOf(heldOut.perhapsByCluster);
  const atMost = heldOut.perhaps / repeats;
  return {
    ...settled,
    rate: mean / sizes.count,
    count: mean,
    ci95: [low, Math.max(high, most.high)],
    counts,
    rates: [Math.min(...counts) / sizes.count, Math.max(...counts) / sizes.count],
    rate_at_most: atMost > mean ? atMost / sizes.count : null,
    trained_on: sizes.count - Math.round(sizes.count / folds),
    optimism: mean / sizes.count - (settled.in_sample?.rate ?? 0),
    not_judged: null,
  };
}

const NOTHING = {
  rate: null,
  count: null,
  ci95: null,
  counts: [],
  rates: null,
  rate_at_most: null,
  trained_on: null,
  optimism: null,
} as const;

const CHEAPEST =
  'caps that spend least are chosen by all runs, good and bad, which is not repeated for each part; hold them against runs that were not among these, with capfit replay';

function whyNot(sizes: SuccessSizes, caps: Caps | null, folds: number, clusters: Clusters): string | null {
  if (sizes.count === 0) return 'there is no success to take caps from';
  if (sizes.count < FEWEST_SUCCESSES) {
    return `${sizes.count === 1 ? 'one success is' : `${sizes.count} successes are`} too few to set some aside and take caps from the others: at least ${FEWEST_SUCCESSES} are needed`;
  }
  if (caps === null) return CHEAPEST;
  if (Object.keys(caps).length === 0) return 'no cap could be derived';
  return folds < 2 ? `all successes have one value of ${clusters.label}, so none can be set aside` : null;
}

/** What the caps of all successes cut among these same successes. */
function inSample(sizes: SuccessSizes, caps: Caps): CountedRate | null {
  if (sizes.count === 0) return null;
  const count = countCut(sizes.asked, sizes.count, caps);
  let most = 0;
  for (let success = 0; success < sizes.count; success++) if (mayBeCut(sizes, success, caps)) most++;
  const { low } = clopperPearson(count, sizes.count);
  const { high } = clopperPearson(most, sizes.count);
  return {
    count,
    rate: count / sizes.count,
    ci95: [low, high],
    rate_at_most: most > count ? most / sizes.count : null,
  };
}

/** The known values of each metric in ascending order, whose they are, and room for some of them. */
type Ordered = Readonly<
  Record<Metric, { readonly values: Float64Array; readonly owners: Uint32Array; readonly room: Float64Array }>
>;

function orderedSizes({ whole, count }: SuccessSizes): Ordered {
  const order = (metric: Metric): Ordered[Metric] => {
    const sizes = whole[metric];
    const owners = Uint32Array.from({ length: count }, (_, success) => success)
      .filter((success) => sizes[success] !== UNKNOWN_SIZE)
      .sort((a, b) => (sizes[a] as number) - (sizes[b] as number));
    const values = Float64Array.from(owners, (success) => sizes[success] as number);
    return { values, owners, room: new Float64Array(owners.length) };
  };
  return {
    passes: order('passes'),
    tokens: order('tokens'),
    seconds: order('seconds'),
    usd: order('usd'),
  };
}

/** What caps are taken from where a fold is set aside, good until the next is; without folds, all. */
function trainingOf(
  { perhaps, count }: SuccessSizes,
  ordered: Ordered,
  foldOf: Uint16Array | null,
  fold: number,
): Training {
  const values = Object.fromEntries(
    METRICS.map((metric) => [
      metric,
      foldOf === null ? ordered[metric].values : without(ordered[metric], foldOf, fold),
    ]),
  ) as Record<Metric, Float64Array>;
  return {
    sample: { verified: count - asideIn(foldOf, fold), values },
    countCut(caps) {
      let cut = 0;
      for (let success = 0; success < count; success++) {
        if (foldOf?.[success] !== fold && isCut(perhaps, success, caps)) cut++;
      }
      return cut;
    },
  };
}

function asideIn(foldOf: Uint16Array | null, fold: number): number {
  let aside = 0;
  for (let success = 0; success < (foldOf?.length ?? 0); success++) if (foldOf?.[success] === fold) aside++;
  return aside;
}

function without({ values, owners, room }: Ordered[Metric], foldOf: Uint16Array, fold: number): Float64Array {
  let length = 0;
  for (let index = 0; index < values.length; index++) {
    if (foldOf[owners[index] as number] !== fold) room[length++] = values[index] as number;
  }
  return room.subarray(0, length);
}

interface HeldOut {
  /** Successes cut while set aside, for each repeat. */
  readonly counts: readonly number[];
  /** The same over all repeats, for each cluster. */
  readonly byCluster: Float64Array;
  /** Successes certainly or perhaps cut, over all repeats, and the same for each cluster. */
  readonly perhaps: number;
  readonly perhapsByCluster: Float64Array;
}

function holdOut(
  sizes: SuccessSizes,
  ordered: Ordered,
  clusters: Clusters,
  folds: number,
  takeCaps: (training: Training) => Caps,
  { seed, repeats }: CrossValidateOptions,
): HeldOut {
  const rng = seededRng(seed);
  const byCluster = new Float64Array(clusters.count);
  const perhapsByCluster = new Float64Array(clusters.count);
  let perhaps = 0;
  const counts = Array.from({ length: repeats }, () => {
    const foldOf = foldsOf(clusters.of, folds, rng);
    const caps = Array.from({ length: folds }, (_, fold) => takeCaps(trainingOf(sizes, ordered, foldOf, fold)));
    let cut = 0;
    for (let success = 0; success < sizes.count; success++) {
      const others = caps[foldOf[success] as number] as Caps;
      const cluster = clusters.of[success] as number;
      if (mayBeCut(sizes, success, others)) {
        perhaps++;
        perhapsByCluster[cluster] = (perhapsByCluster[cluster] as number) + 1;
      }
      if (!isCut(sizes.asked, success, others)) continue;
      cut++;
      byCluster[cluster] = (byCluster[cluster] as number) + 1;
    }
    return cut;
  });
  return { counts, byCluster, perhaps, perhapsByCluster };
}
