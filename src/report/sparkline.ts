/** A distribution that is drawn in one line, from zero to the largest value. */
export interface Spark {
  /** None below zero. */
  readonly values: readonly number[];
  /** A value to mark, such as a cap, above zero; `null`: none. */
  readonly mark: number | null;
}

/** A drawn line in three parts, so that each can have its colour. */
export interface SparkLine {
  /** What is not above the mark. */
  readonly below: string;
  readonly mark: string;
  readonly above: string;
}

export const SPARK_MARK = '│';
const HEIGHTS = '▁▂▃▄▅▆▇█';

/**
 * How many values lie where, as columns of eight heights. A column with a single value is drawn, one without any is
 * blank. What is above the mark stands right of it, what is not stands left.
 *
 * @param width most columns to draw in, the mark among them; from 3
 * @returns empty where no value is above zero
 */
export function sparkLine({ values, mark }: Spark, width: number): SparkLine {
  const largest = values.reduce((max, value) => Math.max(max, value), 0);
  if (!(largest > 0)) return { below: '', mark: '', above: '' };
  const split = mark ?? largest;
  const top = Math.max(largest, split);
  const columns = columnsFor(values, top, mark === null ? width : width - 1);
  const right = top > split ? Math.min(columns - 1, Math.max(1, Math.round((columns * (top - split)) / top))) : 0;
  const low = counted(
    values.filter((value) => value <= split),
    0,
    split,
    columns - right,
  );
  const high = counted(
    values.filter((value) => value > split),
    split,
    top,
    right,
  );
  const most = Math.max(...low, ...high);
  return { below: drawn(low, most), mark: mark === null ? '' : SPARK_MARK, above: drawn(high, most) };
}

/** Few whole numbers are not spread over columns of which some would hold one of them and some two. */
function columnsFor(values: readonly number[], top: number, most: number): number {
  if (!values.every(Number.isInteger)) return most;
  return Math.max(2, Math.min(most, Math.ceil(top / Math.ceil(top / most))));
}

/** How many values lie in each of so many equal stretches, each without its lower end and with its upper one. */
function counted(values: readonly number[], from: number, to: number, columns: number): number[] {
  const counts = Array.from({ length: columns }, () => 0);
  for (const value of values) {
    // What should lie on a bound is not to fall behind it for a rounding error.
    const place = Math.ceil(((value - from) / (to - from)) * columns - 1e-9) - 1;
    const column = Math.min(columns - 1, Math.max(0, place));
    counts[column] = (counts[column] ?? 0) + 1;
  }
  return counts;
}

/** @param most what is drawn as high as can be */
function drawn(counts: readonly number[], most: number): string {
  return counts.map((count) => (count === 0 ? ' ' : HEIGHTS[Math.ceil((count / most) * HEIGHTS.length) - 1])).join('');
}
