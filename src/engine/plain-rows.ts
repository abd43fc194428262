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

/** Whether no figure of a pass stands on a row. */
export function hasNoFigures({ input, output, seconds, usd, steps }: Rows, row: number): boolean {
  return [input, output, seconds, usd, steps].every((values) => values === null || Number.isNaN(values[row]));
}

/** Whether a row says the same of its pass as the one before, which is the last of the chunk before for the first row. */
export function isSamePass(rows: Rows, row: number, before: Rows | null): boolean {
  const other = row > 0 ? rows : before;
  const at = row > 0 ? row - 1 : (before?.size ?? 0) - 1;
  if (other === null) return false;
  return (
    isSame(rows.input, row, other.input, at) &&
    isSame(rows.output, row, other.output, at) &&
    isSame(rows.seconds, row, other.seconds, at) &&
    isSame(rows.usd, row, other.usd, at) &&
    isSame(rows.steps, row, other.steps, at) &&
    isSame(rows.others, row * 2, other.others, at * 2) &&
    isSame(rows.others, row * 2 + 1, other.others, at * 2 + 1)
  );
}

type Values = Float64Array | Int32Array | null;

function isSame(values: Values, row: number, others: Values, at: number): boolean {
  return values === null || Object.is(values[row], others?.[at]);
}
