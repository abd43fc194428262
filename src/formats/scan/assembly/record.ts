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
  SHORT,
  UNKNOWN,
} from './bytes';
import { behindOther, clearContents } from './calls';
import { beginDraft, dropDraft, emptyDraft, isExact } from './draft';
import { END, FIRST, Members } from './members';
import { isText } from './outside';
import { behindPasses } from './passes';
import { addRun, emptyRuns, tellRuns } from './runs';
import { settingOf } from './settings';
import { timeAt } from './times';

export { roomForForm } from './calls';
export { setDepth } from './draft';
export { isWhole, narrow, narrowed } from './narrow';
export { held } from './runs';

/*
 * Reads run records from bytes, taking only what a table keeps. A record that is not plain (escapes, exponents, a member
 * twice, anything that may be a mistake) is left to the slow reader, which says what it is: the two never differ, only
 * this one sometimes says nothing. The figures of passes go into a draft number by number, and what many runs share, such
 * as status and labels, is handed to JavaScript once. So JavaScript is called for thousands of runs at a time: deriving
 * from 100,000 runs took 1.3 s where it was called for each of them, 0.96 s since, by one thread both.
 *
 * It is AssemblyScript, TypeScript for WebAssembly: memory is looked at 8 and 16 bytes at a time and without checks. A
 * file of 368 MB takes 0.45 s of processor time here; handed over run by run it took 1.1, where the same code in
 * JavaScript took 3.4 and JSON.parse of each line 4.5, on one machine that did other work as well.
 */

const LINE_FEED: u32 = 0x0a;
const CARRIAGE_RETURN: u32 = 0x0d;

/** Stand for a part that no other record need have, and for one that is not there. */
const NO_NUMBER: i32 = -1;
const ABSENT: i32 = -2;

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

/** What is kept of a part: from, to, and the number that equal bytes share, -1 for none. All are 0 where it is absent. */
const PART: usize = 12;
const PARTS: usize = PART * (TOTALS + 1);
const found: usize = heap.alloc(PARTS);
/** The numbers of the parts that make a setting, one behind the other. */
const setting: usize = heap.alloc(PARTS + 16);

/** Beyond this the parts are not shared by many, and would only be held. */
const MOST_SHARED = 4096;
const shared = new ByteIndex();

/** Room for the bytes that are read, and more for the widest look. */
let inputRoom: usize = 0;
let input: usize = 0;

let line: i32 = 0;

/** The place for so many bytes to be read, the first of which are there already. */
export function roomForInput(length: usize, kept: usize): usize {
  if (length + SHORT > inputRoom) {
    const before = input;
    inputRoom = (length + SHORT) * 2;
    input = heap.alloc(inputRoom);
    memory.copy(input, before, kept);
  }
  return input;
}

/** Where the parts of the record lie that is read. */
export function partsFound(): usize {
  return found;
}

/** What is told of the runs that were read. */
const told: usize = heap.alloc(64);

export function tell(): usize {
  beginDraft();
  tellRuns(told);
  return told;
}

/** Begins anew, whatever was read and not taken. @param lines how many lines come before the first one */
export function begin(lines: i32): void {
  beginDraft();
  goOn(lines);
}

/** The runs that were read have been taken. @param lines how many lines come before the next one */
export function goOn(lines: i32): void {
  emptyDraft();
  emptyRuns();
  line = lines;
}

export function linesRead(): i32 {
  return line;
}

/** Reads the lines in [from, to), all of them whole, up to the first that is not plain. @returns where that begins */
export function scan(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const next = behindLine(at);
    if (next === NOT_PLAIN) {
      dropDraft();
      break;
    }
    at = next;
  }
  return at;
}

/** One record and its line end. */
function behindLine(from: usize): usize {
  beginDraft();
  clearContents();
  forgetBeyondAscii();
  memory.fill(found, 0, PARTS);
  let next = members.follow(from, FIRST);
  let name = members.name;
  let seen = 0;
  while (next !== NOT_PLAIN && name !== END) {
    if (name !== members.other && (seen & (1 << name)) !== 0) return NOT_PLAIN;
    seen |= 1 << name;
    next = name === members.other ? behindOther(next) : behindMember(name, next);
    if (next === NOT_PLAIN) return NOT_PLAIN;
    next = members.follow(next, name);
    name = members.name;
  }
  const isWhole = (seen & (1 << ID)) !== 0 && (seen & (1 << STATUS)) !== 0;
  if (next === NOT_PLAIN || !isWhole || !isExact) return NOT_PLAIN;
  const end = behindLineEnd(behindSpaces(next));
  if (end === NOT_PLAIN || (isBeyondAscii && !isText(from, end)) || !isRunTaken(from)) return NOT_PLAIN;
  line++;
  return end;
}

function behindLineEnd(at: usize): usize {
  const next = byteAt(at) === CARRIAGE_RETURN ? at + 1 : at;
  return byteAt(next) === LINE_FEED ? next + 1 : NOT_PLAIN;
}

/** Takes the run whose parts were found. */
function isRunTaken(from: usize): bool {
  let start: f64 = UNKNOWN;
  if (fromOf(STARTED_AT) !== 0) {
    start = timeAt(fromOf(STARTED_AT) + 1, toOf(STARTED_AT) - 1);
    if (Number.isNaN(start)) return false;
  }
  // No id is empty.
  if (toOf(ID) - fromOf(ID) === 2) return false;
  const code = settingOfParts();
  if (code < 0) return false;
  addRun(line + 1, from, code, start, fromOf(PASSES) !== 0, fromOf(ID) + 1, toOf(ID) - 1);
  return true;
}

function settingOfParts(): i32 {
  let isOwn = false;
  let to = setting;
  for (let name = STATUS; name <= TOTALS; name++) {
    if (name === STARTED_AT || name === PASSES) continue;
    const code = fromOf(name) === 0 ? ABSENT : load<i32>(found + <usize>name * PART + 8);
    if (code === NO_NUMBER) isOwn = true;
    store<i32>(to, code);
    to += 4;
  }
  return settingOf(setting, to, isOwn);
}

function behindMember(name: i32, at: usize): usize {
  if (name === PASSES) {
    if (byteAt(at) !== OPEN_LIST) return behindNull(at);
    const next = behindPasses(at);
    keep(name, at, next, NO_NUMBER);
    return next;
  }
  const isObject = name === LABELS || name === RECORDED_UNDER || name === TOTALS;
  if (byteAt(at) !== (isObject ? OPEN_OBJECT : QUOTE))
    return name === ID || name === STATUS ? NOT_PLAIN : behindNull(at);
  const next = isObject ? behindValue(at) : behindText(at);
  if (next === NOT_PLAIN) return NOT_PLAIN;
  const isOwn = name === ID || name === STARTED_AT || name === TOTALS;
  keep(name, at, next, isOwn ? NO_NUMBER : shared.codeOf(at, next, MOST_SHARED));
  return next;
}

function keep(name: i32, from: usize, to: usize, code: i32): void {
  const part = found + <usize>name * PART;
  store<u32>(part, <u32>from);
  store<u32>(part + 4, <u32>to);
  store<i32>(part + 8, code);
}

function fromOf(name: i32): usize {
  return <usize>load<u32>(found + <usize>name * PART);
}

function toOf(name: i32): usize {
  return <usize>load<u32>(found + <usize>name * PART + 4);
}
