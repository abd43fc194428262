import { type RunDraft, UNKNOWN } from '../../model/run-draft.js';
import {
  behindAmount,
  behindNull,
  behindSpaces,
  behindText,
  CLOSE_LIST,
  COMMA,
  type Found,
  NOT_PLAIN,
  OPEN_LIST,
  QUOTE,
} from './json-bytes.js';
import { END, FIRST, MemberNames } from './member-names.js';
import { behindOther } from './other-member.js';
import type { CallScanner } from './scan-call.js';

const NAMES = new MemberNames([
  ...['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'],
  ...['seconds', 'usd', 'calls', 'steps', 'model'],
]);
const [INPUT, OUTPUT, CACHE_READ, CACHE_WRITE, SECONDS, USD, CALLS, STEPS, MODEL] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const OTHERS = 1 << NAMES.other;

/** Decimals of one atom: microseconds, and billionths of a dollar. */
const MICROS = 6;
const NANOS = 9;

/** From the opening bracket of a list to its first item, or behind the closing one. */
function behindOpening(bytes: DataView, at: number): number {
  if (bytes.getUint8(at) !== OPEN_LIST) return NOT_PLAIN;
  const next = behindSpaces(bytes, at + 1);
  return bytes.getUint8(next) === CLOSE_LIST ? next + 1 : next;
}

/** From behind an item to the next one, or behind the closing bracket. */
function behindItem(bytes: DataView, at: number): number {
  const mark = behindSpaces(bytes, at);
  const byte = bytes.getUint8(mark);
  return byte === COMMA ? behindSpaces(bytes, mark + 1) : byte === CLOSE_LIST ? mark + 1 : NOT_PLAIN;
}

/** Items are objects, so that a place behind a closing bracket is behind the list. */
function isBehindList(bytes: DataView, at: number): boolean {
  return bytes.getUint8(at - 1) === CLOSE_LIST;
}

/** The passes of one run, told to the draft. */
export function behindPasses(bytes: DataView, at: number, found: Found, calls: CallScanner, draft: RunDraft): number {
  let next = behindOpening(bytes, at);
  while (next !== NOT_PLAIN && !isBehindList(bytes, next)) {
    next = behindPass(bytes, next, found, calls, draft);
    if (next !== NOT_PLAIN) next = behindItem(bytes, next);
  }
  return next;
}

/** One pass, an object, and its calls. */
function behindPass(bytes: DataView, at: number, found: Found, calls: CallScanner, draft: RunDraft): number {
  let next = NAMES.follow(bytes, at, FIRST);
  let name = NAMES.name;
  let seen = 0;
  let input = UNKNOWN;
  let output = UNKNOWN;
  let micros = UNKNOWN;
  let nanos = UNKNOWN;
  let steps = UNKNOWN;
  while (next !== NOT_PLAIN && name !== END) {
    if ((seen & (1 << name) & ~OTHERS) !== 0) return NOT_PLAIN;
    seen |= 1 << name;
    if (name === INPUT) {
      next = behindAmount(bytes, next, 0, found);
      input = found.amount;
    } else if (name === OUTPUT) {
      next = behindAmount(bytes, next, 0, found);
      output = found.amount;
    } else if (name === CACHE_READ || name === CACHE_WRITE) {
      next = behindAmount(bytes, next, 0, found);
    } else if (name === SECONDS) {
      next = behindAmount(bytes, next, MICROS, found);
      micros = found.amount;
    } else if (name === USD) {
      next = behindAmount(bytes, next, NANOS, found);
      nanos = found.amount;
    } else if (name === CALLS) {
      next = behindCalls(bytes, next, calls, draft);
    } else if (name === STEPS) {
      next = behindAmount(bytes, next, 0, found);
      steps = found.amount;
    } else if (name === MODEL) {
      next = behindModel(bytes, next, found);
    } else {
      next = behindOther(bytes, next, found);
    }
    if (next === NOT_PLAIN) return NOT_PLAIN;
    next = NAMES.follow(bytes, next, name);
    name = NAMES.name;
  }
  if (next !== NOT_PLAIN) {
    draft.endPass(input === UNKNOWN || output === UNKNOWN ? UNKNOWN : input + output, micros, nanos, steps);
  }
  return next;
}

function behindCalls(bytes: DataView, at: number, calls: CallScanner, draft: RunDraft): number {
  if (bytes.getUint8(at) !== OPEN_LIST) return behindNull(bytes, at);
  let next = behindOpening(bytes, at);
  while (next !== NOT_PLAIN && !isBehindList(bytes, next)) {
    next = calls.behindCall(bytes, next, draft);
    if (next !== NOT_PLAIN) next = behindItem(bytes, next);
  }
  return next;
}

/** A text that is not empty, or `null`; the table does not keep it. */
function behindModel(bytes: DataView, at: number, found: Found): number {
  if (bytes.getUint8(at) !== QUOTE) return behindNull(bytes, at);
  const next = behindText(bytes, at, found);
  return next === at + 2 ? NOT_PLAIN : next;
}
