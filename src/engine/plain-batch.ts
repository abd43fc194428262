import { narrowed } from '../model/chunk.js';
import type { RunBatch } from '../model/run-batch.js';
import { type DraftFigures, UNKNOWN } from '../model/run-draft.js';
import { startsOf } from '../model/starts.js';
import type { PlainCalls } from './plain-calls.js';
import { factsOf, type Parts } from './plain-parts.js';
import { areSamePasses, hasNoFigures, type Rows } from './plain-rows.js';
import { NO_CALL, NO_PASS, NOT_RECORDED, ODD } from './plain-sql.js';
import { PlainTotals, twice } from './plain-totals.js';

const ROOM = 2 ** 15;
/** An answer comes in pieces of so many rows. */
const PIECE = 2048;

/** Puts the passes of some runs together while their rows come in, a loop a column, without a call a row. */
export class PlainBatch {
  private run = -1;
  /** How many rows of the run are still to come. */
  private left = 0;
  /** The number of the pass of the last row, 0 before the first one. */
  private number = 0;
  private passes = 0;
  private readonly passesOf: Float64Array;
  private readonly callsOf: Float64Array;
  private readonly hasPasses: Float64Array;

  /** @param before the rows before those that are read next, `null`: none */
  constructor(
    private readonly file: string,
    private readonly parts: Parts,
    private readonly into: PassArrays,
    private readonly calls: PlainCalls,
    private before: Rows | null,
  ) {
    this.passesOf = new Float64Array(parts.runs);
    this.callsOf = new Float64Array(parts.runs);
    this.hasPasses = new Float64Array(parts.runs).fill(1);
    calls.clear();
    into.clear();
  }

  /** Whether all rows of all runs have come in. */
  get isFull(): boolean {
    return this.left === 0 && this.run === this.parts.runs - 1;
  }

  /**
   * Takes the rows of these runs that come from one on.
   *
   * @returns the row behind them; -1 where one is not in order
   */
  read(rows: Rows, from: number): number {
    const { into } = this;
    into.makeRoom(this.passes + rows.size);
    let row = from;
    into.begun = 0;
    into.repeated = 0;
    while (row < rows.size && !this.isFull) {
      if (this.left === 0) this.beginRun();
      const end = Math.min(rows.size, row + this.left);
      if (!this.readRows(rows, row, end)) return -1;
      this.left -= end - row;
      row = end;
    }
    const isGood = areSamePasses(rows, into.repeats, into.repeated, this.before) && into.take(rows);
    this.before = rows;
    return isGood ? row : -1;
  }

  private beginRun(): void {
    this.run++;
    this.left = this.parts.rows[this.run] as number;
    this.number = 0;
    this.calls.beginRun();
  }

  /** Finds the passes among rows of one run. */
  private readRows(rows: Rows, from: number, to: number): boolean {
    const { pass, state } = rows;
    const { made, firsts, repeats } = this.into;
    const { run, passes: before } = this;
    let { number, passes } = this;
    let { begun, repeated } = this.into;
    let calls = 0;
    for (let row = from; row < to; row++) {
      const own = pass[row] as number;
      const flags = state[row] as number;
      if (own <= NO_PASS) return this.readNoPass(rows, row, own);
      const call = (flags & NO_CALL) === 0 ? 1 : 0;
      if ((flags & ODD) !== 0) return false;
      if (own === number) {
        // The rows of one pass are its calls.
        if (call === 0 || made[passes - 1] === 0) return false;
        repeats[repeated++] = row;
        (made[passes - 1] as number)++;
      } else {
        if (own !== number + 1) return false;
        number = own;
        firsts[begun++] = row;
        made[passes++] = call;
      }
      calls += call;
    }
    this.number = number;
    this.passes = passes;
    this.into.begun = begun;
    this.into.repeated = repeated;
    (this.passesOf[run] as number) += passes - before;
    if (calls > 0 && this.calls.isKept) {
      (this.callsOf[run] as number) += calls;
      this.calls.add(rows, from, to);
    }
    return true;
  }

