import { UNKNOWN } from './bytes';

/*
 * Doubles from an array of the draft as the narrowest unsigned integers that hold them, in which the largest number
 * stands for unknown. JavaScript copies them out: to narrow them there took four times as long.
 */

let room: usize = 32_768;
/** Where they lie. */
export let narrowed: usize = heap.alloc(32_768);

/** Whether none of those narrowed last is unknown. */
export let isWhole: bool = true;

/** Room for so many; once views of memory are taken it must not grow any more. */
export function roomForNarrowed(count: i32): void {
  if ((<usize>count) << 3 <= room) return;
  room = (<usize>count) << 4;
  narrowed = heap.alloc(room);
}

/** How many bytes each number has: 1, 2, 4, or 8 where they are left as doubles; 0: all are unknown. */
export function narrow(from: usize, count: i32): i32 {
  const end = from + ((<usize>count) << 3);
  let largest: f64 = UNKNOWN;
  let least: f64 = 0;
  for (let at = from; at < end; at += 8) {
    const value = load<f64>(at);
    largest = max(largest, value);
    least = min(least, value);
  }
  isWhole = least >= 0;
  if (largest === UNKNOWN) return 0;
  if (largest < <f64>u8.MAX_VALUE) {
    for (let at = from, to = narrowed; at < end; at += 8, to += 1) store<u8>(to, <u8>(<i32>load<f64>(at)));
    return 1;
  }
  if (largest < <f64>u16.MAX_VALUE) {
    for (let at = from, to = narrowed; at < end; at += 8, to += 2) store<u16>(to, <u16>(<i32>load<f64>(at)));
    return 2;
  }
  if (largest < <f64>u32.MAX_VALUE) {
    for (let at = from, to = narrowed; at < end; at += 8, to += 4) store<u32>(to, <u32>(<i64>load<f64>(at)));
    return 4;
  }
  for (let at = from, to = narrowed; at < end; at += 8, to += 8) {
    const value = load<f64>(at);
    store<f64>(to, value === UNKNOWN ? Infinity : value);
  }
  return 8;
}
