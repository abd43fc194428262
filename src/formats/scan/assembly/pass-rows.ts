import { ByteIndex } from './byte-index';
import { byteAt, COMMA, isSame, NOT_PLAIN, UNKNOWN } from './bytes';
import {
  behindFigure,
  behindFlag,
  behindLineEnd,
  behindPassNumber,
  behindPlainText,
  behindText,
  figure,
  forgetBeyondAscii,
  isBeyondAscii,
  NOT_RECORDED,
} from './cells';
import { addCall, beginDraft, depth, emptyDraft, endPass, isExact } from './draft';
import {
  beginRun,
  behindCells,
  behindSame,
  columns,
  forgetIds,
  groupEndOf,
  id,
  idEnd,
  kindOf,
  PASS,
  settingOfRun,
  start,
  TOTAL,
} from './run-cells';
import { addRun, emptyRuns, tellRuns } from './runs';
import { codeOfTool } from './tools';

export { setDepth } from './draft';
export { isWhole, narrow, narrowed } from './narrow';
export { cellsOfRun, groupColumns, roomForColumns } from './run-cells';
export { held } from './runs';

/*
 * Reads a table of passes from bytes, taking only what a table of runs keeps. It reads plain tables alone: no quotes, the
 * rows of a run together and its passes in their order, nothing that may be a mistake. At the first row that is anything
 * else it gives up for good, and the slow reader reads the table from its start: the two never differ. The figures of
 * passes go into a draft number by number, and JavaScript is called for thousands of runs at a time.
 */

/** What a row may hold beside what it says of the run, by the kind of its column. */
const INPUT: i32 = 6;
const SECONDS: i32 = 10;
const USD: i32 = 11;
const STEPS: i32 = 12;
const MODEL: i32 = 13;
const TOOL: i32 = 14;
const RESULT: i32 = 16;
const ERROR: i32 = 17;

/** Decimals of one atom: microseconds, and billionths of a dollar. */
const MICROS = 6;
const NANOS = 9;

/** A row's figures as doubles from the input tokens on, the number of its model last. */
const INPUT_AT: usize = 0;
const OUTPUT_AT: usize = 8;
const SECONDS_AT: usize = 32;
const USD_AT: usize = 40;
const STEPS_AT: usize = 48;
const MODEL_AT: usize = 56;
const FIGURES: usize = 64;
/** Those of the row that is read, and those of the pass it may belong to. */
let figures: usize = nothingKnown();
let figuresOfPass: usize = nothingKnown();

let pass: f64 = UNKNOWN;
let error: f64 = UNKNOWN;
const TOOL_AT: usize = 0;
const ARGS_AT: usize = 8;
const RESULT_AT: usize = 16;
const TEXTS: usize = 24;
/** Where the row's tool, arguments and result begin and end, 0 where there are no such columns. */
const texts: usize = noTexts();
/** Whether what the row says of its run differs from the run before. */
let isOther: bool = false;

const models = new ByteIndex();
/** More models than any table has: where there are more, the column holds something else. */
const MOST_MODELS = 4096;
/** Contents are told apart within one run. */
const digests = new ByteIndex();

// The run that is read.

let hasRun: bool = false;
let runLine: i32 = 0;
/** How many passes it has so far, `NOT_RECORDED` for ever where they were not recorded. */
let passes: f64 = 0;
let callsOfPass: i32 = 0;
/** Whether it has a row without a pass, which is then its only one. */
let isLone: bool = false;

let line: i32 = 0;

/** Room for the bytes that are read, and more for the widest look. */
let inputRoom: usize = 0;
let input: usize = 0;

/** The place for so many bytes to be read, the first of which are there already. */
export function roomForInput(length: usize, kept: usize): usize {
  if (length + 32 > inputRoom) {
    const before = input;
    inputRoom = (length + 32) * 2;
    input = heap.alloc(inputRoom);
    memory.copy(input, before, kept);
  }
  return input;
}

/** What is told of the runs that have ended. */
const told: usize = heap.alloc(64);

export function tell(): usize {
  tellRuns(told);
  return told;
}

/** The runs that have ended have been taken. */
export function goOn(): void {
  emptyDraft();
  emptyRuns();
}

/** Begins anew. @param before how many lines were read before the first row */
export function begin(before: i32): void {
  line = before;
  hasRun = false;
  forgetIds();
  beginDraft();
  goOn();
}

export function linesRead(): i32 {
  return line;
}

/** Whether the rows scanned last hold bytes beyond ASCII. */
export function isTextBeyondAscii(): bool {
  return isBeyondAscii;
}

/** Reads the rows in [from, to), all of them whole; false where one is not plain. */
export function scan(from: usize, to: usize): bool {
  forgetBeyondAscii();
  for (let at = from; at < to; ) {
    line++;
    const end = behindLineEnd(at);
    if (end !== NOT_PLAIN) {
      at = end;
      continue;
    }
    const next = behindRow(at, to);
    if (next === NOT_PLAIN) return false;
    if (isOther && !isNextRun(at, next)) return false;
    if (!isTaken()) return false;
    at = next;
  }
  return true;
}

/** Ends the last run; false where it is not plain. */
export function finish(): bool {
  const isPlain = !hasRun || isRunTaken();
  beginDraft();
  return isPlain;
}

