/** A value that JSON can hold, where typed arrays are written as texts. */
type Packed = null | boolean | number | string | readonly Packed[] | { readonly [key: string]: Packed };

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const;
type ArrayName = keyof typeof ARRAYS;
type AnyArray = InstanceType<(typeof ARRAYS)[ArrayName]>;

/** Marks a typed array: the kind, then its bytes in base64, little end first. */
const MARK = /^\u0000(u8|u16|u32|f64):/;
/** More arguments than this do not fit a call. */
const PIECE = 8192;
/** Infinity stands for unknown in wide columns, and JSON has none. */
const INFINITE = '\u0000inf';
/** Stands before a text that would else be taken for one of these. */
const TEXT = '\u0000s';

/**
 * A value of plain objects, lists, texts, numbers and typed arrays as JSON text: a packed table, for a page that reads
 * it by `fromPlain`.
 */
export function toPlain(value: unknown): string {
  return JSON.stringify(packed(value));
}

/** What `toPlain` was given. @throws SyntaxError where the text is no JSON */
export function fromPlain(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? unpacked(value) : value));
}

function packed(value: unknown): Packed {
  if (value === Number.POSITIVE_INFINITY) return INFINITE;
  if (typeof value === 'string') return value.startsWith('\u0000') ? TEXT + value : value;
  if (ArrayBuffer.isView(value)) return textOf(value as AnyArray);
  if (Array.isArray(value)) return value.map(packed);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, packed(each)]));
  return value as Packed;
}

function textOf(array: AnyArray): string {
  const name = (Object.keys(ARRAYS) as ArrayName[]).find((each) => array instanceof ARRAYS[each]);
  if (name === undefined) throw new TypeError('no such array can be packed');
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return `\u0000${name}:${btoa(binary)}`;
}

function unpacked(text: string): unknown {
  if (text.startsWith(TEXT)) return text.slice(TEXT.length);
  if (text === INFINITE) return Number.POSITIVE_INFINITY;
  const found = MARK.exec(text);
  if (found === null) return text;
  const binary = atob(text.slice(found[0].length));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new ARRAYS[found[1] as ArrayName](bytes.buffer);
}
