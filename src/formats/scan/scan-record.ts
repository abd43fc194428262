import { isUtf8 } from 'node:buffer';
import { type Json, parseJson } from '../../model/json.js';
import type { Place } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import type { RunFacts } from '../../model/run-columns.js';
import { createRunDraft, type RunDraft } from '../../model/run-draft.js';
import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../../model/status.js';
import type { RawLine } from '../lines.js';
import { readLabels, readRecordedUnder, readTotals } from '../record.js';
import { dayTimeMillis } from './day-time.js';
import {
  behindNull,
  behindSpaces,
  behindText,
  behindValue,
  Found,
  NOT_PLAIN,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.js';
import { END, FIRST, MemberNames } from './member-names.js';
import { behindOther, markBeyondAscii } from './other-member.js';
import { createParts, type Parts, textAt } from './parts.js';
import { CallScanner } from './scan-call.js';
import { behindPasses } from './scan-pass.js';

/*
 * Reads run records from bytes, taking only what a table keeps. A record that is not plain (escapes, exponents, a member
 * twice, anything that may be a mistake) is left to the slow reader, which says what it is: the two never differ, only
 * this one sometimes says nothing. The figures of passes go into a draft number by number; the small parts of a run that
 * many share, such as its labels, are parsed once and then known by their bytes.
 */

const NAMES = new MemberNames([
  ...['id', 'status', 'check', 'claim', 'labels', 'started_at', 'recorded_under', 'passes'],
  ...['reason', 'totals'],
]);
const [ID, STATUS, CHECK, CLAIM, LABELS, STARTED_AT, RECORDED_UNDER, PASSES, REASON, TOTALS] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];
const OTHERS = 1 << NAMES.other;

type Facts = { -readonly [name in keyof RunFacts]: RunFacts[name] };

const CARRIAGE_RETURN = 0x0d;

const NO_LABELS: Run['labels'] = new Map();
const NO_CAPS: Run['recordedUnder'] = new Map();

/** A record that was plain. */
export interface Scanned {
  readonly facts: RunFacts;
  /** `null`: passes were not recorded. Overwritten by the next record. */
  readonly draft: RunDraft | null;
}

export class RecordScanner {
  private readonly found = new Found();
  private readonly draft = createRunDraft();
  private readonly calls: CallScanner;
  private readonly words = createParts((text) => JSON.parse(text) as string);
  private readonly labels = createParts((text) => readLabels({ labels: parseJson(text) }));
  private readonly caps = createParts((text) => readRecordedUnder({ recorded_under: parseJson(text) }));
  private hasPasses = false;
  private buffer: Buffer = Buffer.alloc(0);

  /** @param codeForTool the code under which the table keeps a tool */
  constructor(codeForTool: (tool: string) => number) {
    this.calls = new CallScanner(this.found, codeForTool);
  }

