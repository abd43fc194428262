import { ByteIndex, HASH_START, hashWith, NOT_FOUND } from './byte-index.js';

/** The text of the bytes in [from, to). */
export function textAt(bytes: DataView, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}

/** Parts of records that many share: what one means is worked out once, and then known by its bytes. */
export interface Parts<Value> {
  /** The meaning of the bytes in [from, to), `null` where they have none. */
  of(bytes: DataView, from: number, to: number): Value | null;
}

/** Beyond this the parts are not shared by many, and would only be held. */
const MOST_KEPT = 4096;

/** @param meaningOf throws where the text has no meaning */
export function createParts<Value>(meaningOf: (text: string) => Value): Parts<Value> {
  const index = new ByteIndex();
  const meanings: Value[] = [];
  return {
    of(bytes, from, to) {
      let hash = HASH_START;
      for (let at = from; at < to; at++) hash = hashWith(hash, bytes.getUint8(at));
      const code = index.find(bytes, from, to, hash);
      if (code !== NOT_FOUND) return meanings[code] as Value;
      try {
        const meaning = meaningOf(textAt(bytes, from, to));
        if (index.size < MOST_KEPT) meanings[index.codeOf(bytes, from, to, hash)] = meaning;
        return meaning;
      } catch {
        return null;
      }
    },
  };
}
