import { createDictionary } from '../model/dictionary.js';
import { createIdColumn, hashOf, type IdText } from '../model/id-column.js';
import type { Place } from '../model/problem.js';

/**
 * Where each run id was first seen. Millions of them are held while reading, so that an id costs its text and 24 bytes: a
 * map takes twice the room and three times the time.
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
  readonly lines: ArrayLike<number>;
}

/** More lines than any file has; file code times this plus the line stays an exact number. */
const LINES = 2 ** 32;
const ROOM = 1024;

export function createPlaces(): Places {
  const files = createDictionary();
  const ids = createIdColumn();
  let packed = new Float64Array(ROOM);
  /** A power of two, at most half full; a slot holds the number of an id plus 1, 0 is empty. */
  let slots = new Int32Array(2 * ROOM);
  let hashes = new Int32Array(ROOM);
  /** The slot of the id that is sought, or the empty one where it belongs. */
  const slotOf = (hash: number, isSought: (index: number) => boolean): number => {
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let index = slots[slot] as number; index !== 0; index = slots[slot] as number) {
      if (hashes[index - 1] === hash && isSought(index - 1)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  const slotOfId = (id: string): number => slotOf(hashOf(id), (index) => ids.at(index) === id);
  const placeOf = (index: number): Place => {
    const line = (packed[index] as number) % LINES;
    return { file: files.textOf(Math.floor((packed[index] as number) / LINES)), line: line === 0 ? null : line };
  };
  /** Room for so many ids. */
  const makeRoom = (count: number): void => {
    if (count < packed.length) return;
    let room = packed.length;
    while (room <= count) room *= 2;
    const [places, before, used] = [packed, hashes, ids.length];
    packed = new Float64Array(room);
    packed.set(places);
    hashes = new Int32Array(room);
    hashes.set(before);
    slots = new Int32Array(2 * room);
    const mask = slots.length - 1;
    for (let index = 0; index < used; index++) {
      let slot = (hashes[index] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
  };
  return {
    get(id) {
      const index = slots[slotOfId(id)] as number;
      return index === 0 ? null : placeOf(index - 1);
    },
    claim(id, file, line) {
      makeRoom(ids.length + 1);
      const slot = slotOfId(id);
      const index = slots[slot] as number;
      if (index !== 0) return placeOf(index - 1);
      hashes[ids.length] = hashOf(id);
      packed[ids.length] = files.codeOf(file) * LINES + (line ?? 0);
      ids.push(id);
      slots[slot] = ids.length;
      return null;
    },
    claimAll(those, from, to) {
      makeRoom(ids.length + to - from);
      const code = files.codeOf(those.file) * LINES;
      const before = ids.length;
      const given = createIdColumn();
      given.append(those.ids, 0, those.hashes.length);
      let id = from;
      const isSought = (index: number): boolean =>
        (index < before ? ids.at(index) : given.at(from + index - before)) === given.at(id);
      for (; id < to; id++) {
        const hash = those.hashes[id] as number;
        const slot = slotOf(hash, isSought);
        if (slots[slot] !== 0) break;
        const index = before + id - from;
        hashes[index] = hash;
        packed[index] = code + (those.lines[id] as number);
        slots[slot] = index + 1;
      }
      ids.append(those.ids, from, id);
      return id;
    },
    get size() {
      return ids.length;
    },
    shrinkTo(size) {
      // The last one in may leave without a gap that hides another.
      for (let last = ids.length - 1; last >= size; last--)
        slots[slotOf(hashes[last] as number, (index) => index === last)] = 0;
      ids.shrinkTo(size);
    },
  };
}
