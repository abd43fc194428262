import { UNKNOWN } from './bytes';

/*
 * The passes and calls of many runs, one run behind the other: doubles, one array behind the other for each kind of
 * figure. JavaScript takes them by the thousand: each time that it is called for a run costs as much as reading one. Where
 * only figures of runs are asked, the last row of each is all that is kept.
 */

/** Arrays of figures of passes: running totals of tokens, micros, nanos and steps, and the calls made. */
export const PASS_ARRAYS = 5;
/** Arrays of figures of calls: tool, arguments, result, failure. */
export const CALL_ARRAYS = 4;

export let passes: i32 = 0;
export let calls: i32 = 0;
/** Passes of the run that is read, kept or not. */
export let passesMade: i32 = 0;
/** Where the run begins that is read. */
export let firstPass: i32 = 0;
export let firstCall: i32 = 0;
/** Whether every total is a number that doubles count one by one. */
export let isExact: bool = true;
/** Calls of the pass that ends next, kept or not. */
let made: i32 = 0;

/** How many passes and calls there is room for, and where the arrays begin. */
export let passRoom: i32 = 256;
export let callRoom: i32 = 256;
export let passArrays: usize = heap.alloc(256 * 8 * PASS_ARRAYS);
export let callArrays: usize = heap.alloc(256 * 8 * CALL_ARRAYS);

/** How much is asked: 0 figures of runs, 1 passes and tools, 2 contents of calls. */
export let depth: i32 = 2;

export function setDepth(asked: i32): void {
  depth = asked;
}

/** All runs before the one that is read have been taken, and it moves to the front. */
export function emptyDraft(): void {
  moveToFront(passArrays, passRoom, PASS_ARRAYS, firstPass, passes);
  moveToFront(callArrays, callRoom, CALL_ARRAYS, firstCall, calls);
  passes -= firstPass;
  calls -= firstCall;
  firstPass = 0;
  firstCall = 0;
}

/** A run begins. */
export function beginDraft(): void {
  firstPass = passes;
  firstCall = calls;
  passesMade = 0;
  made = 0;
  isExact = true;
}

/** The run that began last leaves nothing behind. */
export function dropDraft(): void {
  passes = firstPass;
  calls = firstCall;
}

/** One call of the pass that ends next. */
export function addCall(tool: f64, args: f64, result: f64, error: f64): void {
  made++;
  if (depth === 0) return;
  if (calls === callRoom) {
    callArrays = widened(callArrays, callRoom, CALL_ARRAYS);
    callRoom *= 2;
  }
  const at = callArrays + ((<usize>calls) << 3);
  const stride = (<usize>callRoom) << 3;
  store<f64>(at, tool);
  store<f64>(at + stride, args);
  store<f64>(at + stride * 2, result);
  store<f64>(at + stride * 3, error);
  calls++;
}

/** Ends a pass that added these atoms. @param steps unknown: plan, then call and result for each call, or the answer */
export function endPass(tokens: f64, micros: f64, nanos: f64, steps: f64): void {
  const isFirst = passesMade === 0;
  passesMade++;
  if (isFirst || depth !== 0) {
    if (passes === passRoom) {
      passArrays = widened(passArrays, passRoom, PASS_ARRAYS);
      passRoom *= 2;
    }
    passes++;
  }
  const at = passArrays + ((<usize>(passes - 1)) << 3);
  const stride = (<usize>passRoom) << 3;
  const added = steps === UNKNOWN ? (made === 0 ? 2 : 1 + 2 * <f64>made) : steps;
  if (isFirst) {
    begin(at, tokens);
    begin(at + stride, micros);
    begin(at + stride * 2, nanos);
    begin(at + stride * 3, added);
  } else {
    const before: usize = depth === 0 ? 0 : 8;
    add(at, before, tokens);
    add(at + stride, before, micros);
    add(at + stride * 2, before, nanos);
    add(at + stride * 3, before, added);
  }
  store<f64>(at + stride * 4, depth === 0 ? 0 : made);
  made = 0;
}

/** Writes down where the draft lies but for the run that is read, six words. */
export function tellDraft(at: usize): void {
  store<u32>(at, firstPass);
  store<u32>(at + 4, firstCall);
  store<u32>(at + 8, <u32>passArrays);
  store<u32>(at + 12, passRoom);
  store<u32>(at + 16, <u32>callArrays);
  store<u32>(at + 20, callRoom);
}

function begin(at: usize, part: f64): void {
  if (part > <f64>f64.MAX_SAFE_INTEGER) isExact = false;
  store<f64>(at, part);
}

/** A running total: unknown from the first pass on that lacks its part. @param back how far behind the one before lies */
function add(at: usize, back: usize, part: f64): void {
  const before = load<f64>(at - back);
  const after = before === UNKNOWN || part === UNKNOWN ? UNKNOWN : before + part;
  if (after > <f64>f64.MAX_SAFE_INTEGER) isExact = false;
  store<f64>(at, after);
}

function moveToFront(arrays: usize, room: i32, count: i32, from: i32, to: i32): void {
  const bytes = (<usize>(to - from)) << 3;
  for (let array = 0; array < count; array++) {
    const start = arrays + ((<usize>(array * room)) << 3);
    memory.copy(start, start + ((<usize>from) << 3), bytes);
  }
}

/** The same arrays with twice the room each. */
function widened(arrays: usize, room: i32, count: i32): usize {
  const bytes = (<usize>room) << 3;
  const wider = heap.alloc(bytes * 2 * count);
  for (let array = 0; array < count; array++) memory.copy(wider + bytes * 2 * array, arrays + bytes * array, bytes);
  return wider;
}
