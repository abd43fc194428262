/** Numbers in ascending order, of which not all need lie at hand: a sorted array, or what stands for one. */
export interface Ascending {
  readonly length: number;
  /** The value at an index from 0. */
  at(index: number): number | undefined;
  /** How many values lie above a limit, where that is known without looking for the place. */
  above?(limit: number): number;
}

/** How many values lie above a limit. */
export function countAbove(values: Ascending, limit: number): number {
  if (values.above !== undefined) return values.above(limit);
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values.at(middle) as number) > limit) high = middle;
    else low = middle + 1;
  }
  return values.length - low;
}

/** The value in the middle, or the midpoint of the two middle ones; `null` when there is none. */
export function middleOf(values: Ascending): number | null {
  const { length } = values;
  if (length === 0) return null;
  const [below, above] = [values.at((length - 1) >> 1) as number, values.at(length >> 1) as number];
  return (below + above) / 2;
}

/** Values that are given with how often each occurs. */
export function ascendingOf(counts: Iterable<readonly [value: number, count: number]>): Ascending {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const ends: number[] = [];
  let length = 0;
  for (const [, count] of sorted) {
    length += count;
    ends.push(length);
  }
  return {
    length,
    at(index) {
      if (index < 0 || index >= length) return undefined;
      let [low, high] = [0, ends.length - 1];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ends[middle] as number) > index) high = middle;
        else low = middle + 1;
      }
      return sorted[low]?.[0];
    },
  };
}
