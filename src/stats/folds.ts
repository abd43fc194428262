import { type Rng, shuffle } from './rng.js';

/**
 * The fold of each of many items for one round of cross-validation: clusters are put in an order of their own for each
 * round, and each goes, whole, into the fold with the fewest items so far (the first of several). Where every item is
 * its own cluster the folds differ by one item at most.
 *
 * @param clusterOf cluster of each item, numbered from 0 without a gap
 * @param folds from 2 to the number of clusters, so that no fold is empty
 * @throws RangeError when there are fewer clusters than folds, or fewer than two folds
 */
export function foldsOf(clusterOf: Uint32Array, folds: number, rng: Rng): Uint16Array {
  const sizes = clusterSizes(clusterOf);
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= sizes.length && folds <= 65_535)) {
    throw new RangeError(`foldsOf requires folds in 2..${sizes.length}, the number of clusters, got ${folds}`);
  }
  const order = new Uint32Array(sizes.length);
  for (let cluster = 0; cluster < order.length; cluster++) order[cluster] = cluster;
  shuffle(order, rng);
  const foldOf = new Uint16Array(sizes.length);
  // Single items fill the folds one after the other.
  if (sizes.length === clusterOf.length) {
    for (let place = 0; place < order.length; place++) foldOf[order[place] as number] = place % folds;
  } else fillEvenly(foldOf, order, sizes, folds);
  const found = new Uint16Array(clusterOf.length);
  for (let item = 0; item < found.length; item++) found[item] = foldOf[clusterOf[item] as number] as number;
  return found;
}

function fillEvenly(foldOf: Uint16Array, order: Uint32Array, sizes: Uint32Array, folds: number): void {
  const filled = new Uint32Array(folds);
  for (const cluster of order) {
    const fold = indexOfLeast(filled);
    foldOf[cluster] = fold;
    filled[fold] = (filled[fold] as number) + (sizes[cluster] as number);
  }
}

/** How many items each cluster has. */
export function clusterSizes(clusterOf: Uint32Array): Uint32Array {
  let clusters = 0;
  for (const cluster of clusterOf) if (cluster >= clusters) clusters = cluster + 1;
  const sizes = new Uint32Array(clusters);
  for (const cluster of clusterOf) sizes[cluster] = (sizes[cluster] as number) + 1;
  return sizes;
}

function indexOfLeast(values: Uint32Array): number {
  let least = 0;
  for (let index = 1; index < values.length; index++) {
    if ((values[index] as number) < (values[least] as number)) least = index;
  }
  return least;
}
