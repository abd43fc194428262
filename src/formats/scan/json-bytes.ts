import { UNKNOWN } from '../../model/run-draft.js';
import { HASH_START, hashWith } from './byte-index.js';

/*
 * The parts of JSON that run records are made of, read from bytes. Every function takes the place where its part begins
 * and gives the place behind it, or NOT_PLAIN where the part is anything but the plain form: no escapes, no exponents,
 * no white space but spaces. The slow reader then decides. Every line ends in a byte below a space, so that no loop
 * needs to know where.
 */

export const NOT_PLAIN = -1;

export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const BIG_E = 0x45;
export const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
const SMALL_E = 0x65;
const SMALL_F = 0x66;
const SMALL_T = 0x74;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const ASCII_END = 0x80;

/** The bytes of `null`, `rue` and `alse` as one number each. */
const NULL = wordOf('null');
const TRUE = wordOf('true');
const ALSE = wordOf('alse');

function wordOf(four: string): number {
  return new DataView(new TextEncoder().encode(four).buffer).getInt32(0);
}

export function behindSpaces(bytes: DataView, at: number): number {
  let next = at;
  while (bytes.getUint8(next) === SPACE) next++;
  return next;
}

/** What the function that read last has found beside the place behind it. */
export class Found {
  /** Atoms of an amount, 1 or 0 of a flag, `UNKNOWN` for null. */
  amount = UNKNOWN;
  /** Of the text between the quotes. */
  hash = HASH_START;
  /** Some text held bytes beyond ASCII: whether they are UTF-8 is for who reads the line to find out. */
  isBeyondAscii = false;
}

/** A text without escapes, from quote to quote. Leaves its hash. */
export function behindText(bytes: DataView, at: number, found: Found): number {
  if (bytes.getUint8(at) !== QUOTE) return NOT_PLAIN;
  let next = at + 1;
  let hash = HASH_START;
  let all = 0;
  for (let byte = bytes.getUint8(next); byte !== QUOTE; byte = bytes.getUint8(++next)) {
    if (byte < SPACE || byte === BACKSLASH) return NOT_PLAIN;
    hash = hashWith(hash, byte);
    all |= byte;
  }
  found.hash = hash;
  if (all >= ASCII_END) found.isBeyondAscii = true;
  return next + 1;
}

function isWord(bytes: DataView, at: number, word: number): boolean {
  return at + 4 <= bytes.byteLength && bytes.getInt32(at) === word;
}

/** `null`. */
export function behindNull(bytes: DataView, at: number): number {
  return isWord(bytes, at, NULL) ? at + 4 : NOT_PLAIN;
}

/** `true`, `false` or `null`. Leaves 1, 0 or `UNKNOWN`. */
export function behindFlag(bytes: DataView, at: number, found: Found): number {
  const byte = bytes.getUint8(at);
  if (byte === SMALL_F) {
    found.amount = 0;
    return isWord(bytes, at + 1, ALSE) ? at + 5 : NOT_PLAIN;
  }
  if (byte === SMALL_T) {
    found.amount = 1;
    return isWord(bytes, at, TRUE) ? at + 4 : NOT_PLAIN;
  }
  found.amount = UNKNOWN;
  return behindNull(bytes, at);
}

/** Up to so many digits a whole number of atoms is exact, and a double prints back as the decimal it was made of. */
const DIGITS = 15;

/**
 * A number from 0 up, or `null`. Leaves it in atoms.
 *
 * @param places how many decimals an atom has: 0 for counts, 6 for microseconds, 9 for billionths
 */
export function behindAmount(bytes: DataView, at: number, places: number, found: Found): number {
  let next = at;
  let digit = bytes.getUint8(next) - ZERO;
  if (digit < 0 || digit > 9) {
    found.amount = UNKNOWN;
    return behindNull(bytes, at);
  }
  let amount = 0;
  for (; digit >= 0 && digit <= 9; digit = bytes.getUint8(++next) - ZERO) amount = amount * 10 + digit;
  const whole = next - at;
  if (whole > 1 && bytes.getUint8(at) === ZERO) return NOT_PLAIN;
  let missing = places;
  if (digit === DOT - ZERO) {
    digit = bytes.getUint8(++next) - ZERO;
    if (digit < 0 || digit > 9) return NOT_PLAIN;
    for (; digit >= 0 && digit <= 9; digit = bytes.getUint8(++next) - ZERO) {
      amount = amount * 10 + digit;
      missing--;
    }
  }
  if (missing < 0 || whole + places > DIGITS || goesOn(bytes.getUint8(next))) return NOT_PLAIN;
  for (; missing > 0; missing--) amount *= 10;
  found.amount = amount;
  return next;
}

/** An exponent, or another sign of a number that goes on. */
function goesOn(byte: number): boolean {
  return byte === SMALL_E || byte === BIG_E || byte === DOT;
}

/** A text, a number, true, false or null: a value that is passed over. */
export function behindScalar(bytes: DataView, at: number, found: Found): number {
  const byte = bytes.getUint8(at);
  if (byte === QUOTE) return behindText(bytes, at, found);
  if (byte >= ZERO && byte <= NINE) return behindNumber(bytes, at);
  if (byte === MINUS) return behindNumber(bytes, at + 1);
  return behindFlag(bytes, at, found);
}

/** A number without exponent. */
function behindNumber(bytes: DataView, at: number): number {
  const whole = behindDigits(bytes, at);
  if (whole === at || (whole - at > 1 && bytes.getUint8(at) === ZERO)) return NOT_PLAIN;
  let next = whole;
  if (bytes.getUint8(next) === DOT) {
    next = behindDigits(bytes, whole + 1);
    if (next === whole + 1) return NOT_PLAIN;
  }
  return goesOn(bytes.getUint8(next)) ? NOT_PLAIN : next;
}

function behindDigits(bytes: DataView, at: number): number {
  let next = at;
  while (bytes.getUint8(next) >= ZERO && bytes.getUint8(next) <= NINE) next++;
  return next;
}

/** A whole value of any kind, found by its brackets and quotes: whether it is JSON is for a parser to say. */
export function behindValue(bytes: DataView, at: number): number {
  let depth = 0;
  for (let next = at; bytes.getUint8(next) >= SPACE; next++) {
    const byte = bytes.getUint8(next);
    if (byte === QUOTE) {
      next = closingQuote(bytes, next + 1);
      if (next === NOT_PLAIN) return NOT_PLAIN;
      if (depth === 0) return next + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth <= 1) return depth === 0 ? next : next + 1;
      depth--;
    } else if (byte === COMMA && depth === 0) {
      return next;
    }
  }
  return NOT_PLAIN;
}

function closingQuote(bytes: DataView, at: number): number {
  for (let next = at; bytes.getUint8(next) >= SPACE; next++) {
    const byte = bytes.getUint8(next);
    if (byte === QUOTE) return next;
    // The byte behind a backslash is never the end of the text; the end of the line is.
    if (byte === BACKSLASH && bytes.getUint8(next + 1) >= SPACE) next++;
  }
  return NOT_PLAIN;
}
