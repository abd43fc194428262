import type { Chunk } from '../../model/chunk.js';
import type { DraftFigures } from '../../model/run-draft.js';

/** What scanners tell of how they narrow numbers. */
export interface NarrowExports {
  readonly memory: WebAssembly.Memory;
  narrow(from: number, count: number): number;
  readonly narrowed: WebAssembly.Global;
  readonly isWhole: WebAssembly.Global;
}

/** Doubles in the memory of a scanner as the narrowest kind of array that holds them, copied. */
export type Narrow = (values: Float64Array) => Chunk;

export function narrowBy(exports: NarrowExports): Narrow {
  return (values) => {
    const bytes = exports.narrow(values.byteOffset, values.length);
    const at = exports.narrowed.value as number;
    const isWhole = exports.isWhole.value !== 0;
    const copy = exports.memory.buffer.slice(at, at + bytes * values.length);
    switch (bytes) {
      case 0:
        return null;
      case 1:
        return { values: new Uint8Array(copy), unknown: 2 ** 8 - 1, isWhole };
      case 2:
        return { values: new Uint16Array(copy), unknown: 2 ** 16 - 1, isWhole };
      case 4:
        return { values: new Uint32Array(copy), unknown: 2 ** 32 - 1, isWhole };
      default:
        return { values: new Float64Array(copy), unknown: Number.POSITIVE_INFINITY, isWhole };
    }
  };
}

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
  constructor(
    memory: ArrayBuffer,
    words: Int32Array,
    readonly narrow: Narrow,
  ) {
    const word = (index: number): number => words[index] as number;
    const arrays = (start: number, room: number, length: number) => (index: number) =>
      new Float64Array(memory, start + index * room * Float64Array.BYTES_PER_ELEMENT, length);
    this.passes = word(0);
    this.calls = word(1);
    const ofPasses = arrays(word(2), word(3), this.passes);
    const ofCalls = arrays(word(4), word(5), this.calls);
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
