import type { RunBatch } from '../model/run-batch.js';
import { type DraftFigures, stepsOf, UNKNOWN } from '../model/run-draft.js';
import { startsOf } from '../model/starts.js';
import { addUp, type Picked, pickCounts, pickDecimals, pickTokens } from './plain-amounts.js';
import type { PlainCalls } from './plain-calls.js';
import type { Parts } from './plain-parts.js';
import { hasNoFigures, isSamePass, type Rows } from './plain-rows.js';
import { NO_CALL, NOT_RECORDED, ODD } from './plain-sql.js';

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
    const to = this.passes;
    let row = from;
    into.picked = 0;
    while (row < rows.size && !this.isFull) {
      if (this.left === 0) this.beginRun();
      const end = Math.min(rows.size, row + this.left);
      if (!this.readRows(rows, row, end)) return -1;
      this.left -= end - row;
      row = end;
    }
    this.before = rows;
    return into.pick(rows, to) ? row : -1;
  }

  private beginRun(): void {
    this.run++;
    this.left = this.parts.rows[this.run] as number;
    this.number = 0;
    this.calls.beginRun();
  }

  /** Finds the passes among rows of one run. */
  private readRows(rows: Rows, from: number, to: number): boolean {
    const { made, firsts } = this.into;
    const { run } = this;
    let { number, passes } = this;
    let calls = 0;
    for (let row = from; row < to; row++) {
      const [own, state] = [rows.pass[row] as number, rows.state[row] as number];
      const isCall = (state & NO_CALL) === 0;
      if ((state & ODD) !== 0) return false;
      if (own <= 0) return this.readNoPass(rows, row, own);
      if (own === number) {
        // The rows of one pass are its calls.
        if (!isCall || made[passes - 1] === 0 || !isSamePass(rows, row, this.before)) return false;
      } else {
        if (own !== number + 1) return false;
        number = own;
        firsts[this.into.picked++] = row;
        made[passes++] = 0;
      }
      if (!isCall) continue;
      (made[passes - 1] as number)++;
      calls++;
      this.calls.add(rows, row, state);
    }
    this.number = number;
    (this.passesOf[run] as number) += passes - this.passes;
    (this.callsOf[run] as number) += calls;
    this.passes = passes;
    return true;
  }

  /** A run without passes has one row, and nothing on it. */
  private readNoPass(rows: Rows, row: number, number: number): boolean {
    if (number === NOT_RECORDED) this.hasPasses[this.run] = UNKNOWN;
    const isEmpty = ((rows.state[row] as number) & NO_CALL) !== 0 && hasNoFigures(rows, row);
    return number >= NOT_RECORDED && isEmpty && this.parts.rows[this.run] === 1;
  }

  /** The runs, whose arrays hold until the next batch is begun; `null` where a total of one is not exact. */
  finish(): RunBatch | null {
    const { passesOf, callsOf, hasPasses, file } = this;
    const { runs, ids, startedMillis, settings } = this.parts;
    const figures = this.into.finish(passesOf, this.passes);
    if (figures === null) return null;
    const setting: RunBatch['setting'] = (run) => settings[run] as (typeof settings)[number];
    return {
      ...{ runs, file, ids, startedMillis, hasPasses, setting, passes: passesOf },
      line: new Float64Array(runs).fill(UNKNOWN),
      calls: this.calls.isKept ? callsOf : new Float64Array(runs),
      firstPass: startsOf(passesOf),
      firstCall: startsOf(this.calls.isKept ? callsOf : new Float64Array(runs)),
      figures: { ...figures, ...this.calls.figures() },
    };
  }
}

type PassFigures = Pick<DraftFigures, 'passes' | 'tokens' | 'micros' | 'nanos' | 'steps' | 'callsMade'>;

/** The arrays that one batch after the other is put together in. */
export class PassArrays {
  /** The first row of each pass that begins in a piece, and how many there are. */
  readonly firsts = new Int32Array(PIECE);
  picked = 0;
  made = new Float64Array(ROOM);
  private tokens = new Float64Array(ROOM);
  private micros = new Float64Array(ROOM);
  private nanos = new Float64Array(ROOM);
  private steps = new Float64Array(ROOM);

  makeRoom(passes: number): void {
    if (passes <= this.made.length) return;
    this.made = twice(this.made);
    this.tokens = twice(this.tokens);
    this.micros = twice(this.micros);
    this.nanos = twice(this.nanos);
    this.steps = twice(this.steps);
  }

  /** Takes the figures of the passes that begin in a piece; false where one is none. */
  pick(rows: Rows, to: number): boolean {
    const picked: Picked = { rows: this.firsts, count: this.picked, to };
    return (
      pickTokens(rows.input, rows.output, picked, this.tokens) &&
      pickDecimals('seconds', rows.seconds, picked, this.micros) &&
      pickDecimals('usd', rows.usd, picked, this.nanos) &&
      pickCounts(rows.steps, picked, this.steps)
    );
  }

  /** The passes as running totals, `null` where one is not exact. @param passesOf how many each run has */
  finish(passesOf: Float64Array, passes: number): PassFigures | null {
    const { tokens, micros, nanos, steps, made } = this;
    for (let pass = 0; pass < passes; pass++) {
      if (steps[pass] === UNKNOWN) steps[pass] = stepsOf(made[pass] as number);
    }
    const areExact = [tokens, micros, nanos, steps].every((amounts) => addUp(amounts, passesOf));
    return areExact ? { passes, tokens, micros, nanos, steps, callsMade: made } : null;
  }
}

/** Room for at least a piece more. */
function twice(values: Float64Array): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(values.length * 2);
  wider.set(values);
  return wider;
}
