import type { Sealed } from '../model/chunk.js';
import { isReached } from '../policy/stop.js';

/** The first index in [from, to) whose value is at least `cap`, else `to`. Unknown is above everything. */
export function firstAtLeast(values: Sealed['values'], from: number, to: number, cap: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(values[middle] as number, cap)) high = middle;
    else low = middle + 1;
  }
  return low;
}
