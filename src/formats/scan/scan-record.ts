import { isUtf8 } from 'node:buffer';
import type { Depth } from '../../model/depth.js';
import { parseJson } from '../../model/json.js';
import type { Place } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import type { RunFacts } from '../../model/run-columns.js';
import type { DraftFigures } from '../../model/run-draft.js';
import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../../model/status.js';
import type { RawLine } from '../lines.js';
import { readLabels, readRecordedUnder, readTotals } from '../record.js';
import { dayTimeMillis } from './day-time.js';
import { PART, Scanner } from './scanner-module.js';

const CARRIAGE_RETURN = 0x0d;

/** A record that was plain. */
export interface Scanned {
  readonly facts: RunFacts;
  /** `null`: passes were not recorded. Overwritten by the next record. */
  readonly draft: DraftFigures | null;
}

/**
 * Takes run records from their bytes, what is plain in them by `assembly/record.ts`; anything else is left to the slow
 * reader. What many runs share, such as their labels, is understood once and then known by its number.
 */
export class RecordScanner {
  private readonly scanner: Scanner;
  private readonly statuses = createMeanings((text) => oneOf(STATUSES, text));
  private readonly checks = createMeanings((text) => oneOf(CHECKS, text));
  private readonly claims = createMeanings<Run['claim']>((text) => oneOf(CLAIMS, text));
  private readonly reasons = createMeanings<Run['reason']>((text) => JSON.parse(text) as string);
  private readonly labels = createMeanings((text) => readLabels({ labels: parseJson(text) }));
  private readonly caps = createMeanings((text) => readRecordedUnder({ recorded_under: parseJson(text) }));
  private readonly totals = createMeanings((text) => readTotals({ totals: parseJson(text) }));

  /** @param codeForTool the code under which the table keeps a tool */
  constructor(codeForTool: (tool: string) => number, depth: Depth = 'calls') {
    this.scanner = new Scanner(codeForTool, depth);
  }

  /** The record of a line, or `null` where it is not plain. */
  scan(line: RawLine, origin: Place): Scanned | null {
    const { buffer, from } = line;
    const to = line.to > from && buffer[line.to - 1] === CARRIAGE_RETURN ? line.to - 1 : line.to;
    const { scanner } = this;
    if (!scanner.scan(buffer, from, to)) return null;
    if (scanner.isBeyondAscii && !isPlainUtf8(buffer.subarray(from, to))) return null;
    const facts = this.facts(buffer, origin);
    return facts === null ? null : { facts, draft: scanner.from(PART.passes) < 0 ? null : scanner.figures() };
  }

  private facts(buffer: Buffer, origin: Place): RunFacts | null {
    const status = this.part(PART.status, this.statuses, buffer, 'running');
    const check = this.part(PART.check, this.checks, buffer, 'none');
    const claim = this.part(PART.claim, this.claims, buffer, null);
    if (status === undefined || check === undefined || claim === undefined) return null;
    const labels = this.part(PART.labels, this.labels, buffer, NO_LABELS);
    const recordedUnder = this.part(PART.recordedUnder, this.caps, buffer, NO_CAPS);
    const reason = this.part(PART.reason, this.reasons, buffer, null);
    const totals = this.part(PART.totals, this.totals, buffer, null);
    if (labels === undefined || recordedUnder === undefined || reason === undefined || totals === undefined)
      return null;
    const startedMillis = this.startedMillis(buffer);
    const id = this.id(buffer);
    if (id === '' || Number.isNaN(startedMillis) || statusCheckConflict(status, check) !== null) return null;
    return { id, status, reason, check, claim, labels, recordedUnder, totals, startedMillis, origin };
  }

  /** What a part means, `undefined` where it means nothing. */
  private part<Value>(part: number, meanings: Meanings<Value>, buffer: Buffer, absent: Value): Value | undefined {
    const from = this.scanner.from(part);
    return from < 0 ? absent : meanings.of(this.scanner.numberOf(part), buffer, from, this.scanner.to(part));
  }

  private id(buffer: Buffer): string {
    const from = this.scanner.from(PART.id) + 1;
    const to = this.scanner.to(PART.id) - 1;
    return buffer.toString(this.scanner.isBeyondAscii ? 'utf8' : 'latin1', from, to);
  }

  /** NaN for a text that is no time. */
  private startedMillis(buffer: Buffer): number | null {
    const from = this.scanner.from(PART.startedAt);
    return from < 0 ? null : dayTimeMillis(buffer, from + 1, this.scanner.to(PART.startedAt) - 1);
  }
}

/** @throws Error where the text is none of the words */
function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((each) => each === JSON.parse(text));
  if (word === undefined) throw new Error(text);
  return word;
}

const NO_LABELS: Run['labels'] = new Map();
const NO_CAPS: Run['recordedUnder'] = new Map();

/** What the bytes of a part mean, worked out once for each number. */
interface Meanings<Value> {
  /** `undefined` where they mean nothing. @param number that equal bytes share, below 0: none */
  of(number: number, buffer: Buffer, from: number, to: number): Value | undefined;
}

/** @param meaningOf throws where the text has no meaning */
function createMeanings<Value>(meaningOf: (text: string) => Value): Meanings<Value> {
  const known: Value[] = [];
  return {
    of(number, buffer, from, to) {
      const shared = number < 0 ? undefined : known[number];
      if (shared !== undefined) return shared;
      try {
        const meaning = meaningOf(buffer.toString('utf8', from, to));
        if (number >= 0) known[number] = meaning;
        return meaning;
      } catch {
        return undefined;
      }
    },
  };
}

/** U+FFFF is no character: what holds it is not plain, see the marks of `parseJson`. */
const NO_CHARACTER = Buffer.from('\uffff');

function isPlainUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(NO_CHARACTER);
}
