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
  /** The line of each, 0: it has none. */
  readonly lines: Float64Array;
}

/** The ids that were claimed together, and where they lie. */
interface Stay {
  readonly start: number;
  readonly file: string;
  /** By the index of an id less the start; 0: it has none. */
  readonly lines: Float64Array | number[];
}

const ROOM = 1024;

export function createPlaces(): Places {
  const ids = createIdColumn();
  /** Ids that came together, the newest last. */
  const stays: Stay[] = [];
  // Twice as many slots as there is room for ids, and a power of two. Each is a hash and the number of an id plus 1, side
  // by side, since each look is at another end of memory; 0 is empty.
  let room = ROOM;
  let slots = new Int32Array(4 * room);
  /** The place of the slot of the id that is sought, or of the empty one where it belongs. */
  const slotOf = (hash: number, isSought: (index: number) => boolean): number => {
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let number = slots[slot + 1] as number; number !== 0; number = slots[slot + 1] as number) {
      if (slots[slot] === hash && isSought(number - 1)) break;
      slot = (slot + 2) & mask;
    }
    return slot;
  };
  const slotOfId = (id: string, hash: number): number => slotOf(hash, (index) => ids.at(index) === id);
  const placeOf = (index: number): Place => {
    const { start, file, lines } = stays[lastAtMost(stays, index)] as Stay;
    const line = lines[index - start] as number;
    return { file, line: line === 0 ? null : line };
  };
  const makeRoom = (count: number): void => {
    if (count <= room) return;
    while (room < count) room *= 2;
    const before = slots;
    slots = new Int32Array(4 * room);
    const mask = slots.length - 1;
    for (let old = 0; old < before.length; old += 2) {
      if (before[old + 1] === 0) continue;
      let slot = ((before[old] as number) << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = before[old] as number;
      slots[slot + 1] = before[old + 1] as number;
    }
  };
  const fill = (slot: number, hash: number, index: number): void => {
    slots[slot] = hash;
    slots[slot + 1] = index + 1;
  };
  return {
    get(id) {
      const number = slots[slotOfId(id, hashOf(id)) + 1] as number;
      return number === 0 ? null : placeOf(number - 1);
    },
    claim(id, file, line) {
      makeRoom(ids.length + 1);
      const hash = hashOf(id);
      const slot = slotOfId(id, hash);
      const number = slots[slot + 1] as number;
      if (number !== 0) return placeOf(number - 1);
      fill(slot, hash, ids.length);
      const newest = stays.at(-1);
      if (newest?.file === file && Array.isArray(newest.lines)) newest.lines.push(line ?? 0);
      else stays.push({ start: ids.length, file, lines: [line ?? 0] });
      ids.push(id);
      return null;
    },
    claimAll({ ids: those, hashes, file, lines }, from, to) {
      makeRoom(ids.length + to - from);
      const before = ids.length;
      const given = createIdColumn();
      given.append(those, 0, hashes.length);
      let id = from;
      const isSought = (index: number): boolean =>
        (index < before ? ids.at(index) : given.at(from + index - before)) === given.at(id);
      for (; id < to; id++) {
        const hash = hashes[id] as number;
        const slot = slotOf(hash, isSought);
        if (slots[slot + 1] !== 0) break;
        fill(slot, hash, before + id - from);
      }
      ids.append(those, from, id);
      if (id > from) stays.push({ start: before, file, lines: lines.slice(from, id) });
      return id;
    },
    get size() {
      return ids.length;
    },
    shrinkTo(size) {
      // The last one in may leave without a gap that hides another.
      for (let last = ids.length - 1; last >= size; last--) {
        const slot = slotOf(hashOf(ids.at(last)), (index) => index === last);
        fill(slot, 0, -1);
      }
      ids.shrinkTo(size);
      while ((stays.at(-1)?.start ?? -1) >= size) stays.pop();
      const newest = stays.at(-1);
      if (Array.isArray(newest?.lines)) newest.lines.length = Math.min(newest.lines.length, size - newest.start);
    },
  };
}
