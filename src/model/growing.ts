import {
  type Chunk,
  ExpectedChunk,
  joined,
  type Known,
  known,
  narrowed,
  type PackedColumn,
  type Piece,
  recoded,
  type Sealed,
  UNKNOWN,
  valuesIn,
  WIDE,
} from './chunk.js';

/**
 * Whole numbers from 0 appended one by one, `null` for unknown. The newest are kept as doubles; as soon as there are a
 * chunk of them they become bytes, 16-bit or 32-bit integers or stay doubles, whichever the largest needs, or nothing
 * where all are unknown. Growing never copies chunks, so that the peak is what is held.
 */
export interface Growing {
  readonly length: number;
  push(value: number | null): void;
  /** Appends those of these in [from, to); what is below 0 is unknown. @param narrow makes a chunk of many of them */
  append(values: Float64Array, from: number, to: number, narrow?: (values: Float64Array) => Chunk): void;
  /** Appends those of a chunk in [from, to). @param codes what known ones become; absent: they stay */
  appendChunk(chunk: Known, from: number, to: number, codes?: readonly number[]): void;
  at(index: number): number | null;
  /** So many values, some more or fewer, will come in chunks of large numbers: an empty column puts them into one array. */
  expect(length: number): void;
  /** Nothing can be appended afterwards. What is asked for then is put into one array, so that `at` is one look. */
  freeze(): void;
  /** All values in one array, `null` where none is known. */
  seal(): Chunk;
  /** The same in an array of a wide kind. */
  sealWide(): Sealed | null;
  /** All values in pieces that another thread can be given. The column is empty afterwards. */
  pack(): PackedColumn;
  /** Appends the values of a packed column, of which nothing else may be made. */
  unpack(packed: PackedColumn): void;
  /** The same with other values for those there, by each of them. */
  unpackCodes(packed: PackedColumn, codes: readonly number[]): void;
  /** The same with so much added to each. */
  unpackShifted(packed: PackedColumn, by: number): void;
}

const CHUNK = 2 ** 15;
/** So many that come together are a chunk of their own. */
const MANY = 2 ** 11;
const ROOM = 64;

export function growing(): Growing {
  return new GrowingColumn();
}

class GrowingColumn implements Growing {
  private pieces: Piece[] = [];
  /** Where chunks go as long as they fit and are of no wider kind; the pieces come behind them. */
  private expected: ExpectedChunk | null = null;
  /** How many values lie in the pieces and in what was expected. */
  private settled = 0;
  private newest = new Float64Array(ROOM);
  /** How many of the newest there are. */
  private count = 0;
  private sealed: Chunk | undefined = undefined;
  private isFrozen = false;

  get length(): number {
    return this.settled + this.count;
  }

  push(value: number | null): void {
    if (this.count === this.newest.length) this.makeRoom();
    this.newest[this.count++] = value ?? UNKNOWN;
  }

  append(values: Float64Array, from: number, to: number, narrow: (values: Float64Array) => Chunk = narrowed): void {
    const count = to - from;
    if (count >= MANY) {
      this.settle();
      this.hold(narrow(values.subarray(from, to)), count);
      return;
    }
    // Runs are short: a loop over them that looks nothing up takes a fifth of the time of one that does.
    const { newest, count: start } = this;
    if (start + count > newest.length) {
      for (let index = from; index < to; index++) this.push(values[index] as number);
      return;
    }
    for (let index = 0; index < count; index++) newest[start + index] = values[from + index] as number;
    this.count = start + count;
  }

  appendChunk(chunk: Known, from: number, to: number, codes?: readonly number[]): void {
    for (let index = from; index < to; index++) {
      const value = known(chunk, index);
      this.push(value === null || codes === undefined ? value : (codes[value] as number));
    }
  }

  at(index: number): number | null {
    if (this.isFrozen) return known(this.seal(), index);
    if (index >= this.settled) {
      const value = this.newest[index - this.settled] as number;
      return value < 0 ? null : value;
    }
    let start = this.expected?.length ?? 0;
    if (index < start) return known((this.expected as ExpectedChunk).chunk(), index);
    for (const { length, chunk } of this.pieces) {
      if (index < start + length) return known(chunk, index - start);
      start += length;
    }
    return null;
  }

  expect(length: number): void {
    if (this.length === 0) this.expected = new ExpectedChunk(length);
  }

  freeze(): void {
    this.settle();
    this.newest = new Float64Array(0);
    this.isFrozen = true;
  }

  seal(): Chunk {
    return this.sealed === undefined ? this.sealAs(0) : this.sealed;
  }

  sealWide(): Sealed | null {
    if (this.sealed === undefined) this.sealAs(WIDE);
    else if (this.sealed !== null && this.sealed.unknown < WIDE) {
      this.sealed = joined([{ length: this.settled, chunk: this.sealed }], this.settled, WIDE);
    }
    return this.sealed as Sealed | null;
  }

  pack(): PackedColumn {
    this.settle();
    const pieces = this.allPieces();
    this.settled = 0;
    return pieces;
  }

  unpack(packed: PackedColumn): void {
    this.settle();
    for (const { length, chunk } of packed) this.hold(chunk, length);
  }

  unpackCodes(packed: PackedColumn, codes: readonly number[]): void {
    if (codes.every((code, index) => code === index)) {
      this.unpack(packed);
      return;
    }
    this.settle();
    for (const piece of packed) this.hold(recoded(piece, codes), piece.length);
  }

  unpackShifted(packed: PackedColumn, by: number): void {
    const values = valuesIn(packed);
    for (let index = 0; index < values.length; index++) {
      if ((values[index] as number) >= 0) (values[index] as number) += by;
    }
    this.append(values, 0, values.length);
  }

  private sealAs(least: number): Chunk {
    if (!this.isFrozen) this.freeze();
    const pieces = this.allPieces();
    this.sealed = joined(pieces, this.settled, least);
    return this.sealed;
  }

  private makeRoom(): void {
    if (this.count === CHUNK || this.isFrozen) {
      this.settle();
      return;
    }
    const wider = new Float64Array(this.newest.length * 2);
    wider.set(this.newest);
    this.newest = wider;
  }

  /** The newest become a chunk. */
  private settle(): void {
    if (this.isFrozen) throw new Error('a sealed column cannot grow');
    if (this.count > 0) this.hold(narrowed(this.newest.subarray(0, this.count)), this.count);
    this.count = 0;
  }

  private hold(chunk: Chunk, length: number): void {
    if (this.pieces.length > 0 || this.expected?.take(chunk, length) !== true) this.pieces.push({ length, chunk });
    this.settled += length;
  }

  /** All that is settled, in its order. They are no longer the column's. */
  private allPieces(): Piece[] {
    const { pieces, expected } = this;
    this.pieces = [];
    this.expected = null;
    return expected === null || expected.length === 0
      ? pieces
      : [{ length: expected.length, chunk: expected.chunk() }, ...pieces];
  }
}
