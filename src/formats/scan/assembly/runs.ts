import { UNKNOWN } from './bytes';
import { calls, firstCall, firstPass, passesMade, tellDraft } from './draft';
import { roomForNarrowed } from './narrow';

/*
 * What stands beside the passes of the runs that are read, in arrays of doubles one behind the other, and their ids as
 * bytes. Everything that many runs share is one number, its setting.
 */

/** Arrays: line, place, setting, milliseconds of the start, how many passes and calls, 1 for recorded passes, id's bytes. */
const RUN_ARRAYS = 8;

export let runs: i32 = 0;
let room: i32 = 256;
let arrays: usize = heap.alloc(256 * 8 * RUN_ARRAYS);
let ids: usize = heap.alloc(8192);
let idRoom: usize = 8192;
let idLength: usize = 0;

/** All of them have been taken. */
export function emptyRuns(): void {
  runs = 0;
  idLength = 0;
}

/**
 * Takes the run whose passes were drafted last.
 *
 * @param from where its line begins
 * @param start below 0: not known
 */
export function addRun(
  line: i32,
  from: usize,
  setting: i32,
  start: f64,
  hasPasses: bool,
  id: usize,
  idEnd: usize,
): void {
  if (runs === room) widen();
  const stride = (<usize>room) << 3;
  const at = arrays + ((<usize>runs) << 3);
  store<f64>(at, <f64>line);
  store<f64>(at + stride, <f64>from);
  store<f64>(at + stride * 2, <f64>setting);
  // Earlier times than 1970 are not kept.
  store<f64>(at + stride * 3, start < 0 ? UNKNOWN : start);
  store<f64>(at + stride * 4, <f64>passesMade);
  store<f64>(at + stride * 5, <f64>(calls - firstCall));
  store<f64>(at + stride * 6, hasPasses ? 1 : -1);
  store<f64>(at + stride * 7, <f64>(idEnd - id));
  runs++;
  keepId(id, idEnd);
}

/** Writes down where all of it lies: the six words of the draft and four more. */
export function tellRuns(at: usize): void {
  roomForNarrowed(held());
  tellDraft(at);
  store<u32>(at + 24, runs);
  store<u32>(at + 28, <u32>arrays);
  store<u32>(at + 32, room);
  store<u32>(at + 36, <u32>ids);
}

/** How much there is to take, the most numerous of its kinds, more or less: the last run may not be counted. */
export function held(): i32 {
  return max(runs, max(firstPass, firstCall));
}

function keepId(from: usize, to: usize): void {
  const length = to - from;
  if (idLength + length > idRoom) {
    const wider = heap.alloc((idLength + length) * 2);
    memory.copy(wider, ids, idLength);
    ids = wider;
    idRoom = (idLength + length) * 2;
  }
  memory.copy(ids + idLength, from, length);
  idLength += length;
}

function widen(): void {
  const bytes = (<usize>room) << 3;
  const wider = heap.alloc(bytes * 2 * RUN_ARRAYS);
  for (let array = 0; array < RUN_ARRAYS; array++)
    memory.copy(wider + bytes * 2 * array, arrays + bytes * array, bytes);
  arrays = wider;
  room *= 2;
}
