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

/** Added to a whole number it leaves that, as an integer, in the low bits of the double. */
const MAGIC: f64 = 6755399441055744;

/** How many bytes each number has: 1, 2, 4, or 8 where they are left as doubles; 0: all are unknown. */
export function narrow(from: usize, count: i32): i32 {
  const end = from + ((<usize>count) << 3);
  const largest = largestOf(from, end);
  if (largest === UNKNOWN) return 0;
  if (largest < <f64>u8.MAX_VALUE) {
    for (let at = from, to = narrowed; at < end; at += 8, to += 1) store<u8>(to, <u8>bitsAt(at));
    return 1;
  }
  if (largest < <f64>u16.MAX_VALUE) {
    for (let at = from, to = narrowed; at < end; at += 8, to += 2) store<u16>(to, <u16>bitsAt(at));
    return 2;
  }
  if (largest < <f64>u32.MAX_VALUE) {
    narrowToWords(from, end);
    return 4;
  }
  for (let at = from, to = narrowed; at < end; at += 8, to += 8) {
    const value = load<f64>(at);
    store<f64>(to, value === UNKNOWN ? Infinity : value);
  }
  return 8;
}

/** The largest of some numbers, two at a time. Leaves whether one is unknown. */
function largestOf(from: usize, end: usize): f64 {
  let largests = f64x2.splat(UNKNOWN);
  let leasts = f64x2.splat(0);
  let at = from;
  for (; at + 16 <= end; at += 16) {
    const two = v128.load(at);
    largests = f64x2.pmax(largests, two);
    leasts = f64x2.pmin(leasts, two);
  }
  const last = at < end ? load<f64>(at) : 0;
  isWhole = min(min(f64x2.extract_lane(leasts, 0), f64x2.extract_lane(leasts, 1)), last) >= 0;
  const largest = max(f64x2.extract_lane(largests, 0), f64x2.extract_lane(largests, 1));
  return at < end ? max(largest, last) : largest;
}

function bitsAt(at: usize): u64 {
  return reinterpret<u64>(load<f64>(at) + MAGIC);
}

function narrowToWords(from: usize, end: usize): void {
  const magic = f64x2.splat(MAGIC);
  let at = from;
  let to = narrowed;
  for (; at + 32 <= end; at += 32, to += 16) {
    const two = f64x2.add(v128.load(at), magic);
    const next = f64x2.add(v128.load(at, 16), magic);
    v128.store(to, v128.shuffle<u32>(two, next, 0, 2, 4, 6));
  }
  for (; at < end; at += 8, to += 4) store<u32>(to, <u32>bitsAt(at));
}
