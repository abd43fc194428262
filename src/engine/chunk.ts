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
      let row = 0;
      while (row < size && !isKnown(row)) row++;
      if (row === size) return texts;
      const data = bytes(column, TEXT_BYTES);
      for (; row < size; row++) if (isKnown(row)) texts[row] = textAt(bindings, data, row * TEXT_BYTES);
      // Addresses are followed while the rows live: this is the last that is asked of them.
      return bindings.data_chunk_get_size(handle) === size ? texts : [];
    },
  };
}

function textAt(bindings: Bindings, data: Buffer, at: number): string {
  const length = data.readUInt32LE(at);
  if (length <= SHORT_TEXT) return data.toString('utf8', at + 4, at + 4 + length);
  return bindings.get_data_from_pointer(data.buffer, data.byteOffset + at + 8, length).toString('utf8');
}

/** Arrays of numbers can only be laid over bytes that start at a multiple of their width. */
function aligned(data: Buffer): Buffer {
  return data.byteOffset % 8 === 0 ? data : Buffer.from(new Uint8Array(data).buffer);
}
