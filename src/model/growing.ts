/**
 * Whole numbers from 0 appended one by one, `null` for unknown. The newest are kept as doubles; as soon as there are a
 * chunk of them they become bytes, 16-bit or 32-bit integers or stay doubles, whichever the largest needs, or nothing
 * where all are unknown. Chunks are of one size, so that growing never copies and the peak is what is held.
 */
export interface Growing {
  readonly length: number;
  push(value: number | null): void;
  /** Appends the first `count` of these; what is below 0 is unknown. */
  append(values: Float64Array, count: number): void;
  at(index: number): number | null;
  /** All values in one array, for walks, `null` where none is known; nothing can be appended afterwards. */
  seal(): Sealed | null;
}

/** Whole numbers in one typed array. */
export interface Sealed {
  readonly values: Uint32Array | Float64Array;
  /** What stands for unknown: the largest number of the array's kind, so that it is never below a known one. */
  readonly unknown: number;
}

const NO_UINT = 2 ** 32 - 1;

const CHUNK_BITS = 15;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;
/** Stands for unknown among the newest. */
const UNKNOWN = -1;

type Values = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A chunk that is full, `null` where nothing in it is known. */
type Chunk = { readonly values: Values; readonly unknown: number } | null;

export function growing(): Growing {
  return new GrowingColumn();
}

class GrowingColumn implements Growing {
  private readonly chunks: Chunk[] = [];
  private newest = new Float64Array(64);
  /** How many of the newest there are. */
  private count = 0;
  private sealed: { readonly column: Sealed | null; readonly length: number } | null = null;

  get length(): number {
    return this.sealed?.length ?? this.chunks.length * CHUNK + this.count;
  }

  push(value: number | null): void {
    if (this.count === this.newest.length) this.makeRoom();
    this.newest[this.count++] = value ?? UNKNOWN;
  }

  append(values: Float64Array, count: number): void {
    for (let index = 0; index < count; index++) {
      if (this.count === this.newest.length) this.makeRoom();
      this.newest[this.count++] = values[index] as number;
    }
  }

  at(index: number): number | null {
    if (this.sealed !== null) return known(this.sealed.column, index);
    const chunk = index >> CHUNK_BITS;
    if (chunk < this.chunks.length) return known(this.chunks[chunk] as Chunk, index & MASK);
    const value = this.newest[index & MASK] as number;
    return value < 0 ? null : value;
  }

  seal(): Sealed | null {
    if (this.sealed === null) {
      const { length } = this;
      const chunks = [...this.chunks.splice(0), narrowed(this.newest, this.count)];
      this.newest = new Float64Array(0);
      this.count = 0;
      this.sealed = { column: sealedOf(chunks, length), length };
    }
    return this.sealed.column;
  }

  private makeRoom(): void {
    if (this.sealed !== null) throw new Error('a sealed column cannot grow');
    if (this.count === CHUNK) {
      this.chunks.push(narrowed(this.newest, CHUNK));
      this.count = 0;
      return;
    }
    const wider = new Float64Array(this.newest.length * 2);
    wider.set(this.newest);
    this.newest = wider;
  }
}

function known(column: Chunk, index: number): number | null {
  if (column === null) return null;
  const value = column.values[index] as number;
  return value === column.unknown ? null : value;
}

/** The first `count` values in the narrowest array that holds them. */
function narrowed(newest: Float64Array, count: number): Chunk {
  let largest = UNKNOWN;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const value = newest[index] as number;
    if (value > largest) largest = value;
    if (value < least) least = value;
  }
  if (largest === UNKNOWN) return null;
  const [values, unknown]: [Values, number] =
    largest < 255
      ? [new Uint8Array(count), 255]
      : largest < 65_535
        ? [new Uint16Array(count), 65_535]
        : largest < NO_UINT
          ? [new Uint32Array(count), NO_UINT]
          : [new Float64Array(count), Number.POSITIVE_INFINITY];
  values.set(count === newest.length ? newest : newest.subarray(0, count));
  if (least === UNKNOWN) {
    for (let index = 0; index < count; index++) if ((newest[index] as number) < 0) values[index] = unknown;
  }
  return { values, unknown };
}

/** Copies the chunks into one array, and lets each go as soon as it is copied. */
function sealedOf(chunks: Chunk[], length: number): Sealed | null {
  if (chunks.every((chunk) => chunk === null)) return null;
  const isLarge = chunks.some((chunk) => chunk?.values instanceof Float64Array);
  const unknown = isLarge ? Number.POSITIVE_INFINITY : NO_UINT;
  const values = isLarge ? new Float64Array(length) : new Uint32Array(length);
  for (const [index, chunk] of chunks.entries()) {
    const start = index * CHUNK;
    if (chunk === null) {
      values.fill(unknown, start, Math.min(length, start + CHUNK));
      continue;
    }
    values.set(chunk.values, start);
    // Only a copied chunk can hold what stands for unknown in a narrower kind.
    if (chunk.unknown !== unknown) replace(values, start, start + chunk.values.length, chunk.unknown, unknown);
    chunks[index] = null;
  }
  return { values, unknown };
}

function replace(values: Sealed['values'], from: number, to: number, old: number, by: number): void {
  for (let index = from; index < to; index++) if (values[index] === old) values[index] = by;
}

/** Texts as numbers: each distinct text is held once. */
export interface Dictionary {
  /** The text's number, a new one for a new text. */
  codeOf(text: string): number;
  /** The text's number, `null` for one that was never met. */
  findCode(text: string): number | null;
  textOf(code: number): string;
}

export function createDictionary(): Dictionary {
  const codes = new Map<string, number>();
  const texts: string[] = [];
  return {
    codeOf(text) {
      const known = codes.get(text);
      if (known !== undefined) return known;
      const code = texts.push(text) - 1;
      codes.set(text, code);
      return code;
    },
    findCode: (text) => codes.get(text) ?? null,
    textOf: (code) => texts[code] as string,
  };
}
