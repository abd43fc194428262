import { ByteIndex } from './byte-index';
import {
  amount,
  behindFlag,
  behindNull,
  behindScalar,
  behindSpaces,
  behindText,
  behindValue,
  byteAt,
  COLON,
  NOT_PLAIN,
  QUOTE,
  UNKNOWN,
} from './bytes';
import { addCall, depth } from './draft';
import { END, FIRST, Members } from './members';
import { isJson, normalForm } from './outside';
import { codeOfTool } from './tools';

const TOOL = 1;
const ARGS_DIGEST = 2;
const RESULT_DIGEST = 3;
const ERROR = 4;
const ARGS = 5;
const RESULT = 6;
const members = new Members(['tool', 'args_digest', 'result_digest', 'error', 'args', 'result']);
const BOTH_ARGS = (1 << ARGS_DIGEST) | (1 << ARGS);
const BOTH_RESULTS = (1 << RESULT_DIGEST) | (1 << RESULT);

// Digests and contents never equal one another: the numbers of the ones are even, of the others odd.
const digests = new ByteIndex();
const contents = new ByteIndex();

/** Normal forms that JavaScript makes are written here. */
export let formRoom: usize = 65_536;
export let form: usize = heap.alloc(65_536 + 16);

export function roomForForm(length: usize): usize {
  if (length > formRoom) {
    formRoom = length * 2;
    form = heap.alloc(formRoom + 16);
  }
  return form;
}

/** Contents are told apart within one run. */
export function clearContents(): void {
  digests.clear();
  contents.clear();
}

let tool: f64 = UNKNOWN;
let content: f64 = UNKNOWN;

/** One call, an object, told to the draft. */
export function behindCall(at: usize): usize {
  let next = members.follow(at, FIRST);
  let name = members.name;
  let seen = 0;
  let error = UNKNOWN;
  let args = UNKNOWN;
  let result = UNKNOWN;
  tool = UNKNOWN;
  while (next !== NOT_PLAIN && name !== END) {
    // A name that stands twice: which of the two counts is for the slow reader.
    if (name !== members.other && (seen & (1 << name)) !== 0) return NOT_PLAIN;
    seen |= 1 << name;
    if (name === TOOL) {
      next = behindTool(next);
    } else if (name === ARGS_DIGEST || name === ARGS) {
      next = name === ARGS ? behindContent(next) : behindDigest(next);
      args = content;
    } else if (name === RESULT_DIGEST || name === RESULT) {
      next = name === RESULT ? behindContent(next) : behindDigest(next);
      result = content;
    } else if (name === ERROR) {
      next = behindFlag(next);
      error = amount;
    } else {
      next = behindOther(next);
    }
    if (next === NOT_PLAIN) return NOT_PLAIN;
    next = members.follow(next, name);
    name = members.name;
  }
  // Of a content beside its digest only one counts.
  const isDoubled = (seen & BOTH_ARGS) === BOTH_ARGS || (seen & BOTH_RESULTS) === BOTH_RESULTS;
  if (next === NOT_PLAIN || tool === UNKNOWN || isDoubled) return NOT_PLAIN;
  addCall(tool, args, result, error);
  return next;
}

function behindTool(at: usize): usize {
  const next = behindText(at);
  if (next === NOT_PLAIN || next === at + 2) return NOT_PLAIN;
  if (depth === 0) {
    tool = 0;
    return next;
  }
  tool = codeOfTool(at + 1, next - 1);
  return next;
}

/** A text that is not empty, or `null`. */
function behindDigest(at: usize): usize {
  content = UNKNOWN;
  if (byteAt(at) !== QUOTE) return behindNull(at);
  const next = behindText(at);
  if (next === NOT_PLAIN || next === at + 2) return NOT_PLAIN;
  if (depth === 2) content = <f64>(digests.codeOf(at + 1, next - 1) << 1);
  return next;
}

/** Any JSON, or `null`: known by its normal form, which a text mostly is itself. */
function behindContent(at: usize): usize {
  content = UNKNOWN;
  const isText = byteAt(at) === QUOTE;
  const plain = isText ? behindText(at) : behindNull(at);
  if (plain !== NOT_PLAIN && (!isText || isOnlyText(at + 1))) {
    if (isText && depth === 2) content = contentCode(at, plain);
    return plain;
  }
  const next = behindValue(at);
  if (next === NOT_PLAIN) return NOT_PLAIN;
  const length = normalForm(at, next);
  if (length < 0) return NOT_PLAIN;
  content = contentCode(form, form + length);
  return next;
}

function contentCode(from: usize, to: usize): f64 {
  return <f64>((contents.codeOf(from, to) << 1) | 1);
}

/** Whether a text cannot hold JSON, because it begins with a letter that no JSON begins with. */
function isOnlyText(at: usize): bool {
  const byte = byteAt(at);
  const letter = byte | 0x20;
  const isLetter = letter >= 0x61 && letter <= 0x7a;
  // t, f and n begin true, false and null.
  return isLetter && byte !== 0x74 && byte !== 0x66 && byte !== 0x6e;
}

/** A member that no reader asks for. */
export function behindOther(at: usize): usize {
  const name = behindText(at);
  if (name === NOT_PLAIN || byteAt(name) !== COLON) return NOT_PLAIN;
  const value = behindSpaces(name + 1);
  const next = behindScalar(value);
  if (next !== NOT_PLAIN) return next;
  const end = behindValue(value);
  return end !== NOT_PLAIN && isJson(value, end) ? end : NOT_PLAIN;
}
