import { sortAscending } from './summary.js';

/**
 * Sums of columns over resamples: each resample draws as many rows as there are, with replacement, and sums every
 * column over the same rows, so that what is compared is compared on the same draws. B. Efron, Annals of Statistics 7
 * (1979). Where rows hang together, a row is the sum of a cluster, and whole clusters are drawn (A. C. Davison and
 * D. V. Hinkley, Bootstrap Methods and their Application, 1997, section 3.8).
 *
 * @param columns of equal length, at least one row
 * @param resamples how many sums of each column come back
 * @param rng uniform numbers in [0, 1): one for each row of each resample
 * @returns for each column the sum in each resample
 * @throws RangeError when there is no row, columns differ in length, or `resamples` is no whole number from 1
 */
export function resampleSums(
  columns: readonly ArrayLike<number>[],
  resamples: number,
  rng: () => number,
): Float64Array[] {
  const rows = columns[0]?.length ?? 0;
  if (rows === 0) throw new RangeError('resampleSums requires at least one row');
  if (columns.some(({ length }) => length !== rows))
    throw new RangeError('resampleSums requires columns of one length');
  if (!Number.isSafeInteger(resamples) || resamples < 1) {
    throw new RangeError(`resampleSums requires a whole number of resamples from 1, got ${resamples}`);
  }
  const cells = columns.map((column) => Float64Array.from(column));
  const sums = columns.map(() => new Float64Array(resamples));
  // Counting first keeps what is looked up at random small, and the long columns are read in order.
  const counts = new Uint32Array(rows);
  for (let resample = 0; resample < resamples; resample++) {
    drawCounts(counts, rng);
    for (const [column, values] of cells.entries()) {
      (sums[column] as Float64Array)[resample] = weightedSum(values, counts);
    }
  }
  return sums;
}

/** How often each row is drawn in one resample. */
function drawCounts(counts: Uint32Array, rng: () => number): void {
  const rows = counts.length;
  counts.fill(0);
  for (let draw = 0; draw < rows; draw++) {
    const row = Math.floor(rng() * rows);
    counts[row] = (counts[row] as number) + 1;
  }
}

function weightedSum(values: Float64Array, counts: Uint32Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) sum += (values[row] as number) * (counts[row] as number);
  return sum;
}

/**
 * The percentile interval of a bootstrap: of B resampled values the k-th from either end, k = (B + 1) times half of the
 * error, rounded down, so that it is rather too wide. Davison and Hinkley (1997), section 5.3. `null` where k is 0.
 *
 * @throws RangeError when a value is not finite, or `confidence` is not between 0 and 1
 */
export function percentileInterval(values: ArrayLike<number>, confidence = 0.95): { low: number; high: number } | null {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`percentileInterval requires 0 < confidence < 1, got ${confidence}`);
  }
  const sorted = sortAscending(values);
  // The last digits of 1 - 0.95 are noise, and must not push a whole number below itself.
  const rank = Math.floor(((sorted.length + 1) * (1 - confidence)) / 2 + 1e-9);
  if (rank < 1) return null;
  return { low: sorted[rank - 1] as number, high: sorted[sorted.length - rank] as number };
}
