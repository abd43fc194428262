import { betaQuantile } from './beta.js';
import type { Interval } from './interval.js';

/**
 * A two-sided confidence interval of a share that was counted over clusters of items which hang together: the formula
 * of Clopper and Pearson at the size that an independent sample with the same variance would have, never above the true
 * one. E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of positive
 * counts estimated from survey data", Survey Methodology 24 (1998), without their correction for degrees of freedom.
 * With nothing counted, or everything, the clusters themselves are the sample.
 *
 * @param hits items counted in each cluster, not necessarily whole
 * @param sizes items in each cluster, from 1
 * @throws RangeError when there is no cluster, or a count is not within its cluster
 */
export function clusteredInterval(hits: ArrayLike<number>, sizes: ArrayLike<number>, confidence = 0.95): Interval {
  const clusters = sizes.length;
  if (clusters < 1 || hits.length !== clusters) {
    throw new RangeError(`clusteredInterval requires a count for each of at least one cluster, got ${hits.length}`);
  }
  let [items, counted] = [0, 0];
  for (let cluster = 0; cluster < clusters; cluster++) {
    const [hit, size] = [hits[cluster] as number, sizes[cluster] as number];
    if (!(hit >= 0 && hit <= size && size >= 1)) {
      throw new RangeError(`clusteredInterval requires counts within clusters, got ${hit} of ${size}`);
    }
    items += size;
    counted += hit;
  }
  const share = counted / items;
  const size = effectiveSize(hits, sizes, share, items);
  const tail = (1 - confidence) / 2;
  const x = share * size;
  return {
    low: counted === 0 ? 0 : betaQuantile(tail, x, size - x + 1),
    high: counted === items ? 1 : betaQuantile(1 - tail, x + 1, size - x),
  };
}

/** The size of an independent sample whose share would vary as much as this one's does between clusters. */
function effectiveSize(hits: ArrayLike<number>, sizes: ArrayLike<number>, share: number, items: number): number {
  const clusters = sizes.length;
  if (share === 0 || share === 1 || clusters < 2) return clusters;
  let squares = 0;
  for (let cluster = 0; cluster < clusters; cluster++) {
    squares += ((hits[cluster] as number) - share * (sizes[cluster] as number)) ** 2;
  }
  const variance = ((clusters / (clusters - 1)) * squares) / items ** 2;
  return variance === 0 ? items : Math.min(items, (share * (1 - share)) / variance);
}
