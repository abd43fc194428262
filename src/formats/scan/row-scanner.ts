import { isUtf8 } from 'node:buffer';
import type { Depth } from '../../model/depth.js';
import type { RunSetting } from '../../model/run-batch.js';
import type { ByteSource } from '../format.js';
import { moduleOf, PIECE, type ScanExports, ScanModule, type ScanOutside } from './scan-module.js';
import { ROW_SCANNER } from './scanner-bytes.js';

interface Exports extends ScanExports {
  roomForColumns(count: number): number;
  cellsOfRun(): number;
  groupColumns(): void;
  begin(linesBefore: number): void;
  scan(from: number, to: number): number;
  finish(): number;
  isTextBeyondAscii(): number;
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
/** A row that goes on for longer is a mistake, or nothing to hurry for. */
const LONGEST_ROW = 1 << 24;

export interface RowsOutside extends ScanOutside {
  /** What the first row of a run says of it, as it stands; `null`: that makes no sense. */
  settingOf(cells: readonly string[]): RunSetting | null;
}

/** The scanner of `assembly/pass-rows.ts`. Where one of its functions gives false, all is in vain. */
export class RowScanner extends ScanModule<Exports> {
  /** How many bytes that were put there belong to a row that has not ended. */
  private kept = 0;

  /** @param kinds what each column holds */
  constructor(
    outside: RowsOutside,
    private readonly kinds: readonly number[],
    depth: Depth,
  ) {
    const knowSetting = (isKept: number): number =>
      this.settings.know(outside.settingOf(this.cellsOfRun()), isKept !== 0);
    super(moduleOfRows(), outside, { knowSetting }, depth);
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
    const length = source.read(this.room(kept, PIECE));
    this.kept += length;
    const end = this.loaded(kept, this.kept).lastIndexOf(NEWLINE) + 1;
    if (end === 0) return this.kept < LONGEST_ROW ? length : null;
    if (!this.scan(kept + end)) return null;
    this.loaded(0, this.kept).copyWithin(0, kept + end);
    this.kept = length - end;
    return length;
  }

  /** Leaves out so many of the bytes that come next, which are at hand. */
  skip(source: ByteSource, length: number): void {
    for (let left = length; left > 0; ) {
      const read = source.read(this.room(this.kept, Math.min(left, PIECE)));
      left = read === 0 ? 0 : left - read;
    }
  }

  /** Reads a last row without line end, and ends the last run. */
  end(): boolean {
    if (this.kept > 0) {
      if (this.loaded(this.kept - 1, this.kept)[0] === CARRIAGE_RETURN) return false;
      this.room(this.kept, 1)[0] = NEWLINE;
      if (!this.scan(this.kept + 1)) return false;
    }
    return this.exports.finish() !== 0;
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

  private scan(length: number): boolean {
    if (this.exports.scan(this.place, this.place + length) === 0) return false;
    return this.exports.isTextBeyondAscii() === 0 || isUtf8(this.loaded(0, length));
  }
}

const moduleOfRows = moduleOf(ROW_SCANNER);
