import { createDictionary } from '../model/dictionary.js';
import type { Place } from '../model/problem.js';

/**
 * Where each run id was first seen. Millions of them are held while reading, so that an id costs its text and 24 bytes: a
 * map takes twice the room and three times the time.
 */
export interface Places {
  get(id: string): Place | null;
  /** Takes note of an id, and gives the place where it was seen before, which stays. */
  claim(id: string, file: string, line: number | null): Place | null;
  readonly size: number;
  /** Forgets all ids but the first so many. */
  shrinkTo(size: number): void;
}

/** More lines than any file has; file code times this plus the line stays an exact number. */
const LINES = 2 ** 32;
const ROOM = 1024;

export function createPlaces(): Places {
  const files = createDictionary();
  const ids: string[] = [];
  let packed = new Float64Array(ROOM);
  /** A power of two, at most half full; a slot holds the number of an id plus 1, 0 is empty. */
  let slots = new Int32Array(2 * ROOM);
  let hashes = new Int32Array(ROOM);
  /** The slot that holds an id, or the empty one where it belongs. */
  const slotOf = (id: string, hash: number): number => {
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let index = slots[slot] as number; index !== 0; index = slots[slot] as number) {
      if (hashes[index - 1] === hash && ids[index - 1] === id) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  const placeOf = (index: number): Place => {
    const line = (packed[index] as number) % LINES;
    return { file: files.textOf(Math.floor((packed[index] as number) / LINES)), line: line === 0 ? null : line };
  };
  const grow = (): void => {
    const [places, before] = [packed, hashes];
    packed = new Float64Array(2 * places.length);
    packed.set(places);
    hashes = new Int32Array(2 * before.length);
    hashes.set(before);
    slots = new Int32Array(2 * slots.length);
    const mask = slots.length - 1;
    for (let index = 0; index < ids.length; index++) {
      let slot = (hashes[index] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
  };
  return {
    get(id) {
      const index = slots[slotOf(id, hashOf(id))] as number;
      return index === 0 ? null : placeOf(index - 1);
    },
    claim(id, file, line) {
      const hash = hashOf(id);
      const slot = slotOf(id, hash);
      const index = slots[slot] as number;
      if (index !== 0) return placeOf(index - 1);
      hashes[ids.length] = hash;
      packed[ids.length] = files.codeOf(file) * LINES + (line ?? 0);
      slots[slot] = ids.push(id);
      if (ids.length === packed.length) grow();
      return null;
    },
    get size() {
      return ids.length;
    },
    shrinkTo(size) {
      // The last one in may leave without a gap that hides another.
      while (ids.length > size) {
        const last = ids.length - 1;
        slots[slotOf(ids[last] as string, hashes[last] as number)] = 0;
        ids.pop();
      }
    },
  };
}

/** FNV-1a over the units of the text. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