  /** A run without passes has one row, and nothing on it. */
  private readNoPass(rows: Rows, row: number, number: number): boolean {
    if (number === NOT_RECORDED) this.hasPasses[this.run] = UNKNOWN;
    const isEmpty = ((rows.state[row] as number) & (NO_CALL | ODD)) === NO_CALL && hasNoFigures(rows, row);
    return number >= NOT_RECORDED && isEmpty && this.parts.rows[this.run] === 1;
  }

  /** The runs, whose arrays hold until the next batch is begun; `null` where a total of one is not exact. */
  finish(): RunBatch | null {
    const { passesOf, callsOf, hasPasses } = this;
    // Where no calls are asked for, neither is what single passes used.
    const keepsLast = !this.calls.isKept;
    const rowsOf = keepsLast ? passesOf.map((passes) => Math.min(passes, 1)) : passesOf;
    const figures = this.into.finish(passesOf, this.passes, keepsLast);
    if (figures === null) return null;
    return {
      ...factsOf(this.file, this.parts),
      passes: passesOf,
      calls: callsOf,
      hasPasses,
      keepsLast,
      firstRow: startsOf(rowsOf),
      firstCall: startsOf(callsOf),
      figures: { ...figures, ...this.calls.figures() },
    };
  }
}

type PassFigures = Omit<DraftFigures, 'calls' | 'tool' | 'args' | 'result' | 'error'>;

/** The arrays that one batch after the other is put together in. */
export class PassArrays {
  /** The first row of each pass that begins in a piece, and how many there are. */
  readonly firsts = new Int32Array(PIECE);
  begun = 0;
  /** The other rows of passes, which say the same of them once more. */
  readonly repeats = new Int32Array(PIECE);
  repeated = 0;
  made = new Float64Array(ROOM);
  private readonly tokens = new PlainTotals();
  private readonly micros = new PlainTotals();
  private readonly nanos = new PlainTotals();
  private readonly steps = new PlainTotals();
  private readonly all = [this.tokens, this.micros, this.nanos, this.steps];

  clear(): void {
    for (const totals of this.all) totals.clear();
  }

  makeRoom(passes: number): void {
    if (passes > this.made.length) this.made = twice(this.made);
    for (const totals of this.all) totals.makeRoom(passes);
  }

  /** Takes the figures of the passes that begin in a piece; false where one is none. */
  take({ pass, input, output, seconds, usd, steps }: Rows): boolean {
    const begun = { rows: this.firsts, count: this.begun, pass };
    return (
      this.tokens.addTokens(input, output, begun) &&
      this.micros.addDecimals('seconds', seconds, begun) &&
      this.nanos.addDecimals('usd', usd, begun) &&
      this.steps.holdSteps(steps, begun)
    );
  }

  /**
   * The passes as running totals, `null` where one is not exact.
   *
   * @param passesOf how many each run has
   * @param keepsLast whether only what each run came to is asked for
   */
  finish(passesOf: Float64Array, made: number, keepsLast: boolean): PassFigures | null {
    const { tokens, micros, nanos, steps } = this;
    steps.addSteps(this.made, passesOf);
    if (!this.all.every((totals) => totals.isExact)) return null;
    if (keepsLast) {
      for (const totals of this.all) totals.keepLast(passesOf);
      this.made.fill(0, 0, passesOf.length);
    }
    const passes = keepsLast ? tokens.length : made;
    return {
      ...{ passes, tokens: tokens.values, micros: micros.values, nanos: nanos.values, steps: steps.values },
      callsMade: this.made,
      narrow: (values) => {
        const own = this.all.find((totals) => totals.values.buffer === values.buffer && values.length === passes);
        return own === undefined ? narrowed(values) : own.narrowed();
      },
    };
  }
}
