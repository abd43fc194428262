import { isUtf8 } from 'node:buffer';
import { canonical } from '../../model/canonical.js';
import type { Depth } from '../../model/depth.js';
import { isDeeperThan, type Json, MAX_DEPTH, parseJson } from '../../model/json.js';
import type { RunSetting } from '../../model/run-batch.js';
import { type Narrow, type NarrowExports, narrowBy } from './draft-views.js';
import { ScannedRuns, Settings } from './scanned-runs.js';
import { SCANNER } from './scanner-bytes.js';

/*
 * The scanner of `assembly/record.ts` as JavaScript sees it: its memory, its functions, and what it asks for. A place is
 * an address in its memory.
 */

interface Exports extends NarrowExports {
  scan(from: number, to: number): number;
  roomForInput(length: number, kept: number): number;
  roomForForm(length: number): number;
  partsFound(): number;
  held(): number;
  tell(): number;
  goOn(lines: number): void;
  linesRead(): number;
  setDepth(depth: number): void;
}

/** Depths as the scanner numbers them. */
export const DEPTHS: readonly Depth[] = ['figures', 'passes', 'calls'];

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

/** What the scanner asks of whoever makes runs of what it finds. */
export interface ScannerOutside {
  /** The code under which a tool is kept. */
  codeForTool(tool: string): number;
  /** What the record that is scanned says of its run, `null` where that makes no sense; `null` for a part: it is absent. */
  settingOf(part: (part: number) => FoundPart | null): RunSetting | null;
  /** Milliseconds since 1970, NaN where the text is no time. */
  millisOf(time: string): number;
}

export class Scanner {
  private readonly exports: Exports;
  private readonly settings = new Settings();
  private readonly narrow: Narrow;
  private readonly keepsLast: boolean;
  private buffer = Buffer.alloc(0);
  private found = new Int32Array(0);
  private input = 0;

  constructor(outside: ScannerOutside, depth: Depth) {
    this.keepsLast = depth === 'figures';
    const functions = {
      codeForTool: (from: number, to: number): number => outside.codeForTool(this.textAt(from, to)),
      isJson: (from: number, to: number): number => Number(jsonOf(this.textAt(from, to)) !== undefined),
      isText: (from: number, to: number): number => Number(isPlainUtf8(this.memory().subarray(from, to))),
      millisOf: (from: number, to: number): number => outside.millisOf(this.textAt(from, to)),
      normalForm: (from: number, to: number): number => this.writeNormalForm(this.textAt(from, to)),
      knowSetting: (isKept: number): number =>
        this.settings.know(
          outside.settingOf((part) => this.part(part)),
          isKept !== 0,
        ),
    };
    this.exports = new WebAssembly.Instance(compiledModule(), { outside: functions }).exports as unknown as Exports;
    this.narrow = narrowBy(this.exports);
    this.exports.setDepth(DEPTHS.indexOf(depth));
  }

  /** Takes whole lines to be scanned. */
  load(lines: Uint8Array): void {
    this.room(0, lines.length).set(lines);
  }

  /** Where so many bytes can be put to be scanned, behind the first ones that are there already. Good until the scan. */
  room(kept: number, length: number): Buffer {
    this.input = this.exports.roomForInput(kept + length, kept);
    return this.memory().subarray(this.input + kept, this.input + kept + length);
  }

  /** The bytes in [from, to) of those that were put there, good until the next scan. */
  loaded(from: number, to: number): Buffer {
    return this.memory().subarray(this.input + from, this.input + to);
  }

  /** Scans the lines loaded, in [from, to), up to the first that is not plain. @returns where that begins */
  scan(from: number, to: number): number {
    return this.exports.scan(this.input + from, this.input + to) - this.input;
  }

  /** How much has been scanned and not been taken: runs, passes or calls, whichever are the most. */
  get held(): number {
    return this.exports.held();
  }

  get lines(): number {
    return this.exports.linesRead();
  }

  /** The runs that have been scanned since the last ones were taken. */
  runs(file: string): ScannedRuns {
    const told = this.exports.tell();
    return new ScannedRuns(this.memory().buffer as ArrayBuffer, told, this.narrow, file, this.settings, this.keepsLast);
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
    this.memory();
    const [from, to, number] = this.found.subarray(part * WORDS_OF_PART) as unknown as [number, number, number];
    return from === 0 ? null : { number, text: () => this.textAt(from, to) };
  }

  /** Memory that has grown leaves its old views empty. */
  private memory(): Buffer {
    if (this.buffer.length === 0) {
      this.buffer = Buffer.from(this.exports.memory.buffer);
      this.found = new Int32Array(this.buffer.buffer, this.exports.partsFound(), WORDS);
    }
    return this.buffer;
  }

  private textAt(from: number, to: number): string {
    return this.memory().toString('utf8', from, to);
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

let compiled: WebAssembly.Module | null = null;

function compiledModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(SCANNER, 'base64'));
  return compiled;
}

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
