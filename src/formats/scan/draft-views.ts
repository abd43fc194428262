import type { DraftFigures } from '../../model/run-draft.js';

const NONE = new Float64Array(0);

/** The draft of a scanner as it lies in its memory. Its arrays are looked for anew only when they have moved. */
export class DraftViews implements DraftFigures {
  passes = 0;
  calls = 0;
  tokens: Float64Array = NONE;
  micros: Float64Array = NONE;
  nanos: Float64Array = NONE;
  steps: Float64Array = NONE;
  callsMade: Float64Array = NONE;
  tool: Float64Array = NONE;
  args: Float64Array = NONE;
  result: Float64Array = NONE;
  error: Float64Array = NONE;
  private passArrays = 0;
  private callArrays = 0;

  /** @param at the first of the six words that `tellDraft` wrote */
  show(memory: ArrayBufferLike, words: Int32Array, at: number): void {
    this.passes = words[at] as number;
    this.calls = words[at + 1] as number;
    const passArrays = words[at + 2] as number;
    const callArrays = words[at + 4] as number;
    if (passArrays === this.passArrays && callArrays === this.callArrays && this.tokens.buffer === memory) return;
    this.passArrays = passArrays;
    this.callArrays = callArrays;
    const arrays = (start: number, room: number) => (index: number) =>
      new Float64Array(memory, start + index * room * Float64Array.BYTES_PER_ELEMENT, room);
    const ofPasses = arrays(passArrays, words[at + 3] as number);
    this.tokens = ofPasses(0);
    this.micros = ofPasses(1);
    this.nanos = ofPasses(2);
    this.steps = ofPasses(3);
    this.callsMade = ofPasses(4);
    const ofCalls = arrays(callArrays, words[at + 5] as number);
    this.tool = ofCalls(0);
    this.args = ofCalls(1);
    this.result = ofCalls(2);
    this.error = ofCalls(3);
  }
}
