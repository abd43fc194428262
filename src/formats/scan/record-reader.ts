import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import type { ByteSource, RunSink } from '../format.js';
import { createLineDecoder, type Line, type Stretch } from '../lines.js';
import { PIECE } from './scan-module.js';
import { createRecordScanner } from './scan-record.js';
import { MANY } from './scanned-runs.js';
import type { Scanner } from './scanner-module.js';

/** A longer line is not put into the memory of the scanner piece by piece. */
const LONG_LINE = 2 ** 24;
const NEWLINE = 0x0a;

/** Reads lines of run records: plain ones by the scanner, many at a time; any other line by the slow reader. */
export class RecordReader {
  private readonly scanner: Scanner;
  private readonly decode = createLineDecoder();

  /** @param itemOf the slow reader of a line, `null`: it is empty */
  constructor(
    private readonly file: string,
    private readonly sink: RunSink,
    private readonly itemOf: (line: Line) => Run | Problem | null,
  ) {
    this.scanner = createRecordScanner((tool) => sink.codeForTool(tool), sink.depth);
  }

  /** Begins a stretch, whatever came of the one before. */
  begin(linesBefore: number): void {
    this.scanner.begin(linesBefore);
  }

  read({ buffer, from, to, isTooLong }: Stretch): void {
    if (isTooLong) {
      this.handOver();
      this.readSlowly(buffer.subarray(from, to), isTooLong);
      return;
    }
    this.scanner.load(buffer.subarray(from, to));
    this.scan(to - from);
  }

  /** Reads all bytes of a source into the memory of the scanner. False: a line is too long for that. */
  readAll(source: ByteSource): boolean {
    const { scanner } = this;
    let kept = 0;
    for (;;) {
      const length = source.read(scanner.room(kept, PIECE));
      if (length === 0) break;
      // What was kept holds no line end.
      const end = scanner.loaded(kept, kept + length).lastIndexOf(NEWLINE) + 1;
      const lines = kept + end;
      kept += length;
      if (end === 0) {
        if (kept > LONG_LINE) return false;
        continue;
      }
      this.scan(lines);
      scanner.loaded(0, kept).copyWithin(0, lines);
      kept -= lines;
    }
    if (kept > 0) {
      scanner.room(kept, 1)[0] = NEWLINE;
      this.scan(kept + 1);
    }
    return true;
  }

  /** Reads so many bytes that were loaded, whole lines. */
  private scan(length: number): void {
    const { scanner } = this;
    for (let at = scanner.scan(0, length); at < length; at = scanner.scan(at, length)) {
      // A copy: what the slow reader finds is kept.
      const rest = scanner.loaded(at, length);
      const line = Buffer.from(rest.subarray(0, rest.indexOf(NEWLINE) + 1));
      this.handOver();
      this.readSlowly(line, false);
      at += line.length;
    }
    // Whoever may ask for a line is given the runs while it is in memory.
    if (this.sink.asksForWhole || scanner.held >= MANY) this.handOver();
  }

  /** @returns how many lines were read, with those before */
  end(): number {
    this.handOver();
    return this.scanner.lines;
  }

  private handOver(): void {
    const { scanner, sink } = this;
    if (scanner.held === 0) return;
    const batch = scanner.runs(this.file);
    for (let run = sink.batch(batch, 0); run < batch.runs; run = sink.batch(batch, run + 1)) {
      this.tell(scanner.lineFrom(batch.from[run] as number), batch.line[run] as number, false);
    }
    scanner.goOn(scanner.lines);
  }

  private readSlowly(line: Buffer, isTooLong: boolean): void {
    const number = this.scanner.lines + 1;
    this.tell(line, number, isTooLong);
    this.scanner.goOn(number);
  }

  private tell(line: Buffer, number: number, isTooLong: boolean): void {
    const item = this.itemOf(this.decode({ buffer: line, from: 0, to: line.length - 1, number, isTooLong }));
    if (item !== null) this.sink.item(item);
  }
}
