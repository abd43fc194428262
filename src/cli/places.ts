import { createIdColumn, hashOf, type IdText, lastAtMost } from '../model/id-column.js';
import type { Place } from '../model/problem.js';

/**
 * Where each run id was first seen. Millions of them are held while reading, so that an id costs its text and some 30
 * bytes: a map takes twice the room and three times the time.
 */
export interface Places {
  get(id: string): Place | null;
  /** Takes note of an id, and gives the place where it was seen before, which stays. */
  claim(id: string, file: string, line: number | null): Place | null;
  /**
   * Takes note of the ids in [from, to), up to the first that was met before.
   *
   * @returns the index of that one, `to` where there is none
   */
  claimAll(ids: PlacedIds, from: number, to: number): number;
  /** So many ids will be there, some more or fewer. */
  expect(count: number): void;
  readonly size: number;
  /** Forgets all ids but the first so many. */
  shrinkTo(size: number): void;
}

/** The ids of runs of one file. */
export interface PlacedIds {
  readonly ids: IdText;
  /** Of each, made where it was read: to look for a repeated id then cuts none of them out of their text. */
  readonly hashes: Int32Array;
  readonly file: string;
  /** The line of each, `null`: it has none. Asked for where an id is met again. */
  lineOf(index: number): number | null;
}

/** The ids that were claimed together, and where they lie. */
type Stay =
  | { readonly start: number; readonly file: string; readonly lines: (number | null)[] }
  | { readonly start: number; readonly file: string; readonly from: number; lineOf(index: number): number | null };

const ROOM = 1024;

export function createPlaces(): Places {
  const ids = createIdColumn();
  /** Ids that came together, the newest last. */
  const stays: Stay[] = [];
  let slots = emptySlots(ROOM);
  const isId = (id: string) => (index: number) => ids.at(index) === id;
  const placeOf = (index: number): Place => {
    const stay = stays[lastAtMost(stays, index)] as Stay;
    const at = index - stay.start;
    return { file: stay.file, line: 'lines' in stay ? (stay.lines[at] as number | null) : stay.lineOf(stay.from + at) };
  };
  const makeRoom = (count: number): void => {
    if (count > roomIn(slots)) slots = widened(slots, count);
  };
  return {
    get(id) {
      const number = slots[slotOf(slots, hashOf(id), isId(id)) + 1] as number;
      return number === 0 ? null : placeOf(number - 1);
    },
    claim(id, file, line) {
      makeRoom(ids.length + 1);
      const hash = hashOf(id);
      const slot = slotOf(slots, hash, isId(id));
      const number = slots[slot + 1] as number;
      if (number !== 0) return placeOf(number - 1);
      slots[slot] = hash;
      slots[slot + 1] = ids.length + 1;
      const newest = stays.at(-1);
      if (newest?.file === file && 'lines' in newest) newest.lines.push(line);
      else stays.push({ start: ids.length, file, lines: [line] });
      ids.push(id);
      return null;
    },
    claimAll({ ids: those, hashes, file, lineOf }, from, to) {
      makeRoom(ids.length + to - from);
      const before = ids.length;
      const given = createIdColumn();
      given.append(those, 0, hashes.length);
      const isSame = (index: number, id: number): boolean =>
        (index < before ? ids.at(index) : given.at(from + index - before)) === given.at(id);
      const end = fill(slots, hashes, from, to, before, isSame);
      ids.append(those, from, end);
      if (end > from) stays.push({ start: before, file, from, lineOf });
      return end;
    },
    expect: makeRoom,
    get size() {
      return ids.length;
    },
    shrinkTo(size) {
      // The last one in may leave without a gap that hides another.
      for (let last = ids.length - 1; last >= size; last--) {
        const slot = slotOf(slots, hashOf(ids.at(last)), (index) => index === last);
        slots[slot] = 0;
        slots[slot + 1] = 0;
      }
      ids.shrinkTo(size);
      while ((stays.at(-1)?.start ?? -1) >= size) stays.pop();
      const newest = stays.at(-1);
      if (newest !== undefined && 'lines' in newest)
        newest.lines.length = Math.min(newest.lines.length, size - newest.start);
    },
  };
}

/*
 * Slots are twice as many as there is room for ids, and a power of two. Each is a hash and the number of an id plus 1, side
 * by side, since each look is at another end of memory; 0 is empty.
 */

function emptySlots(room: number): Int32Array {
  return new Int32Array(4 * room);
}

function roomIn(slots: Int32Array): number {
  return slots.length / 4;
}

/** The place of the slot of the id that is sought, or of the empty one where it belongs. */
function slotOf(slots: Int32Array, hash: number, isSought: (index: number) => boolean): number {
  const mask = slots.length - 1;
  let slot = (hash << 1) & mask;
  for (let number = slots[slot + 1] as number; number !== 0; number = slots[slot + 1] as number) {
    if (slots[slot] === hash && isSought(number - 1)) break;
    slot = (slot + 2) & mask;
  }
  return slot;
}

/**
 * Numbers the ids with these hashes from `first` on, up to one that was met before. A loop of its own, which nothing else
 * runs through: of a million ids it takes 50 ms where it took 300.
 */
function fill(
  slots: Int32Array,
  hashes: Int32Array,
  from: number,
  to: number,
  first: number,
  isSame: (index: number, id: number) => boolean,
): number {
  const mask = slots.length - 1;
  for (let id = from; id < to; id++) {
    const hash = hashes[id] as number;
    let slot = (hash << 1) & mask;
    for (let number = slots[slot + 1] as number; number !== 0; number = slots[slot + 1] as number) {
      if (slots[slot] === hash && isSame(number - 1, id)) return id;
      slot = (slot + 2) & mask;
    }
    slots[slot] = hash;
    slots[slot + 1] = first + id - from + 1;
  }
  return to;
}

function widened(slots: Int32Array, count: number): Int32Array {
  let room = roomIn(slots);
  while (room < count) room *= 2;
  const wider = emptySlots(room);
  const mask = wider.length - 1;
  for (let old = 0; old < slots.length; old += 2) {
    if (slots[old + 1] === 0) continue;
    let slot = ((slots[old] as number) << 1) & mask;
    while (wider[slot + 1] !== 0) slot = (slot + 2) & mask;
    wider[slot] = slots[old] as number;
    wider[slot + 1] = slots[old + 1] as number;
  }
  return wider;
}
