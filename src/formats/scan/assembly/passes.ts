import {
  amount,
  behindAmount,
  behindNull,
  behindSpaces,
  behindText,
  byteAt,
  CLOSE_LIST,
  COMMA,
  NOT_PLAIN,
  OPEN_LIST,
  QUOTE,
  UNKNOWN,
} from './bytes';
import { behindCall, behindOther } from './calls';
import { endPass } from './draft';
import { END, FIRST, Members } from './members';

const INPUT = 1;
const OUTPUT = 2;
const CACHE_READ = 3;
const CACHE_WRITE = 4;
const SECONDS = 5;
const USD = 6;
const CALLS = 7;
const STEPS = 8;
const MODEL = 9;
const members = new Members([
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'seconds',
  'usd',
  'calls',
  'steps',
  'model',
]);

/** Decimals of one atom: microseconds, and billionths of a dollar. */
const MICROS = 6;
const NANOS = 9;

/** The passes of one run, told to the draft. */
export function behindPasses(at: usize): usize {
  let next = behindOpening(at);
  while (next !== NOT_PLAIN && !isBehindList(next)) {
    next = behindPass(next);
    if (next !== NOT_PLAIN) next = behindItem(next);
  }
  return next;
}

/** One pass, an object, and its calls. */
function behindPass(at: usize): usize {
  let next = members.follow(at, FIRST);
  let name = members.name;
  let seen = 0;
  let input = UNKNOWN;
  let output = UNKNOWN;
  let micros = UNKNOWN;
  let nanos = UNKNOWN;
  let steps = UNKNOWN;
  while (next !== NOT_PLAIN && name !== END) {
    if (name !== members.other && (seen & (1 << name)) !== 0) return NOT_PLAIN;
    seen |= 1 << name;
    if (name === INPUT) {
      next = behindAmount(next, 0);
      input = amount;
    } else if (name === OUTPUT) {
      next = behindAmount(next, 0);
      output = amount;
    } else if (name === CACHE_READ || name === CACHE_WRITE) {
      next = behindAmount(next, 0);
    } else if (name === SECONDS) {
      next = behindAmount(next, MICROS);
      micros = amount;
    } else if (name === USD) {
      next = behindAmount(next, NANOS);
      nanos = amount;
    } else if (name === CALLS) {
      next = behindCalls(next);
    } else if (name === STEPS) {
      next = behindAmount(next, 0);
      steps = amount;
    } else if (name === MODEL) {
      next = behindModel(next);
    } else {
      next = behindOther(next);
    }
    if (next === NOT_PLAIN) return NOT_PLAIN;
    next = members.follow(next, name);
    name = members.name;
  }
  if (next !== NOT_PLAIN) {
    endPass(input === UNKNOWN || output === UNKNOWN ? UNKNOWN : input + output, micros, nanos, steps);
  }
  return next;
}

function behindCalls(at: usize): usize {
  if (byteAt(at) !== OPEN_LIST) return behindNull(at);
  let next = behindOpening(at);
  while (next !== NOT_PLAIN && !isBehindList(next)) {
    next = behindCall(next);
    if (next !== NOT_PLAIN) next = behindItem(next);
  }
  return next;
}

/** A text that is not empty, or `null`; the table does not keep it. */
function behindModel(at: usize): usize {
  if (byteAt(at) !== QUOTE) return behindNull(at);
  const next = behindText(at);
  return next === at + 2 ? NOT_PLAIN : next;
}

/** From the opening bracket of a list to its first item, or behind the closing one. */
function behindOpening(at: usize): usize {
  if (byteAt(at) !== OPEN_LIST) return NOT_PLAIN;
  const next = behindSpaces(at + 1);
  return byteAt(next) === CLOSE_LIST ? next + 1 : next;
}

/** From behind an item to the next one, or behind the closing bracket. */
function behindItem(at: usize): usize {
  const mark = behindSpaces(at);
  const byte = byteAt(mark);
  return byte === COMMA ? behindSpaces(mark + 1) : byte === CLOSE_LIST ? mark + 1 : NOT_PLAIN;
}

/** Items are objects, so that a place behind a closing bracket is behind the list. */
function isBehindList(at: usize): bool {
  return byteAt(at - 1) === CLOSE_LIST;
}
