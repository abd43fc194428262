import { createDictionary } from '../model/dictionary.js';
import type { Place } from '../model/problem.js';

/** Where each run id was first seen. A place is held as one number: half a million of them are held while reading. */
export interface Places {
  get(id: string): Place | null;
  set(id: string, place: Place): void;
}

/** More lines than any file has; file code times this plus the line stays an exact number. */
const LINES = 2 ** 32;

/** A map doubles when it grows: of many small ones only one does so at a time. */
const SHARDS = 64;

export function createPlaces(): Places {
  const files = createDictionary();
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>());
  const shardOf = (id: string): Map<string, number> => {
    const end = id.length - 1;
    const mixed = id.charCodeAt(end) + 7 * id.charCodeAt(end >> 1) + 31 * id.charCodeAt(Math.max(0, end - 1));
    return shards[mixed % SHARDS] as Map<string, number>;
  };
  return {
    get(id) {
      const packed = shardOf(id).get(id);
      if (packed === undefined) return null;
      const line = packed % LINES;
      return { file: files.textOf(Math.floor(packed / LINES)), line: line === 0 ? null : line };
    },
    set(id, { file, line }) {
      shardOf(id).set(id, files.codeOf(file) * LINES + (line ?? 0));
    },
  };
}
