import { toAtoms } from '../model/atoms.js';
import { ATOMS_PER_UNIT } from '../model/limits.js';
import { UNKNOWN } from '../model/run-draft.js';

/*
 * The figures of passes as atoms, one loop a column: what is asked of a value is then known to the compiler, and a row
 * takes 5 ns where one with all its figures took 60. NaN is unknown; what is no figure ends the loop.
 */

/** From here on the double nearest to a decimal may be that of another; the careful reader has the digits. */
const LARGEST_SURE = 2 ** 49;
/** Below this, products this far from a tie are rounded as the decimal would be: `toAtoms` has the proof. */
const LARGEST_QUICK = 2 ** 40;
const FROM_TIE = 0.499;

/** Which rows, and where the first of them goes. */
export interface Picked {
  readonly rows: Int32Array;
  readonly count: number;
  readonly to: number;
}

/** Tokens of passes into an array; false where one is no number of tokens. */
export function pickTokens(
  input: Float64Array | null,
  output: Float64Array | null,
  { rows, count, to }: Picked,
  into: Float64Array,
): boolean {
  if (input === null || output === null) {
    into.fill(UNKNOWN, to, to + count);
    return areCounts(input ?? output, rows, count);
  }
  for (let index = 0; index < count; index++) {
    const row = rows[index] as number;
    const [first, second] = [input[row] as number, output[row] as number];
    if (!isCount(first) || !isCount(second)) return false;
    into[to + index] = first >= 0 && second >= 0 ? first + second : UNKNOWN;
  }
  return true;
}

/** The same for figures that are counted one by one. */
export function pickCounts(values: Float64Array | null, { rows, count, to }: Picked, into: Float64Array): boolean {
  if (values === null) {
    into.fill(UNKNOWN, to, to + count);
    return true;
  }
  for (let index = 0; index < count; index++) {
    const value = values[rows[index] as number] as number;
    if (!isCount(value)) return false;
    into[to + index] = value >= 0 ? value : UNKNOWN;
  }
  return true;
}

/** The same for decimals. */
export function pickDecimals(
  limit: 'seconds' | 'usd',
  values: Float64Array | null,
  { rows, count, to }: Picked,
  into: Float64Array,
): boolean {
  if (values === null) {
    into.fill(UNKNOWN, to, to + count);
    return true;
  }
  const scale = ATOMS_PER_UNIT[limit];
  for (let index = 0; index < count; index++) {
    const value = values[rows[index] as number] as number;
    const product = value * scale;
    const nearest = Math.round(product);
    if (product >= 0 && product < LARGEST_QUICK && Math.abs(product - nearest) < FROM_TIE) {
      into[to + index] = nearest;
      continue;
    }
    const atoms = Number.isNaN(value) ? UNKNOWN : toAtoms(limit, value);
    if (atoms === null || atoms > LARGEST_SURE) return false;
    into[to + index] = atoms;
  }
  return true;
}

/**
 * Makes amounts of passes running totals of their runs: unknown from the first pass on that lacks its part.
 *
 * @param passes how many each run has
 * @returns false where a total is beyond what doubles count one by one
 */
export function addUp(amounts: Float64Array, passes: Float64Array): boolean {
  let pass = 0;
  let largest = 0;
  for (let run = 0; run < passes.length; run++) {
    const end = pass + (passes[run] as number);
    let total = 0;
    for (; pass < end; pass++) {
      const amount = amounts[pass] as number;
      total = total < 0 || amount < 0 ? UNKNOWN : total + amount;
      if (total > largest) largest = total;
      amounts[pass] = total;
    }
  }
  return largest <= Number.MAX_SAFE_INTEGER;
}

function areCounts(values: Float64Array | null, rows: Int32Array, count: number): boolean {
  if (values === null) return true;
  for (let index = 0; index < count; index++) if (!isCount(values[rows[index] as number] as number)) return false;
  return true;
}

/** Whether it is a count, or unknown. */
function isCount(value: number): boolean {
  return value >= 0 ? value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value : Number.isNaN(value);
}
