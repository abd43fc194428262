/**
 * Whole numbers from 0 appended one by one, `null` for unknown. They are kept in chunks of one size, so that growing
 * never copies and the peak is what is held. A chunk holds nothing while all of it is unknown, then bytes, 16-bit or
 * 32-bit integers or doubles, whichever its largest number needs.
 */
export interface Growing {
  readonly length: number;
  push(value: number | null): void;
  /** Appends the first `count` of these; what is below 0 is unknown. */
  append(values: Float64Array | Int32Array, count: number): void;
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

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

type Chunk = Uint8Array | Uint16Array | Int32Array | Float64Array;

interface Kind {
  readonly make: () => Chunk;
  /** What stands for an unknown value. */
  readonly unknown: number;
  readonly largest: number;
}

/** The kinds of chunk, narrowest first; nothing is wider than the last, so its NaN never has to be carried over. */
const KINDS: readonly Kind[] = [
  { make: () => new Uint8Array(CHUNK), unknown: 255, largest: 254 },
  { make: () => new Uint16Array(CHUNK), unknown: 65_535, largest: 65_534 },
  { make: () => new Int32Array(CHUNK), unknown: -1, largest: 2 ** 31 - 1 },
  { make: () => new Float64Array(CHUNK), unknown: Number.NaN, largest: Number.POSITIVE_INFINITY },
];

export function growing(): Growing {
  const chunks: (Chunk | undefined)[] = [];
  const kinds: (Kind | null)[] = [];
  let length = 0;
  let sealed: { readonly column: Sealed | null } | null = null;
  const widen = (index: number, value: number): void => {
    const narrower = kinds[index] ?? null;
    // What the chunk before needed, this one will need: to start with less and copy leaves memory in pieces.
    const least = narrower === null ? KINDS.indexOf(kinds[index - 1] ?? (KINDS[0] as Kind)) : 0;
    const wider = KINDS.find(({ largest }, at) => at >= least && value <= largest) as Kind;
    chunks[index] =
      narrower === null ? wider.make().fill(wider.unknown) : widened(chunks[index] as Chunk, narrower, wider);
    kinds[index] = wider;
  };
  /** Appends what fits into the last chunk. */
  const appendPart = (values: Float64Array | Int32Array, from: number, to: number): void => {
    const offset = length & MASK;
    if (offset === 0) kinds.push(null);
    const last = kinds.length - 1;
    let largest = -1;
    for (let index = from; index < to; index++)
      if ((values[index] as number) > largest) largest = values[index] as number;
    length += to - from;
    let kind = kinds[last] ?? null;
    if (largest < 0 && kind === null) return;
    if (kind === null || largest > kind.largest) widen(last, largest);
    kind = kinds[last] as Kind;
    copyInto(chunks[last] as Chunk, offset, values, from, to, kind.unknown);
  };
  return {
    get length() {
      return length;
    },
    append(values, count) {
      if (sealed !== null) throw new Error('a sealed column cannot grow');
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + CHUNK - (length & MASK));
        appendPart(values, from, to);
        from = to;
      }
    },
    push(value) {
      if (sealed !== null) throw new Error('a sealed column cannot grow');
      const offset = length & MASK;
      if (offset === 0) kinds.push(null);
      length++;
      const last = kinds.length - 1;
      const kind = kinds[last] ?? null;
      if (value === null) {
        if (kind !== null) (chunks[last] as Chunk)[offset] = kind.unknown;
        return;
      }
      if (kind === null || value > kind.largest) widen(last, value);
      (chunks[last] as Chunk)[offset] = value;
    },
    at(index) {
      if (sealed !== null) {
        const { column } = sealed;
        const value = column === null ? null : (column.values[index] as number);
        return value === column?.unknown ? null : value;
      }
      const kind = kinds[index >> CHUNK_BITS] ?? null;
      if (kind === null) return null;
      const value = (chunks[index >> CHUNK_BITS] as Chunk)[index & MASK] as number;
      return value === kind.unknown || Number.isNaN(value) ? null : value;
    },
    seal() {
      sealed ??= { column: kinds.every((kind) => kind === null) ? null : sealedOf(chunks, kinds, length) };
      return sealed.column;
    },
  };
}

function copyInto(
  chunk: Chunk,
  offset: number,
  values: Float64Array | Int32Array,
  from: number,
  to: number,
  unknown: number,
): void {
  const shift = offset - from;
  for (let index = from; index < to; index++) {
    const value = values[index] as number;
    chunk[index + shift] = value < 0 ? unknown : value;
  }
}

/** Copies the chunks into one array, and lets each go as soon as it is copied. */
function sealedOf(chunks: (Chunk | undefined)[], kinds: readonly (Kind | null)[], length: number): Sealed {
  const isLarge = chunks.some((chunk) => chunk instanceof Float64Array && chunk.some((value) => value >= NO_UINT));
  const unknown = isLarge ? Number.POSITIVE_INFINITY : NO_UINT;
  const values = isLarge ? new Float64Array(length) : new Uint32Array(length);
  for (const [index, kind] of kinds.entries()) {
    const start = index << CHUNK_BITS;
    const size = Math.min(CHUNK, length - start);
    const chunk = chunks[index];
    if (chunk === undefined || kind === null) {
      values.fill(unknown, start, start + size);
      continue;
    }
    for (let offset = 0; offset < size; offset++) {
      const value = chunk[offset] as number;
      values[start + offset] = value === kind.unknown || Number.isNaN(value) ? unknown : value;
    }
    chunks[index] = undefined;
  }
  return { values, unknown };
}

function widened(chunk: Chunk, from: Kind, to: Kind): Chunk {
  const wider = to.make();
  for (let index = 0; index < CHUNK; index++) {
    const value = chunk[index] as number;
    wider[index] = value === from.unknown ? to.unknown : value;
  }
  return wider;
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
