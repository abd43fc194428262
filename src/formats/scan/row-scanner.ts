import { isUtf8 } from 'node:buffer';
import type { Depth } from '../../model/depth.js';
import type { RunSetting } from '../../model/run-batch.js';
import type { ByteSource } from '../format.js';
import { type Narrow, type NarrowExports, narrowBy } from './draft-views.js';
import { ScannedRuns, Settings } from './scanned-runs.js';
import { ROW_SCANNER } from './scanner-bytes.js';
import { DEPTHS } from './scanner-module.js';

/*
 * The scanner of `assembly/pass-rows.ts` as JavaScript sees it. A place is an address in its memory.
 */

interface Exports extends NarrowExports {
  setDepth(depth: number): void;
  roomForColumns(count: number): number;
  cellsOfRun(): number;
  groupColumns(): void;
  roomForInput(length: number, kept: number): number;
  begin(linesBefore: number): void;
  scan(from: number, to: number): number;
  finish(): number;
  linesRead(): number;
  isTextBeyondAscii(): number;
  held(): number;
  tell(): number;
  goOn(): void;
}

/** What a column holds, as the scanner numbers it. */
export const KIND = {
  ...{ id: 0, startedAt: 1, shared: 2, total: 3, other: 4 },
  ...{ pass: 5, input: 6, output: 7, cacheRead: 8, cacheWrite: 9, seconds: 10, usd: 11, steps: 12, model: 13 },
  ...{ tool: 14, args: 15, result: 16, error: 17 },
} as const;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** So many bytes are read and scanned at a time: they stay near the processor. */
const PIECE = 2 ** 18;
/** A row that goes on for longer is a mistake, or nothing to hurry for. */
const LONGEST_ROW = 1 << 24;

/** What the scanner asks of whoever makes runs of what it finds. */
export interface RowsOutside {
  /** @param tool as it stands in its cell */
  codeForTool(tool: string): number;
  /** What the first row of a run says of it, as it stands; `null`: that makes no sense. */
  settingOf(cells: readonly string[]): RunSetting | null;
  /** Milliseconds since 1970, NaN where the text is no time. */
  millisOf(time: string): number;
}

/** Scans the rows of a table. Where one of its functions gives false, all is in vain. */
export class RowScanner {
  private readonly exports: Exports;
  private readonly settings = new Settings();
  private readonly narrow: Narrow;
  private readonly keepsLast: boolean;
  private buffer = Buffer.alloc(0);
  /** Where the bytes lie that are to be read, and how many belong to a row that has not ended. */
  private input = 0;
  private kept = 0;

  /** @param kinds what each column holds */
  constructor(
    outside: RowsOutside,
    private readonly kinds: readonly number[],
    depth: Depth,
  ) {
    this.keepsLast = depth === 'figures';
    const functions = {
      codeForTool: (from: number, to: number): number => outside.codeForTool(this.textAt(from, to)),
      millisOf: (from: number, to: number): number => outside.millisOf(this.textAt(from, to)),
      knowSetting: (isKept: number): number => this.settings.know(outside.settingOf(this.cellsOfRun()), isKept !== 0),
    };
    this.exports = new WebAssembly.Instance(compiledModule(), { outside: functions }).exports as unknown as Exports;
    this.narrow = narrowBy(this.exports);
    this.exports.setDepth(DEPTHS.indexOf(depth));
    const place = this.exports.roomForColumns(kinds.length);
    this.memory().set(kinds, place);
    this.exports.groupColumns();
  }

  /** Begins with rows that do not follow on those before. @param linesBefore how many lines come before the first */
  begin(linesBefore: number): void {
    this.kept = 0;
    this.settings.forgetOwn();
    this.exports.begin(linesBefore);
  }

  /** Reads further bytes of a source, up to the last row that ends in them. @returns how many; `null`: they are not plain */
  readMore(source: ByteSource): number | null {
    const { kept } = this;
    const length = source.read(this.room(PIECE));
    this.kept += length;
    const end = this.loaded(kept).lastIndexOf(NEWLINE) + 1;
    if (end === 0) return this.kept < LONGEST_ROW ? length : null;
    if (!this.scan(kept + end)) return null;
    this.loaded(0).copyWithin(0, kept + end);
    this.kept = length - end;
    return length;
  }

  /** Leaves out so many of the bytes that come next, which are at hand. */
  skip(source: ByteSource, length: number): void {
    for (let left = length; left > 0; ) {
      const read = source.read(this.room(Math.min(left, PIECE)));
      left = read === 0 ? 0 : left - read;
    }
  }

  /** Reads a last row without line end, and ends the last run. */
  end(): boolean {
    if (this.kept > 0) {
      if (this.memory()[this.input + this.kept - 1] === CARRIAGE_RETURN) return false;
      this.room(1)[0] = NEWLINE;
      if (!this.scan(this.kept + 1)) return false;
    }
    return this.exports.finish() !== 0;
  }

  /** How many lines have been read, with those before the first row. */
  get lines(): number {
    return this.exports.linesRead();
  }

  /** How much has been scanned and not been taken: runs, passes or calls, whichever are the most. */
  get held(): number {
    return this.exports.held();
  }

  /** The runs that have ended since the last ones were taken. */
  runs(file: string): ScannedRuns {
    const told = this.exports.tell();
    return new ScannedRuns(this.memory().buffer as ArrayBuffer, told, this.narrow, file, this.settings, this.keepsLast);
  }

  /** They have been taken. */
  goOn(): void {
    this.settings.forgetOwn();
    this.exports.goOn();
  }

  /** What the first row of the run says, as it stands; cells that say nothing of the run are left empty. */
  private cellsOfRun(): string[] {
    const places = new Int32Array(this.memory().buffer, this.exports.cellsOfRun(), this.kinds.length * 2);
    return this.kinds.map((kind, column) =>
      kind > KIND.total ? '' : this.textAt(places[column * 2] as number, places[column * 2 + 1] as number),
    );
  }

  /** Where so many bytes can be put, behind those that were kept. */
  private room(length: number): Buffer {
    const { kept } = this;
    this.input = this.exports.roomForInput(kept + length, kept);
    return this.memory().subarray(this.input + kept, this.input + kept + length);
  }

  /** The bytes that were kept, from one place on. */
  private loaded(from: number): Buffer {
    return this.memory().subarray(this.input + from, this.input + this.kept);
  }

  private scan(length: number): boolean {
    const { input } = this;
    if (this.exports.scan(input, input + length) === 0) return false;
    return this.exports.isTextBeyondAscii() === 0 || isUtf8(this.memory().subarray(input, input + length));
  }

  private textAt(from: number, to: number): string {
    return this.memory().toString('utf8', from, to);
  }

  /** Memory that has grown leaves its old view empty. */
  private memory(): Buffer {
    if (this.buffer.length === 0) this.buffer = Buffer.from(this.exports.memory.buffer);
    return this.buffer;
  }
}

let compiled: WebAssembly.Module | null = null;

function compiledModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(ROW_SCANNER, 'base64'));
  return compiled;
}
