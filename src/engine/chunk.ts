import type { IdText } from '../model/id-column.js';
import type { Bindings, Handle } from './bindings.js';

/** Some rows of an answer. Each column is asked for by its place and as what the query made of it. */
export interface Chunk {
  readonly size: number;
  /** How many columns there are. */
  readonly width: number;
  /** A column of type INTEGER without gaps. */
  ints(column: number): Int32Array;
  /** A column of type DOUBLE without gaps. */
  doubles(column: number): Float64Array;
  /** A column of type UBIGINT without gaps, two numbers a value. */
  halves(column: number): Int32Array;
  /** A column of type VARCHAR. */
  texts(column: number): (string | null)[];
  /** The texts of such a column in one, without an object a text; `null` where there is a gap. */
  joinedTexts(column: number): IdText | null;
}

/** A text takes 16 bytes: its length, then itself where it is short, else its start and the address of the whole. */
const TEXT_BYTES = 16;
const SHORT_TEXT = 12;

export function chunkOf(bindings: Bindings, handle: Handle): Chunk {
  const size = bindings.data_chunk_get_size(handle);
  const vector = (column: number): Handle => bindings.data_chunk_get_vector(handle, column);
  const bytes = (column: number, width: number): Buffer =>
    aligned(bindings.vector_get_data(vector(column), size * width));
  return {
    size,
    get width() {
      return bindings.data_chunk_get_column_count(handle);
    },
    ints(column) {
      const { buffer, byteOffset } = bytes(column, 4);
      return new Int32Array(buffer, byteOffset, size);
    },
    doubles(column) {
      const { buffer, byteOffset } = bytes(column, 8);
      return new Float64Array(buffer, byteOffset, size);
    },
    halves(column) {
      const { buffer, byteOffset } = bytes(column, 8);
      return new Int32Array(buffer, byteOffset, size * 2);
    },
    texts(column) {
      const known = bindings.vector_get_validity(vector(column), Math.ceil(size / 64) * 8);
      const isKnown = (row: number): boolean =>
        known === null || ((known[row >> 3] as number) & (1 << (row & 7))) !== 0;
      const texts = Array<string | null>(size).fill(null);
      // Where nothing is known there may be fewer bytes behind the vector than rows: none may be copied.
      if (known !== null && isEmpty(known, size)) return texts;
      const data = bytes(column, TEXT_BYTES);
      for (let row = 0; row < size; row++) if (isKnown(row)) texts[row] = textAt(bindings, data, row * TEXT_BYTES);
      // Addresses are followed while the rows live: this is the last that is asked of them.
      return bindings.data_chunk_get_size(handle) === size ? texts : [];
    },
    joinedTexts(column) {
      const known = bindings.vector_get_validity(vector(column), Math.ceil(size / 64) * 8);
      if (known !== null && !isFull(known, size)) return null;
      const joined = joinedText(bindings, bytes(column, TEXT_BYTES), size);
      return bindings.data_chunk_get_size(handle) === size ? joined : null;
    },
  };
}

function isEmpty(known: Buffer, size: number): boolean {
  for (let row = 0; row < size; row += 8) {
    const bits = size - row < 8 ? 2 ** (size - row) - 1 : 2 ** 8 - 1;
    if (((known[row >> 3] as number) & bits) !== 0) return false;
  }
  return true;
}

function isFull(known: Buffer, size: number): boolean {
  for (let row = 0; row < size; row++) if (((known[row >> 3] as number) & (1 << (row & 7))) === 0) return false;
  return true;
}

function joinedText(bindings: Bindings, data: Buffer, size: number): IdText {
  const words = new Uint32Array(data.buffer, data.byteOffset, (size * TEXT_BYTES) / 4);
  const bytes = new Uint32Array(size);
  let total = 0;
  for (let row = 0; row < size; row++) {
    const length = words[row * (TEXT_BYTES / 4)] as number;
    bytes[row] = length;
    total += length;
  }
  const joined = Buffer.allocUnsafe(total);
  let end = 0;
  for (let row = 0; row < size; row++) {
    const at = row * TEXT_BYTES;
    const length = bytes[row] as number;
    if (length <= SHORT_TEXT) {
      for (let index = 0; index < length; index++) joined[end + index] = data[at + 4 + index] as number;
    } else joined.set(bytesAt(bindings, data, at, length), end);
    end += length;
  }
  const text = joined.toString('utf8');
  // Mostly each byte is a character.
  if (text.length === joined.length) return { text, lengths: bytes };
  let from = 0;
  const texts = Array.from(bytes, (length) => {
    from += length;
    return joined.toString('utf8', from - length, from);
  });
  return { text: texts.join(''), lengths: Uint32Array.from(texts, ({ length }) => length) };
}

function textAt(bindings: Bindings, data: Buffer, at: number): string {
  const length = data.readUInt32LE(at);
  if (length <= SHORT_TEXT) return data.toString('utf8', at + 4, at + 4 + length);
  return bytesAt(bindings, data, at, length).toString('utf8');
}

function bytesAt(bindings: Bindings, data: Buffer, at: number, length: number): Buffer {
  return bindings.get_data_from_pointer(data.buffer, data.byteOffset + at + 8, length);
}

/** Arrays of numbers can only be laid over bytes that start at a multiple of their width. */
function aligned(data: Buffer): Buffer {
  return data.byteOffset % 8 === 0 ? data : Buffer.from(new Uint8Array(data).buffer);
}