  /**
   * The record of a line, or `null` where it is not plain.
   */
  scan({ buffer, bytes, from, to: end }: RawLine, origin: Place): Scanned | null {
    const to = end > from && buffer[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.buffer = buffer;
    // One literal: objects that are spread together cost a tenth of the reading.
    const facts: Facts = {
      id: '',
      status: 'running',
      reason: null,
      check: 'none',
      claim: null,
      labels: NO_LABELS,
      recordedUnder: NO_CAPS,
      startedMillis: null,
      totals: null,
      origin,
    };
    this.draft.clear();
    this.calls.beginRun();
    this.hasPasses = false;
    this.found.isBeyondAscii = false;
    if (!this.fill(facts, bytes, from, to)) return null;
    if (facts.id === '' || !this.draft.isExact || statusCheckConflict(facts.status, facts.check) !== null) return null;
    if (this.found.isBeyondAscii && !isPlainUtf8(buffer.subarray(from, to))) return null;
    return { facts, draft: this.hasPasses ? this.draft : null };
  }

  private fill(facts: Facts, bytes: DataView, from: number, to: number): boolean {
    let next = NAMES.follow(bytes, from, FIRST);
    let name = NAMES.name;
    let seen = 0;
    while (next !== NOT_PLAIN && name !== END) {
      if ((seen & (1 << name) & ~OTHERS) !== 0) return false;
      seen |= 1 << name;
      next = this.behindMember(facts, name, bytes, next);
      if (next === NOT_PLAIN) return false;
      next = NAMES.follow(bytes, next, name);
      name = NAMES.name;
    }
    return next !== NOT_PLAIN && (seen & (1 << STATUS)) !== 0 && behindSpaces(bytes, next) === to;
  }

  private behindMember(facts: Facts, name: number, bytes: DataView, at: number): number {
    switch (name) {
      case ID:
        return this.behindId(facts, bytes, at);
      case STATUS:
        // Alone of these it must be there.
        if (bytes.getUint8(at) !== QUOTE) return NOT_PLAIN;
        return this.behindChoice(bytes, at, STATUSES, (status) => {
          facts.status = status;
        });
      case CHECK:
        return this.behindChoice(bytes, at, CHECKS, (check) => {
          facts.check = check;
        });
      case CLAIM:
        return this.behindChoice(bytes, at, CLAIMS, (claim) => {
          facts.claim = claim;
        });
      case REASON:
        return this.behindPart(bytes, at, QUOTE, this.words, (reason) => {
          facts.reason = reason;
        });
      case LABELS:
        return this.behindPart(bytes, at, OPEN_OBJECT, this.labels, (labels) => {
          facts.labels = labels;
        });
      case RECORDED_UNDER:
        return this.behindPart(bytes, at, OPEN_OBJECT, this.caps, (caps) => {
          facts.recordedUnder = caps;
        });
      case STARTED_AT:
        return this.behindTime(facts, bytes, at);
      case PASSES:
        this.hasPasses = bytes.getUint8(at) === OPEN_LIST;
        return this.hasPasses ? behindPasses(bytes, at, this.found, this.calls, this.draft) : behindNull(bytes, at);
      case TOTALS:
        return this.behindPart(bytes, at, OPEN_OBJECT, EACH_TOTALS, (totals) => {
          facts.totals = totals;
        });
      default:
        return behindOther(bytes, at, this.found);
    }
  }

  private behindId(facts: Facts, bytes: DataView, at: number): number {
    const next = behindText(bytes, at, this.found);
    if (next === NOT_PLAIN) return NOT_PLAIN;
    facts.id = this.buffer.toString(this.found.isBeyondAscii ? 'utf8' : 'latin1', at + 1, next - 1);
    return next;
  }

  /** A word of a list, or `null`. */
  private behindChoice<Word extends string>(
    bytes: DataView,
    at: number,
    words: readonly Word[],
    take: (word: Word) => void,
  ): number {
    return this.behindPart(bytes, at, QUOTE, this.words, (text) => {
      const word = words.find((each) => each === text);
      if (word === undefined) return false;
      take(word);
      return true;
    });
  }

  /** A value that begins with this byte, or `null`, which leaves what there was. */
  private behindPart<Value>(
    bytes: DataView,
    at: number,
    first: number,
    parts: Parts<Value>,
    take: (value: Value) => unknown,
  ): number {
    if (bytes.getUint8(at) !== first) return behindNull(bytes, at);
    const next = behindValue(bytes, at);
    if (next === NOT_PLAIN) return NOT_PLAIN;
    markBeyondAscii(bytes, at, next, this.found);
    const value = parts.of(bytes, at, next);
    return value === null || take(value) === false ? NOT_PLAIN : next;
  }

  private behindTime(facts: Facts, bytes: DataView, at: number): number {
    if (bytes.getUint8(at) !== QUOTE) return behindNull(bytes, at);
    const next = behindText(bytes, at, this.found);
    if (next === NOT_PLAIN) return NOT_PLAIN;
    const millis = dayTimeMillis(bytes, at + 1, next - 1);
    facts.startedMillis = millis;
    return Number.isNaN(millis) ? NOT_PLAIN : next;
  }
}

/** Totals are of one run, so that they are not kept. */
const EACH_TOTALS: Parts<NonNullable<RunFacts['totals']>> = {
  of(bytes, from, to) {
    try {
      return readTotals({ totals: parseJson(textAt(bytes, from, to)) as Json });
    } catch {
      return null;
    }
  },
};

/** U+FFFF is no character: what holds it is not plain, see the marks of `parseJson`. */
const NO_CHARACTER = Buffer.from('\uffff');

function isPlainUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(NO_CHARACTER);
}
