import { isUtf8 } from 'node:buffer';
import { canonical } from '../../model/canonical.js';
import type { Depth } from '../../model/depth.js';
import { isDeeperThan, type Json, MAX_DEPTH, parseJson } from '../../model/json.js';
import type { RunSetting } from '../../model/run-batch.js';
import { moduleOf, type ScanExports, ScanModule, type ScanOutside } from './scan-module.js';
import { SCANNER } from './scanner-bytes.js';

interface Exports extends ScanExports {
  scan(from: number, to: number): number;
  roomForForm(length: number): number;
  partsFound(): number;
  begin(lines: number): void;
  goOn(lines: number): void;
}

/** The parts of a record as the scanner numbers them. */
export const PART = { status: 2, check: 3, claim: 4, labels: 5, recordedUnder: 7, reason: 9, totals: 10 } as const;
/** What it leaves of each part: from, to and a number that equal bytes share, below 0 for none; all 0 where it is absent. */
const WORDS_OF_PART = 3;
const WORDS = (PART.totals + 1) * WORDS_OF_PART;

/** A part of the record that is scanned. */
export interface FoundPart {
  /** A number that equal bytes share, below 0 for none. */
  readonly number: number;
  text(): string;
}

export interface RecordsOutside extends ScanOutside {
  /** What the record that is scanned says of its run, `null` where that makes no sense; `null` for a part: it is absent. */
  settingOf(part: (part: number) => FoundPart | null): RunSetting | null;
}

/** The scanner of `assembly/record.ts`. */
export class Scanner extends ScanModule<Exports> {
  private found = new Int32Array(0);

  constructor(outside: RecordsOutside, depth: Depth) {
    const own = {
      isJson: (from: number, to: number): number => Number(jsonOf(this.textAt(from, to)) !== undefined),
      isText: (from: number, to: number): number => Number(isPlainUtf8(this.memory().subarray(from, to))),
      normalForm: (from: number, to: number): number => this.writeNormalForm(this.textAt(from, to)),
      knowSetting: (isKept: number): number =>
        this.settings.know(
          outside.settingOf((part) => this.part(part)),
          isKept !== 0,
        ),
    };
    super(moduleOfRecords(), outside, own, depth);
  }

  /** Takes whole lines to be scanned. */
  load(lines: Uint8Array): void {
    this.room(0, lines.length).set(lines);
  }

  /** Scans the lines loaded, in [from, to), up to the first that is not plain. @returns where that begins */
  scan(from: number, to: number): number {
    return this.exports.scan(this.place + from, this.place + to) - this.place;
  }

  /** Begins anew, whatever was scanned and not taken. @param lines how many lines come before the first one */
  begin(lines: number): void {
    this.settings.forgetOwn();
    this.exports.begin(lines);
  }

  /** The runs have been taken. @param lines how many lines come before the next one */
  goOn(lines: number): void {
    this.settings.forgetOwn();
    this.exports.goOn(lines);
  }

  /** The line that begins at a place, with its line end. */
  lineFrom(place: number): Buffer {
    const memory = this.memory();
    return memory.subarray(place, memory.indexOf('\n', place) + 1);
  }

  private part(part: number): FoundPart | null {
    const { buffer } = this.memory();
    if (this.found.buffer !== buffer)
      this.found = new Int32Array(buffer as ArrayBuffer, this.exports.partsFound(), WORDS);
    const [from, to, number] = this.found.subarray(part * WORDS_OF_PART) as unknown as [number, number, number];
    return from === 0 ? null : { number, text: () => this.textAt(from, to) };
  }

  private writeNormalForm(text: string): number {
    const content = jsonOf(text);
    if (content === undefined) return -1;
    const form = new TextEncoder().encode(canonical(content));
    const place = this.exports.roomForForm(form.length);
    this.memory().set(form, place);
    return form.length;
  }
}

const moduleOfRecords = moduleOf(SCANNER);

/** A value that any reader takes, `undefined` where the text is no such JSON. */
function jsonOf(text: string): Json | undefined {
  try {
    const value = parseJson(text);
    return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** U+FFFF is no character: what holds it is not plain, see the marks of `parseJson`. */
const NO_CHARACTER = Buffer.from('\uffff');

function isPlainUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(NO_CHARACTER);
}
