import type { Chunk } from './chunk.js';
import type { PlainSql } from './plain-sql.js';

/** The rows of a chunk; a column that the file does not have is `null`. */
export interface Rows {
  readonly size: number;
  readonly pass: Int32Array;
  readonly state: Int32Array;
  readonly input: Float64Array | null;
  readonly output: Float64Array | null;
  readonly seconds: Float64Array | null;
  readonly usd: Float64Array | null;
  readonly steps: Float64Array | null;
  readonly others: Int32Array | null;
  readonly tool: Int32Array | null;
  readonly args: Int32Array | null;
  readonly result: Int32Array | null;
}

export function rowsOf(chunk: Chunk, { at }: PlainSql): Rows {
  const doubles = (place: number | null): Float64Array | null => (place === null ? null : chunk.doubles(place));
  const halves = (place: number | null): Int32Array | null => (place === null ? null : chunk.halves(place));
  return {
    size: chunk.size,
    pass: chunk.ints(at.pass as number),
    state: chunk.ints(at.state as number),
    input: doubles(at.input),
    output: doubles(at.output),
    seconds: doubles(at.seconds),
    usd: doubles(at.usd),
    steps: doubles(at.steps),
    others: halves(at.others),
    tool: halves(at.tool),
    args: halves(at.args),
    result: halves(at.result),
  };
}
