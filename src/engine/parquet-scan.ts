import { toAtoms } from '../model/atoms.js';
import type { RunFacts } from '../model/run-columns.js';
import { createRunDraft, type RunDraft, UNKNOWN } from '../model/run-draft.js';
import { createContentCodes } from './content-codes.js';
import type { Database } from './duckdb.js';
import { type Parts, readParts } from './plain-parts.js';
import { type Rows, rowsOf } from './plain-rows.js';
import { ERROR_UNKNOWN, FAILED, NO_CALL, NO_PASS, NOT_RECORDED, ODD, type PlainSql } from './plain-sql.js';
import { readTools, type Tools } from './plain-tools.js';
import type { MakeRun } from './run-facts.js';

/** Who takes runs from a plain file. */
export interface PlainSink {
  /** The code under which a tool is kept. */
  codeForTool(tool: string): number;
  /** @param draft the passes, good until the call returns; `null`: they were not recorded */
  take(facts: RunFacts, draft: RunDraft | null): void;
}

/**
 * Reads a plain file in columns, without an object a row or a pass: numbers as numbers, run fields, tools and contents
 * as hashes that the database takes. The first run that is not in perfect order ends the scan.
 *
 * @returns how many runs were handed over, and whether those were all
 */
export async function scanPlain(
  database: Database,
  sql: PlainSql,
  path: string,
  make: MakeRun,
  sink: PlainSink,
): Promise<{ readonly taken: number; readonly isWhole: boolean }> {
  const parts = await readParts(database, sql, path, make);
  if (parts === null) return { taken: 0, isWhole: false };
  const tools = await readTools(database, sql, (tool) => sink.codeForTool(tool));
  const scan = new Scan(parts, tools, sink);
  for await (const chunk of database.chunks(sql.rows)) {
    if (!scan.readRows(rowsOf(chunk, sql))) return { taken: scan.taken, isWhole: false };
  }
  const isWhole = scan.endRun() && scan.taken === parts.length;
  return { taken: scan.taken, isWhole };
}

/** Puts the passes of one run together while its rows come in. */
class Scan {
  taken = 0;
  private readonly draft = createRunDraft();
  private readonly contents = createContentCodes();
  private part = -1;
  private low = 0;
  private high = 0;
  /** The pass of the rows that come in; before the first one, why there is none. */
  private pass = NO_PASS;
  private rows = 0;
  private callsOfPass = 0;
  private input = 0;
  private output = 0;
  private seconds = 0;
  private usd = 0;
  private steps = 0;
  private othersLow = 0;
  private othersHigh = 0;

  constructor(
    private readonly parts: Parts,
    private readonly tools: Tools,
    private readonly sink: PlainSink,
  ) {}

  /** Whether the rows are in order; the run of a row that is not, is not handed over. */
  readRows(rows: Rows): boolean {
    for (let row = 0; row < rows.size; row++) {
      const [low, high] = [rows.part[row * 2] as number, rows.part[row * 2 + 1] as number];
      if (this.part < 0 || low !== this.low || high !== this.high) {
        if (!this.endRun() || !this.beginRun(low, high)) return false;
      }
      if (!this.readRow(rows, row)) return false;
      this.rows++;
    }
    return true;
  }

  private beginRun(low: number, high: number): boolean {
    this.part++;
    this.low = low;
    this.high = high;
    this.pass = NO_PASS;
    this.rows = 0;
    this.draft.clear();
    this.contents.clear();
    return this.part < this.parts.length && this.parts.isOf(this.part, low, high);
  }

  /** Hands over the run whose rows have come in, if there is one. */
  endRun(): boolean {
    if (this.part < 0) return true;
    if (this.pass > 0 && !this.endPass()) return false;
    if (!this.draft.isExact) return false;
    this.sink.take(this.parts.facts(this.part), this.pass === NOT_RECORDED ? null : this.draft);
    this.taken++;
    return true;
  }

