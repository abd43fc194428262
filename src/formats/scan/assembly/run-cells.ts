import { ByteIndex } from './byte-index';
import { byteAt, COMMA, isSame, NOT_PLAIN, UNKNOWN } from './bytes';
import { behindPlainText, behindText } from './cells';
import { settingOf } from './settings';
import { timeAt } from './times';

/*
 * The columns of a table, and the cells that say something of a run. They stand on every row of the run, the same each
 * time: its first row is kept, and each later one is compared with it, neighbouring columns in one go.
 */

/** What a column holds. The first four say something of the run; JavaScript knows all by these numbers as well. */
export const ID: i32 = 0;
export const STARTED_AT: i32 = 1;
/** Something that many runs share, such as a label. */
export const SHARED: i32 = 2;
export const TOTAL: i32 = 3;
/** Nothing that is asked for. */
export const OTHER: i32 = 4;
export const PASS: i32 = 5;

/** Where the bytes of the columns' kinds lie, and for each the first column behind it that says nothing of the run. */
let kinds: usize = 0;
let groupEnds: usize = 0;
export let columns: i32 = 0;

/** The first row of the run as bytes, and where each of its cells begins and ends. */
let room: usize = 4096;
let row: usize = heap.alloc(4096 + 16);
let cells: usize = 0;
const PLACES: usize = 8;

// What the first row says: where its id is, and when the run started.

export let id: usize = 0;
export let idEnd: usize = 0;
export let start: f64 = UNKNOWN;

/** The shared cells of one run, one behind the other. */
let sharedCells: usize = heap.alloc(4096 + 16);
let sharedEnd: usize = 0;
let hasTotals: bool = false;
const ids = new ByteIndex();

/** Room for the kinds of so many columns, a byte each. */
export function roomForColumns(count: i32): usize {
  columns = count;
  kinds = heap.alloc(<usize>count);
  groupEnds = heap.alloc(<usize>count * 4);
  cells = heap.alloc(<usize>count * PLACES);
  memory.fill(cells, 0, <usize>count * PLACES);
  return kinds;
}

/** Where each cell of the first row begins and ends, two words a column. */
export function cellsOfRun(): usize {
  return cells;
}

/** Looks at the kinds of the columns once they are there. */
export function groupColumns(): void {
  let end = columns;
  for (let column = columns - 1; column >= 0; column--) {
    if (kindOf(column) > TOTAL) end = column;
    store<i32>(groupEnds + ((<usize>column) << 2), end);
  }
}

export function kindOf(column: i32): i32 {
  return load<u8>(kinds + column);
}

export function groupEndOf(column: i32): i32 {
  return load<i32>(groupEnds + ((<usize>column) << 2));
}

/** The end of the cells of these columns if they are the same as on the first row, else `NOT_PLAIN`. */
export function behindSame(at: usize, to: usize, column: i32, end: i32): usize {
  const from = cellFrom(column);
  const length = cellTo(end - 1) - from;
  return at + length <= to && isSame(from, at, length) ? at + length : NOT_PLAIN;
}

/** The end of as many cells as these columns have, whatever they say. */
export function behindCells(at: usize, column: i32, end: i32): usize {
  let next = behindText(at);
  for (let each = column + 1; each < end; each++) {
    if (byteAt(next) !== COMMA) return NOT_PLAIN;
    next = behindText(next + 1);
  }
  return next;
}

/** Takes a row as the first one of a run; false where its id was met before, or it is not plain. */
export function beginRun(from: usize, to: usize): bool {
  keepRow(from, to);
  start = UNKNOWN;
  hasTotals = false;
  sharedEnd = sharedCells;
  let at = row;
  for (let column = 0; column < columns; column++) {
    const end = behindText(at);
    const place = cells + <usize>column * PLACES;
    store<u32>(place, <u32>at);
    store<u32>(place + 4, <u32>end);
    const kind = kindOf(column);
    if (kind === ID) {
      id = at;
      idEnd = end;
    } else if (kind === STARTED_AT && end > at) {
      start = behindPlainText(at) === end ? timeAt(at, end) : NaN;
    } else if (kind === SHARED) {
      memory.copy(sharedEnd, at, end + 1 - at);
      sharedEnd += end + 1 - at;
    } else if (kind === TOTAL && end > at) {
      hasTotals = true;
    }
    at = end + 1;
  }
  if (Number.isNaN(start) || id === idEnd || behindPlainText(id) !== idEnd) return false;
  ids.codeOf(id, idEnd);
  return ids.isNew;
}

/** The number of what the first row says beside id and start; below 0: it makes no sense. */
export function settingOfRun(): i32 {
  return settingOf(sharedCells, sharedEnd, hasTotals);
}

export function forgetIds(): void {
  ids.clear();
}

function keepRow(from: usize, to: usize): void {
  const length = to - from;
  if (length > room) {
    room = length * 2;
    row = heap.alloc(room + 16);
    sharedCells = heap.alloc(room + 16);
  }
  memory.copy(row, from, length);
}

function cellFrom(column: i32): usize {
  return <usize>load<u32>(cells + <usize>column * PLACES);
}

function cellTo(column: i32): usize {
  return <usize>load<u32>(cells + <usize>column * PLACES + 4);
}
