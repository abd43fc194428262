import { isUtf8 } from 'node:buffer';
import type { Depth } from '../../model/depth.js';
import type { DraftFigures } from '../../model/run-draft.js';
import { DraftViews } from './draft-views.js';
import { ROW_SCANNER } from './scanner-bytes.js';
import { DEPTHS } from './scanner-module.js';

/*
 * The scanner of `assembly/pass-rows.ts` as JavaScript sees it. A place is an address in its memory.
 */

interface Exports {
  readonly memory: WebAssembly.Memory;
  setDepth(depth: number): void;
  roomForColumns(count: number): number;
  groupColumns(): void;
  roomForInput(length: number, kept: number): number;
  begin(linesBefore: number): void;
  scan(from: number, to: number): number;
  finish(): number;
  linesRead(): number;
  isTextBeyondAscii(): number;
  toldOfRun(): number;
}

/** What a column holds, as the scanner numbers it. */
export const KIND = {
  ...{ id: 0, startedAt: 1, shared: 2, total: 3, other: 4 },
  ...{ pass: 5, input: 6, output: 7, cacheRead: 8, cacheWrite: 9, seconds: 10, usd: 11, steps: 12, model: 13 },
  ...{ tool: 14, args: 15, result: 16, error: 17 },
} as const;

// What the scanner tells of a run, a word each.
const LINE = 0;
const SHARED = 1;
const HAS_TOTALS = 2;
const HAS_PASSES = 3;
const ID = 4;
const STARTED_AT = 6;
const CELLS = 8;
const DRAFT = 9;
const WORDS = 15;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A row that goes on for longer is a mistake, or nothing to hurry for. */
const LONGEST_ROW = 1 << 24;

/** What the scanner needs of whoever makes runs of what it finds. */
export interface RowTaker {
  /** @param tool as it stands in its cell */
  codeForTool(tool: string): number;
  /** The run that has ended, as `RowScanner` tells it; false where it is not plain. */
  endRun(): boolean;
}

/** Scans the rows of a table, and tells each run as it ends. Where one of its functions gives false, all is in vain. */
export class RowScanner {
  private readonly exports: Exports;
  private readonly views = new DraftViews();
  private buffer = Buffer.alloc(0);
  private told = new Int32Array(0);
  private cells = new Int32Array(0);
  /** Where the bytes lie that are to be read, and how many belong to a row that has not ended. */
  private input = 0;
  private kept = 0;

  /** @param kinds what each column holds @param linesBefore how many lines come before the first row */
  constructor(
    taker: RowTaker,
    private readonly kinds: readonly number[],
    linesBefore: number,
    depth: Depth,
  ) {
    const outside = {
      codeForTool: (from: number, to: number): number => {
        this.refresh();
        return taker.codeForTool(this.textAt(from, to));
      },
      endRun: (): number => {
        this.refresh();
        return Number(taker.endRun());
      },
    };
    this.exports = new WebAssembly.Instance(compiledModule(), { outside }).exports as unknown as Exports;
    this.exports.setDepth(DEPTHS.indexOf(depth));
    this.exports.begin(linesBefore);
    const place = this.exports.roomForColumns(kinds.length);
    this.refresh();
    this.buffer.set(kinds, place);
    this.exports.groupColumns();
  }

  /** Reads further bytes, up to the last row that ends in them. */
  push(bytes: Uint8Array): boolean {
    const kept = this.load(bytes);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.kept = kept + bytes.length;
    if (end === 0) return this.kept < LONGEST_ROW;
    if (!this.scan(kept + end)) return false;
    this.buffer.copyWithin(this.input, this.input + kept + end, this.input + this.kept);
    this.kept = bytes.length - end;
    return true;
  }

  /** Reads a last row without line end, and ends the last run. */
  end(): boolean {
    if (this.kept > 0) {
      if (this.buffer[this.input + this.kept - 1] === CARRIAGE_RETURN) return false;
      const length = this.load(Uint8Array.of(NEWLINE)) + 1;
      if (!this.scan(length)) return false;
    }
    return this.exports.finish() !== 0;
  }

  /** How many lines have been read, with those before the first row. */
  get lines(): number {
    return this.exports.linesRead();
  }

  // The run that has ended.

  get line(): number {
    return this.word(LINE);
  }

  /** A number that the shared cells have where they are the same, below 0 for none. */
  get shared(): number {
    return this.word(SHARED);
  }

  get hasTotals(): boolean {
    return this.word(HAS_TOTALS) !== 0;
  }

  get id(): string {
    return this.textAt(this.word(ID), this.word(ID + 1));
  }

  /** Where its time stands; empty: it is not known. */
  get startedAt(): { readonly bytes: Buffer; readonly from: number; readonly to: number } {
    return { bytes: this.buffer, from: this.word(STARTED_AT), to: this.word(STARTED_AT + 1) };
  }

  /** `null`: its passes were not recorded. Overwritten by the next run. */
  get draft(): DraftFigures | null {
    if (this.word(HAS_PASSES) === 0) return null;
    this.views.show(this.buffer.buffer, this.told, DRAFT);
    return this.views;
  }

  /** What its first row says of it, as it stands; the other cells are left empty. */
  cellsOfRun(): string[] {
    const start = this.word(CELLS) / Int32Array.BYTES_PER_ELEMENT;
    return this.kinds.map((kind, column) => {
      const at = start + column * 2;
      return kind > KIND.total ? '' : this.textAt(this.cells[at] as number, this.cells[at + 1] as number);
    });
  }

  private word(index: number): number {
    return this.told[index] as number;
  }

  /** Puts bytes behind those that were kept. @returns how many those are */
  private load(bytes: Uint8Array): number {
    this.input = this.exports.roomForInput(this.kept + bytes.length, this.kept);
    this.refresh();
    this.buffer.set(bytes, this.input + this.kept);
    return this.kept;
  }

  private scan(length: number): boolean {
    const { input } = this;
    if (this.exports.scan(input, input + length) === 0) return false;
    this.refresh();
    return this.exports.isTextBeyondAscii() === 0 || isUtf8(this.buffer.subarray(input, input + length));
  }

  private textAt(from: number, to: number): string {
    return this.buffer.toString('utf8', from, to);
  }

  /** Memory that has grown leaves its old views empty. */
  private refresh(): void {
    if (this.buffer.length > 0) return;
    const { buffer } = this.exports.memory;
    this.buffer = Buffer.from(buffer);
    this.cells = new Int32Array(buffer);
    this.told = new Int32Array(buffer, this.exports.toldOfRun(), WORDS);
  }
}

let compiled: WebAssembly.Module | null = null;

function compiledModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(ROW_SCANNER, 'base64'));
  return compiled;
}
