import { amount, behindAmount, byteAt, COMMA, NOT_PLAIN, QUOTE, SPACE, UNKNOWN } from './bytes';

/*
 * The cells of a CSV row without quotes, read from memory. As in `bytes.ts` every function takes the place where its part
 * begins and gives the place behind it. A cell ends at a comma or a line end; what else follows it, the reader of the row
 * finds there and gives up.
 */

export const LINE_FEED: u32 = 0x0a;
export const CARRIAGE_RETURN: u32 = 0x0d;
const APOSTROPHE: u32 = 0x27;
const BACKSLASH: u32 = 0x5c;
const ZERO: u32 = 0x30;
const SMALL_E: u32 = 0x65;
/** What makes a letter of the ASCII alphabet a small one, four at a time. */
const SMALL: u32 = 0x20202020;
/** `true`, `fals` and `unkn`, `nown` as they lie in memory. */
const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;
const UNKN: u32 = 0x6e6b6e75;
const NOWN: u32 = 0x6e776f6e;

/** Stands for passes that were not recorded, where the number of a pass is asked. */
export const NOT_RECORDED: f64 = -2;

/** What the function that read last has found: atoms, 1 or 0 of a flag, a pass; `UNKNOWN` of an empty cell. */
export let figure: f64 = UNKNOWN;
/** Some cell held bytes beyond ASCII: whether they are UTF-8 is for who reads the rows to find out. */
export let isBeyondAscii: bool = false;

export function forgetBeyondAscii(): void {
  isBeyondAscii = false;
}

/** The end of a text as it stands, looked at 16 bytes at a time. */
export function behindText(at: usize): usize {
  return firstOf(at, QUOTE);
}

/** The end of a text that stands for itself: one that the writer had to change has a backslash in it, or ' before it. */
export function behindPlainText(at: usize): usize {
  return byteAt(at) === APOSTROPHE ? NOT_PLAIN : firstOf(at, BACKSLASH);
}

/** The place of the first comma, quote, control character or `other`. */
function firstOf(at: usize, other: u32): usize {
  const commas = i8x16.splat(<i8>COMMA);
  const quotes = i8x16.splat(<i8>QUOTE);
  const others = i8x16.splat(<i8>other);
  const spaces = i8x16.splat(<i8>SPACE);
  let next = at;
  while (true) {
    const bytes = v128.load(next);
    const marks = v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, others));
    const ends = v128.or(v128.or(i8x16.eq(bytes, commas), i8x16.lt_u(bytes, spaces)), marks);
    // The highest bit of a byte: beyond ASCII. Those of the next cells are looked at in vain, which is seldom.
    if (i8x16.bitmask(bytes) !== 0) isBeyondAscii = true;
    const found = i8x16.bitmask(ends);
    if (found !== 0) return next + ctz(found);
    next += 16;
  }
}

/** A plain decimal of up to so many places, or nothing. Leaves its atoms. */
export function behindFigure(at: usize, places: i32): usize {
  if (byteAt(at) - ZERO > 9) {
    figure = UNKNOWN;
    return behindNothing(at);
  }
  const next = behindAmount(at, places);
  figure = amount;
  return next;
}

/** The number of a pass, `unknown`, or nothing. */
export function behindPassNumber(at: usize): usize {
  if (load<u32>(at) === UNKN && load<u32>(at + 3) === NOWN) {
    figure = NOT_RECORDED;
    return at + 7;
  }
  const next = behindFigure(at, 0);
  return figure === 0 ? NOT_PLAIN : next;
}

/** `true` or `false` in letters of any size, or nothing. */
export function behindFlag(at: usize): usize {
  const word = load<u32>(at) | SMALL;
  if (word === FALS && (byteAt(at + 4) | SPACE) === SMALL_E) {
    figure = 0;
    return at + 5;
  }
  if (word === TRUE) {
    figure = 1;
    return at + 4;
  }
  figure = UNKNOWN;
  return behindNothing(at);
}

function behindNothing(at: usize): usize {
  const byte = byteAt(at);
  return byte === COMMA || byte < SPACE ? at : NOT_PLAIN;
}

export function behindLineEnd(at: usize): usize {
  const byte = byteAt(at);
  if (byte === LINE_FEED) return at + 1;
  return byte === CARRIAGE_RETURN && byteAt(at + 1) === LINE_FEED ? at + 2 : NOT_PLAIN;
}
