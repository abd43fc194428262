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

/**
 * Whether rows say the same of their passes as the ones before them.
 *
 * @param before the rows before these, of which the last comes before the first
 */
export function areSamePasses(rows: Rows, repeats: Int32Array, count: number, before: Rows | null): boolean {
  const others = rows.others;
  return (
    areSame(rows.input, repeats, count, before?.input ?? null) &&
    areSame(rows.output, repeats, count, before?.output ?? null) &&
    areSame(rows.seconds, repeats, count, before?.seconds ?? null) &&
    areSame(rows.usd, repeats, count, before?.usd ?? null) &&
    areSame(rows.steps, repeats, count, before?.steps ?? null) &&
    (others === null || areSameHalves(others, repeats, count, before?.others ?? null))
  );
}

function areSame(
  values: Float64Array | null,
  repeats: Int32Array,
  count: number,
  before: Float64Array | null,
): boolean {
  if (values === null) return true;
  for (let index = 0; index < count; index++) {
    const row = repeats[index] as number;
    const value = values[row] as number;
    const other = row > 0 ? values[row - 1] : before?.[before.length - 1];
    if (value !== other && !(Number.isNaN(value) && Number.isNaN(other))) return false;
  }
  return true;
}

function areSameHalves(halves: Int32Array, repeats: Int32Array, count: number, before: Int32Array | null): boolean {
  for (let index = 0; index < count; index++) {
    const at = (repeats[index] as number) * 2;
    const low = at > 0 ? halves[at - 2] : before?.[before.length - 2];
    const high = at > 0 ? halves[at - 1] : before?.[before.length - 1];
    if (halves[at] !== low || halves[at + 1] !== high) return false;
  }
  return true;
}
