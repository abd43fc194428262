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

/** Steps a pass emits where the recorder did not count: plan, then call and result for each call, or the answer. */
export function stepsOf(calls: number): number {
  return calls === 0 ? 2 : 1 + 2 * calls;
}