/** Reads one row, and leaves what it says. */
function behindRow(at: usize, to: usize): usize {
  isOther = !hasRun;
  let next = at;
  for (let column = 0; column < columns; ) {
    if (column > 0) {
      if (byteAt(next) !== COMMA) return NOT_PLAIN;
      next++;
    }
    const kind = kindOf(column);
    if (kind > TOTAL) {
      next = behindCell(kind, next);
      column++;
    } else {
      const end = groupEndOf(column);
      next = behindGroup(next, to, column, end);
      column = end;
    }
    if (next === NOT_PLAIN) return NOT_PLAIN;
  }
  return behindLineEnd(next);
}

function behindGroup(at: usize, to: usize, column: i32, end: i32): usize {
  const next = isOther ? NOT_PLAIN : behindSame(at, to, column, end);
  if (next !== NOT_PLAIN && (byteAt(next) === COMMA || behindLineEnd(next) !== NOT_PLAIN)) return next;
  isOther = true;
  return behindCells(at, column, end);
}

function behindCell(kind: i32, at: usize): usize {
  if (kind >= INPUT && kind <= STEPS) {
    const next = behindFigure(at, kind === SECONDS ? MICROS : kind === USD ? NANOS : 0);
    store<f64>(figures + ((<usize>(kind - INPUT)) << 3), figure);
    return next;
  }
  if (kind >= TOOL && kind <= RESULT) {
    const next = kind === TOOL ? behindText(at) : behindPlainText(at);
    const place = texts + ((<usize>(kind - TOOL)) << 3);
    store<u32>(place, <u32>at);
    store<u32>(place + 4, <u32>next);
    return next;
  }
  if (kind === PASS) {
    const next = behindPassNumber(at);
    pass = figure;
    return next;
  }
  if (kind === ERROR) {
    const next = behindFlag(at);
    error = figure;
    return next;
  }
  return kind === MODEL ? behindModel(at) : behindText(at);
}

/** The table keeps no models: they are only compared. */
function behindModel(at: usize): usize {
  const next = behindText(at);
  const model = next === at ? UNKNOWN : <f64>models.codeOf(at, next, MOST_MODELS);
  store<f64>(figures + MODEL_AT, model);
  return next === at || model >= 0 ? next : NOT_PLAIN;
}

/** Ends the run and begins the next one with the row in [from, to). */
function isNextRun(from: usize, to: usize): bool {
  if (hasRun && !isRunTaken()) return false;
  beginDraft();
  digests.clear();
  hasRun = true;
  isLone = false;
  passes = 0;
  runLine = line;
  return beginRun(from, to);
}

function isRunTaken(): bool {
  if (passes > 0) endPassOfRun();
  const setting = isExact ? settingOfRun() : -1;
  if (setting < 0) return false;
  addRun(runLine, 0, setting, start, passes !== NOT_RECORDED, id, idEnd);
  return true;
}

/** Takes the row's pass and call; false where they do not follow on what came before. */
function isTaken(): bool {
  if (isLone) return false;
  if (pass === UNKNOWN || pass === NOT_RECORDED) {
    isLone = true;
    // The run has no other row, and this one nothing that only a pass can have.
    const isOnly = passes === 0;
    if (pass === NOT_RECORDED) passes = NOT_RECORDED;
    return isOnly && isCallEmpty() && isSame(figures, unknownFigures, MODEL_AT);
  }
  if (pass === passes + 1) {
    if (passes > 0) endPassOfRun();
    passes = pass;
    callsOfPass = 0;
    const before = figuresOfPass;
    figuresOfPass = figures;
    figures = before;
    return isCallEmpty() || isCallTaken();
  }
  // Further rows of a pass are its calls.
  return pass === passes && callsOfPass > 0 && isSame(figures, figuresOfPass, FIGURES) && isCallTaken();
}

function isCallEmpty(): bool {
  return isEmpty(TOOL_AT) && isEmpty(ARGS_AT) && isEmpty(RESULT_AT) && error === UNKNOWN;
}

function isCallTaken(): bool {
  if (isEmpty(TOOL_AT)) return false;
  callsOfPass++;
  const tool = depth === 0 ? UNKNOWN : codeOfTool(startOf(TOOL_AT), endOf(TOOL_AT));
  addCall(tool, codeOfDigest(ARGS_AT), codeOfDigest(RESULT_AT), error);
  return true;
}

function codeOfDigest(text: usize): f64 {
  return depth < 2 || isEmpty(text) ? UNKNOWN : <f64>digests.codeOf(startOf(text), endOf(text));
}

function isEmpty(text: usize): bool {
  return startOf(text) === endOf(text);
}

function startOf(text: usize): usize {
  return <usize>load<u32>(texts + text);
}

function endOf(text: usize): usize {
  return <usize>load<u32>(texts + text + 4);
}

function endPassOfRun(): void {
  const input = load<f64>(figuresOfPass + INPUT_AT);
  const output = load<f64>(figuresOfPass + OUTPUT_AT);
  const tokens = input === UNKNOWN || output === UNKNOWN ? UNKNOWN : input + output;
  const micros = load<f64>(figuresOfPass + SECONDS_AT);
  const nanos = load<f64>(figuresOfPass + USD_AT);
  endPass(tokens, micros, nanos, load<f64>(figuresOfPass + STEPS_AT));
}

const unknownFigures: usize = nothingKnown();

function noTexts(): usize {
  const place = heap.alloc(TEXTS);
  memory.fill(place, 0, TEXTS);
  return place;
}

function nothingKnown(): usize {
  const place = heap.alloc(FIGURES + 16);
  for (let at: usize = 0; at < FIGURES; at += 8) store<f64>(place + at, UNKNOWN);
  return place;
}