  private readRow(rows: Rows, row: number): boolean {
    const state = rows.state[row] as number;
    const number = rows.pass[row] as number;
    if ((state & ODD) !== 0) return false;
    if (number <= NO_PASS) return this.readNoPass(rows, row, number);
    const hasCall = (state & NO_CALL) === 0;
    if (number === this.pass) {
      if (!hasCall || this.callsOfPass === 0 || !this.isSamePass(rows, row)) return false;
    } else {
      if (number !== this.pass + 1 || (this.rows > 0 && this.pass <= NO_PASS)) return false;
      if (this.pass > 0 && !this.endPass()) return false;
      this.beginPass(rows, row, number);
    }
    if (hasCall) this.readCall(rows, row, state);
    return true;
  }

  private readNoPass(rows: Rows, row: number, number: number): boolean {
    const isEmpty = [rows.input, rows.output, rows.seconds, rows.usd, rows.steps].every((values) =>
      Number.isNaN(values === null ? Number.NaN : (values[row] as number)),
    );
    this.pass = number;
    return number >= NOT_RECORDED && this.rows === 0 && isEmpty && ((rows.state[row] as number) & NO_CALL) !== 0;
  }

  private beginPass(rows: Rows, row: number, number: number): void {
    this.pass = number;
    this.callsOfPass = 0;
    this.input = valueAt(rows.input, row);
    this.output = valueAt(rows.output, row);
    this.seconds = valueAt(rows.seconds, row);
    this.usd = valueAt(rows.usd, row);
    this.steps = valueAt(rows.steps, row);
    this.othersLow = rows.others === null ? 0 : (rows.others[row * 2] as number);
    this.othersHigh = rows.others === null ? 0 : (rows.others[row * 2 + 1] as number);
  }

  private isSamePass(rows: Rows, row: number): boolean {
    return (
      Object.is(this.input, valueAt(rows.input, row)) &&
      Object.is(this.output, valueAt(rows.output, row)) &&
      Object.is(this.seconds, valueAt(rows.seconds, row)) &&
      Object.is(this.usd, valueAt(rows.usd, row)) &&
      Object.is(this.steps, valueAt(rows.steps, row)) &&
      (rows.others === null ||
        (rows.others[row * 2] === this.othersLow && rows.others[row * 2 + 1] === this.othersHigh))
    );
  }

  /** Ends the pass; false where a figure of it is none. */
  private endPass(): boolean {
    const [input, output, steps] = [countOf(this.input), countOf(this.output), countOf(this.steps)];
    const [micros, nanos] = [atomsOf('seconds', this.seconds), atomsOf('usd', this.usd)];
    if (Math.min(input, output, steps, micros, nanos) < UNKNOWN) return false;
    const tokens = input === UNKNOWN || output === UNKNOWN ? UNKNOWN : input + output;
    this.draft.endPass(tokens, micros, nanos, steps);
    return true;
  }

  private readCall(rows: Rows, row: number, state: number): void {
    this.callsOfPass++;
    const { tool } = rows;
    const code = tool === null ? 0 : this.tools.codeOf(tool[row * 2] as number, tool[row * 2 + 1] as number);
    const error = (state & ERROR_UNKNOWN) === 0 ? state & FAILED : UNKNOWN;
    this.draft.addCall(code, this.contentOf(rows.args, row), this.contentOf(rows.result, row), error);
  }

  private contentOf(hashes: Int32Array | null, row: number): number {
    if (hashes === null) return UNKNOWN;
    const [low, high] = [hashes[row * 2] as number, hashes[row * 2 + 1] as number];
    return this.tools.isUnknown(low, high) ? UNKNOWN : this.contents.codeOf(low, high);
  }
}

/** No known amount, and no mark for an unknown one. */
const BAD = -2;

/** From here on the double nearest to a decimal may be that of another; the careful reader has the digits. */
const LARGEST_SURE = 2 ** 49;

function valueAt(values: Float64Array | null, row: number): number {
  return values === null ? Number.NaN : (values[row] as number);
}

function countOf(value: number): number {
  if (Number.isNaN(value)) return UNKNOWN;
  return value >= 0 && Number.isSafeInteger(value) ? value : BAD;
}

function atomsOf(limit: 'seconds' | 'usd', value: number): number {
  if (Number.isNaN(value)) return UNKNOWN;
  const atoms = toAtoms(limit, value);
  return atoms === null || atoms > LARGEST_SURE ? BAD : atoms;
}
