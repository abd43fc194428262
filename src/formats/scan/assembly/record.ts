import { ByteIndex } from './byte-index';
import {
  behindNull,
  behindSpaces,
  behindText,
  behindValue,
  byteAt,
  forgetBeyondAscii,
  isBeyondAscii,
  NOT_PLAIN,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './bytes';
import { behindOther, clearContents } from './calls';
import { clearDraft, isExact, tellDraft } from './draft';
import { END, FIRST, Members } from './members';
import { behindPasses } from './passes';

export { roomForForm } from './calls';
export { setDepth } from './draft';

/*
 * Reads run records from bytes, taking only what a table keeps. A record that is not plain (escapes, exponents, a member
 * twice, anything that may be a mistake) is left to the slow reader, which says what it is: the two never differ, only
 * this one sometimes says nothing. The figures of passes go into a draft number by number. The other parts of a run are
 * handed to JavaScript as places, those that many runs share with a number, so that each is understood once.
 *
 * It is AssemblyScript, TypeScript for WebAssembly: memory is looked at 8 and 16 bytes at a time and without checks. A
 * file of 368 MB took 1.1 s of processor time where the same code in JavaScript took 3.4 and JSON.parse of each line 4.5,
 * on one machine that did other work as well.
 */

const ID = 1;
const STATUS = 2;
const LABELS = 5;
const STARTED_AT = 6;
const RECORDED_UNDER = 7;
const PASSES = 8;
const TOTALS = 10;
/** The members in their order; JavaScript knows them by it as well. */
const members = new Members([
  'id',
  'status',
  'check',
  'claim',
  'labels',
  'started_at',
  'recorded_under',
  'passes',
  'reason',
  'totals',
]);

/** What is kept of a part: from, to, and its number, -1 for none. All are 0 where it is absent or `null`. */
const PART: usize = 12;
const MORE: usize = PART * (TOTALS + 1);
const found: usize = heap.alloc(MORE + 32);

/** Beyond this the parts are not shared by many, and would only be held. */
const MOST_SHARED = 4096;
const shared = new ByteIndex();

/** Room for the bytes that are read, and 16 more for the widest look. */
let inputRoom: usize = 0;
let input: usize = 0;

/** The place for so many bytes to be read; what lay there before is gone where it has to move. */
export function roomForInput(length: usize): usize {
  if (length + 16 > inputRoom) {
    inputRoom = (length + 16) * 2;
    input = heap.alloc(inputRoom);
  }
  return input;
}

/** Where lies what was found in the record that was scanned last: one part behind the other, then eight words more. */
export function result(): usize {
  return found;
}

/** Reads the record in [from, to), behind which a byte below a space stands; false where it is not plain. */
export function scan(from: usize, to: usize): bool {
  clearDraft();
  clearContents();
  forgetBeyondAscii();
  memory.fill(found, 0, MORE);
  let next = members.follow(from, FIRST);
  let name = members.name;
  let seen = 0;
  while (next !== NOT_PLAIN && name !== END) {
    if (name !== members.other && (seen & (1 << name)) !== 0) return false;
    seen |= 1 << name;
    next = name === members.other ? behindOther(next) : behindMember(name, next);
    if (next === NOT_PLAIN) return false;
    next = members.follow(next, name);
    name = members.name;
  }
  store<u32>(found + MORE, isBeyondAscii ? 1 : 0);
  tellDraft(found + MORE + 4);
  const isWhole = (seen & (1 << ID)) !== 0 && (seen & (1 << STATUS)) !== 0;
  return next !== NOT_PLAIN && isWhole && isExact && behindSpaces(next) === to;
}

function behindMember(name: i32, at: usize): usize {
  if (name === PASSES) {
    if (byteAt(at) !== OPEN_LIST) return behindNull(at);
    const next = behindPasses(at);
    keep(name, at, next, -1);
    return next;
  }
  const isObject = name === LABELS || name === RECORDED_UNDER || name === TOTALS;
  if (byteAt(at) !== (isObject ? OPEN_OBJECT : QUOTE))
    return name === ID || name === STATUS ? NOT_PLAIN : behindNull(at);
  const next = isObject ? behindValue(at) : behindText(at);
  if (next === NOT_PLAIN) return NOT_PLAIN;
  const isOwn = name === ID || name === STARTED_AT || name === TOTALS;
  keep(name, at, next, isOwn ? -1 : shared.codeOf(at, next, MOST_SHARED));
  return next;
}

function keep(name: i32, from: usize, to: usize, code: i32): void {
  const part = found + <usize>name * PART;
  store<u32>(part, <u32>from);
  store<u32>(part + 4, <u32>to);
  store<i32>(part + 8, code);
}
