import type { Chunk } from './chunk.js';

/** Stands for an unknown figure in a draft: what is counted is never below zero. */
export const UNKNOWN = -1;

/** Indexes from one up to another, which is not among them. */
export type Span = readonly [from: number, to: number];

/** The passes of runs on their way into columns, without an object a pass. */
export interface DraftFigures {
  readonly passes: number;
  readonly calls: number;
  /** Running totals in atoms, one a pass; unknown from the first pass on that lacks its part. */
  readonly tokens: Float64Array;
  readonly micros: Float64Array;
  readonly nanos: Float64Array;
  readonly steps: Float64Array;
  /** Calls that each pass made. */
  readonly callsMade: Float64Array;
  /** One a call: the tool's code in the table, contents as numbers that are equal where the contents are, 1 for a failure. */
  readonly tool: Float64Array;
  readonly args: Float64Array;
  readonly result: Float64Array;
  readonly error: Float64Array;
  /** Narrows stretches of these arrays, which only hold for now; absent: it is not quicker than others. */
  readonly narrow?: (values: Float64Array) => Chunk;
}

/**
 * A draft to be filled, handed to a table, and cleared for the next run; a run that turns out to be bad is cleared and
 * leaves nothing behind.
 */
export interface RunDraft extends DraftFigures {
  /** Whether every total is a number that doubles count one by one. */
  readonly isExact: boolean;
  clear(): void;
  /** One call of the pass that ends next. */
  addCall(tool: number, args: number, result: number, error: number): void;
  /** Ends a pass that added these atoms. @param steps unknown: they follow from the number of calls */
  endPass(tokens: number, micros: number, nanos: number, steps: number): void;
}

export function createRunDraft(): RunDraft {
  return new Draft();
}

const ROOM = 64;

class Draft implements RunDraft {
  passes = 0;
  calls = 0;
  isExact = true;
  tokens = new Float64Array(ROOM);
  micros = new Float64Array(ROOM);
  nanos = new Float64Array(ROOM);
  steps = new Float64Array(ROOM);
  callsMade = new Float64Array(ROOM);
  tool = new Float64Array(ROOM);
  args = new Float64Array(ROOM);
  result = new Float64Array(ROOM);
  error = new Float64Array(ROOM);
  private callsBefore = 0;

  clear(): void {
    this.passes = 0;
    this.calls = 0;
    this.callsBefore = 0;
    this.isExact = true;
  }

  addCall(tool: number, args: number, result: number, error: number): void {
    const call = this.calls++;
    if (call === this.tool.length) this.growCalls();
    this.tool[call] = tool;
    this.args[call] = args;
    this.result[call] = result;
    this.error[call] = error;
  }

  endPass(tokens: number, micros: number, nanos: number, steps: number): void {
    const pass = this.passes++;
    if (pass === this.tokens.length) this.growPasses();
    const made = this.calls - this.callsBefore;
    this.callsBefore = this.calls;
    this.callsMade[pass] = made;
    this.add(this.tokens, pass, tokens);
    this.add(this.micros, pass, micros);
    this.add(this.nanos, pass, nanos);
    this.add(this.steps, pass, steps === UNKNOWN ? stepsOf(made) : steps);
  }

  private add(totals: Float64Array, pass: number, amount: number): void {
    const before = pass === 0 ? 0 : (totals[pass - 1] as number);
    const after = before === UNKNOWN || amount === UNKNOWN ? UNKNOWN : before + amount;
    if (after > Number.MAX_SAFE_INTEGER) this.isExact = false;
    totals[pass] = after;
  }

  private growPasses(): void {
    this.tokens = twice(this.tokens);
    this.micros = twice(this.micros);
    this.nanos = twice(this.nanos);
    this.steps = twice(this.steps);
    this.callsMade = twice(this.callsMade);
  }

  private growCalls(): void {
    this.tool = twice(this.tool);
    this.args = twice(this.args);
    this.result = twice(this.result);
    this.error = twice(this.error);
  }
}

/** Steps a pass emits where the recorder did not count: plan, then call and result for each call, or the answer. */
export function stepsOf(calls: number): number {
  return calls === 0 ? 2 : 1 + 2 * calls;
}

function twice(values: Float64Array): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(values.length * 2);
  wider.set(values);
  return wider;
}
