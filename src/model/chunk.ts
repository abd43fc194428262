/** Stands for unknown among doubles that have not been narrowed. */
export const UNKNOWN = -1;

/** Whole numbers in one typed array. */
export interface Sealed {
  readonly values: Uint32Array | Float64Array;
  /** What stands for unknown: the largest number of the array's kind, so that it is never below a known one. */
  readonly unknown: number;
}

/** Values that will not change, in the narrowest kind of array; `null` where none is known. */
export type Chunk = {
  readonly values: Values;
  readonly unknown: number;
  /** Whether none of them is unknown. */
  readonly isWhole: boolean;
} | null;
type Values = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** What single values are looked up in. */
export type Known = Pick<NonNullable<Chunk>, 'values' | 'unknown'> | null;

/** Values in pieces, in their order. */
export type PackedColumn = readonly Piece[];
/** Values that follow on those of the piece before. */
export interface Piece {
  readonly length: number;
  readonly chunk: Chunk;
}

/** Kinds of array with what stands for unknown in them, narrowest first. */
const KINDS: readonly (readonly [unknown: number, make: (length: number) => Values])[] = [
  [2 ** 8 - 1, (length) => new Uint8Array(length)],
  [2 ** 16 - 1, (length) => new Uint16Array(length)],
  [2 ** 32 - 1, (length) => new Uint32Array(length)],
  [Number.POSITIVE_INFINITY, (length) => new Float64Array(length)],
];
/** Stands for unknown in the narrowest of the wide kinds. */
export const WIDE = 2 ** 32 - 1;

/** The values of a piece with others in their place, by each of them; the piece is of no use afterwards. */
export function recoded(piece: Piece, codes: readonly number[]): Chunk {
  const { chunk } = piece;
  const largest = codes.reduce((most, code) => Math.max(most, code), 0);
  if (chunk === null || largest < chunk.unknown) {
    if (chunk !== null) recode(chunk.values, chunk.unknown, codes);
    return chunk;
  }
  const values = valuesIn([piece]);
  recode(values, UNKNOWN, codes);
  return narrowed(values);
}

function recode(values: Values, unknown: number, codes: readonly number[]): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (value !== unknown) values[index] = codes[value] as number;
  }
}

/** The values of a packed column in one array; what is below 0 is unknown. */
export function valuesIn(packed: PackedColumn): Float64Array {
  const values = new Float64Array(packed.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const { length, chunk } of packed) {
    if (chunk === null) values.fill(UNKNOWN, start, start + length);
    else {
      values.set(chunk.values, start);
      if (!chunk.isWhole) replace(values, start, start + length, chunk.unknown, UNKNOWN);
    }
    start += length;
  }
  return values;
}

/** `null`: it is unknown. */
export function known(chunk: Known, index: number): number | null {
  if (chunk === null) return null;
  const value = chunk.values[index] as number;
  return value === chunk.unknown ? null : value;
}

/** An empty array of the narrowest kind whose unknown is at least this. */
function arrayFor(unknown: number, length: number): { readonly values: Values; readonly unknown: number } {
  const [own, make] = KINDS.find(([each]) => each >= unknown) ?? (KINDS[KINDS.length - 1] as (typeof KINDS)[number]);
  return { values: make(length), unknown: own };
}

/** Values in the narrowest array that holds them. */
export function narrowed(newest: Float64Array): Chunk {
  let largest: number = UNKNOWN;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < newest.length; index++) {
    const value = newest[index] as number;
    if (value > largest) largest = value;
    if (value < least) least = value;
  }
  return narrowedTo(newest, largest, least < 0);
}

/** The same where it is known which is the largest, below 0 for none known, and whether any is unknown. */
export function narrowedTo(all: Float64Array, largest: number, hasUnknown: boolean): Chunk {
  if (largest < 0) return null;
  const { values, unknown } = arrayFor(largest + 1, all.length);
  values.set(all);
  if (hasUnknown) {
    for (let index = 0; index < all.length; index++) if ((all[index] as number) < 0) values[index] = unknown;
  }
  return { values, unknown, isWhole: !hasUnknown };
}

/**
 * An array of the narrowest wide kind for chunks that come one after the other. Each is copied once and can then go: joined
 * at the end, all of them and the whole are in memory together.
 */
export class ExpectedChunk {
  length = 0;
  private isWhole = true;
  private isKnown = false;
  private readonly values: Uint32Array;

  /** @param most how many values there may be; memory of what does not come is never touched */
  constructor(most: number) {
    this.values = new Uint32Array(most);
  }

  /** False: they do not fit. */
  take(chunk: Chunk, length: number): boolean {
    const [from, to] = [this.length, this.length + length];
    if (to > this.values.length || (chunk !== null && chunk.unknown > WIDE)) return false;
    if (chunk === null) this.values.fill(WIDE, from, to);
    else {
      this.values.set(chunk.values, from);
      if (!chunk.isWhole) replace(this.values, from, to, chunk.unknown, WIDE);
      this.isKnown = true;
    }
    this.isWhole &&= chunk?.isWhole === true;
    this.length = to;
    return true;
  }

  chunk(): Chunk {
    if (!this.isKnown) return null;
    return { values: this.values.subarray(0, this.length), unknown: WIDE, isWhole: this.isWhole };
  }
}

/** Copies the pieces into one array whose unknown is at least this, and lets each go as soon as it is copied. */
export function joined(pieces: Piece[], length: number, least: number): Chunk {
  if (pieces.every(({ chunk }) => chunk === null)) return null;
  const only = pieces.length === 1 ? (pieces[0] as Piece).chunk : null;
  if (only !== null && only.unknown >= least) return only;
  const { values, unknown } = arrayFor(
    pieces.reduce((most, { chunk }) => Math.max(most, chunk?.unknown ?? 0), least),
    length,
  );
  const isWhole = pieces.every(({ chunk }) => chunk?.isWhole === true);
  let start = 0;
  pieces.reverse();
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    const { chunk, length: count } = piece;
    if (chunk === null) values.fill(unknown, start, start + count);
    else values.set(chunk.values, start);
    if (chunk !== null && chunk.unknown !== unknown && !chunk.isWhole)
      replace(values, start, start + count, chunk.unknown, unknown);
    start += count;
  }
  return { values, unknown, isWhole };
}

function replace(values: Values, from: number, to: number, old: number, by: number): void {
  for (let index = from; index < to; index++) if (values[index] === old) values[index] = by;
}
