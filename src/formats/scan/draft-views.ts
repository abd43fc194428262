import type { DraftFigures } from '../../model/run-draft.js';

/** The draft of a scanner as it lies in its memory. */
export class DraftViews implements DraftFigures {
  readonly passes: number;
  readonly calls: number;
  readonly tokens: Float64Array;
  readonly micros: Float64Array;
  readonly nanos: Float64Array;
  readonly steps: Float64Array;
  readonly callsMade: Float64Array;
  readonly tool: Float64Array;
  readonly args: Float64Array;
  readonly result: Float64Array;
  readonly error: Float64Array;

  /** @param words the six that `tellDraft` wrote */
  constructor(memory: ArrayBuffer, words: Int32Array) {
    const [passes, calls, passArrays, passRoom, callArrays, callRoom] = words as unknown as readonly number[] as [
      ...[number, number, number, number, number, number],
    ];
    const arrays = (start: number, room: number, length: number) => (index: number) =>
      new Float64Array(memory, start + index * room * Float64Array.BYTES_PER_ELEMENT, length);
    const ofPasses = arrays(passArrays, passRoom, passes);
    const ofCalls = arrays(callArrays, callRoom, calls);
    this.passes = passes;
    this.calls = calls;
    this.tokens = ofPasses(0);
    this.micros = ofPasses(1);
    this.nanos = ofPasses(2);
    this.steps = ofPasses(3);
    this.callsMade = ofPasses(4);
    this.tool = ofCalls(0);
    this.args = ofCalls(1);
    this.result = ofCalls(2);
    this.error = ofCalls(3);
  }
}
