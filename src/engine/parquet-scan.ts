import { toAtoms } from '../model/atoms.js';
import type { RunFacts } from '../model/run-batch.js';
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

/** Puts the passes of one run after the other together while rows come in. */
class Scan {
  taken = 0;
  private readonly draft = createRunDraft();
  private readonly contents = createContentCodes();
  private part = -1;
  /** How many rows of the run are still to come. */
  private left = 0;
  /** The pass of the rows that come in; before the first one, why there is none. */
  private pass = BEFORE;
  private callsOfPass = 0;
  /** What the first row of the pass says. */
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
    for (let row = 0; row < rows.size; ) {
      if (this.left === 0 && !(this.endRun() && this.beginRun())) return false;
      const end = Math.min(rows.size, row + this.left);
      this.left -= end - row;
      for (; row < end; row++) if (!this.readRow(rows, row)) return false;
    }
    return true;
  }

  private beginRun(): boolean {
    this.part++;
    if (this.part === this.parts.length) return false;
    this.left = this.parts.rows(this.part);
    this.pass = BEFORE;
    this.draft.clear();
    this.contents.clear();
    return true;
  }

  /** Hands over the run whose rows have come in, if there is one. */
  endRun(): boolean {
    if (this.part < 0) return true;
    if (this.left > 0 || (this.pass > 0 && !this.endPass()) || !this.draft.isExact) return false;
    this.sink.take(this.parts.facts(this.part), this.pass === NOT_RECORDED ? null : this.draft);
    this.taken++;
    return true;
  }

  private readRow(rows: Rows, row: number): boolean {
    const state = rows.state[row] as number;
    const number = rows.pass[row] as number;
    if ((state & ODD) !== 0) return false;
    if (number <= NO_PASS) return this.readNoPass(rows, row, number);
    if (number === this.pass) {
      if ((state & NO_CALL) !== 0 || this.callsOfPass === 0 || !this.isSamePass(rows, row)) return false;
    } else {
      if (number !== (this.pass === BEFORE ? 1 : this.pass + 1) || this.pass === NO_PASS) return false;
      if (this.pass > 0 && !this.endPass()) return false;
      this.beginPass(rows, row, number);
    }
    if ((state & NO_CALL) === 0) this.readCall(rows, row, state);
    return true;
  }

  private readNoPass(rows: Rows, row: number, number: number): boolean {
    const isEmpty = [rows.input, rows.output, rows.seconds, rows.usd, rows.steps].every((values) =>
      Number.isNaN(valueAt(values, row)),
    );
    const isFirst = this.pass === BEFORE;
    this.pass = number;
    return number >= NOT_RECORDED && isFirst && isEmpty && ((rows.state[row] as number) & NO_CALL) !== 0;
  }

  private beginPass(rows: Rows, row: number, number: number): void {
    this.pass = number;
    this.callsOfPass = 0;
    this.input = valueAt(rows.input, row);
    this.output = valueAt(rows.output, row);
    this.seconds = valueAt(rows.seconds, row);
    this.usd = valueAt(rows.usd, row);
    this.steps = valueAt(rows.steps, row);
    if (rows.others === null) return;
    this.othersLow = rows.others[row * 2] as number;
    this.othersHigh = rows.others[row * 2 + 1] as number;
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
    const input = countOf(this.input);
    const output = countOf(this.output);
    const steps = countOf(this.steps);
    const micros = atomsOf('seconds', this.seconds);
    const nanos = atomsOf('usd', this.usd);
    if (input === BAD || output === BAD || steps === BAD || micros === BAD || nanos === BAD) return false;
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
    const low = hashes[row * 2] as number;
    const high = hashes[row * 2 + 1] as number;
    return this.tools.isUnknown(low, high) ? UNKNOWN : this.contents.codeOf(low, high);
  }
}

/** No row of the run has come in yet. */
const BEFORE = -2;

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
