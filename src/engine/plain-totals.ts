import { toAtoms } from '../model/atoms.js';
import { type Chunk, narrowedTo } from '../model/chunk.js';
import { ATOMS_PER_UNIT } from '../model/limits.js';
import { stepsOf, UNKNOWN } from '../model/run-draft.js';

/** From here on the double nearest to a decimal may be that of another; the careful reader has the digits. */
const LARGEST_SURE = 2 ** 49;
/** Below this, products this far from a tie are rounded as the decimal would be: `toAtoms` has the proof. */
const LARGEST_QUICK = 2 ** 40;
const FROM_TIE = 0.499;
const ROOM = 2 ** 15;

/** Passes that begin in some rows: the first row of each, and the number of the pass of every row. */
export interface Begun {
  readonly rows: Int32Array;
  readonly count: number;
  readonly pass: Int32Array;
}

/**
 * What a counter stands at after each pass, in atoms: unknown from the first pass of a run on that lacks its part. One
 * loop takes a column of rows and adds it up: 2 million rows take 0.1 s less CPU time than with amounts taken first and
 * added up later. NaN is unknown; what is no figure ends the loop.
 */
export class PlainTotals {
  values = new Float64Array(ROOM);
  private count = 0;
  /** After the last pass. */
  private total = 0;
  private largest: number = UNKNOWN;
  private hasUnknown = false;

  clear(): void {
    this.count = 0;
    this.total = 0;
    this.largest = UNKNOWN;
    this.hasUnknown = false;
  }

  /** Whether every total is a number that doubles count one by one. */
  get isExact(): boolean {
    return this.largest <= Number.MAX_SAFE_INTEGER;
  }

  /** False where one of two summands is no number of tokens. */
  addTokens(input: Float64Array | null, output: Float64Array | null, begun: Begun): boolean {
    if (input === null || output === null) {
      this.addUnknown(begun.count);
      return areCounts(input ?? output, begun);
    }
    const { rows, count, pass } = begun;
    const { values } = this;
    let { count: to, total, largest } = this;
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number;
      const first = input[row] as number;
      const second = output[row] as number;
      if (!isCount(first) || !isCount(second)) return false;
      if (pass[row] === 1) total = 0;
      total = total >= 0 && first >= 0 && second >= 0 ? total + first + second : UNKNOWN;
      if (total > largest) largest = total;
      else if (total < 0) this.hasUnknown = true;
      values[to++] = total;
    }
    this.keep(to, total, largest);
    return true;
  }

  /** False where one is no amount of time or money. */
  addDecimals(limit: 'seconds' | 'usd', column: Float64Array | null, { rows, count, pass }: Begun): boolean {
    if (column === null) {
      this.addUnknown(count);
      return true;
    }
    const scale = ATOMS_PER_UNIT[limit];
    const { values } = this;
    let { count: to, total, largest } = this;
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number;
      const product = (column[row] as number) * scale;
      let atoms = Math.round(product);
      if (!(product >= 0 && product < LARGEST_QUICK && Math.abs(product - atoms) < FROM_TIE)) {
        const exact = Number.isNaN(product) ? UNKNOWN : toAtoms(limit, column[row] as number);
        if (exact === null || exact > LARGEST_SURE) return false;
        atoms = exact;
      }
      if (pass[row] === 1) total = 0;
      total = total >= 0 && atoms >= 0 ? total + atoms : UNKNOWN;
      if (total > largest) largest = total;
      else if (total < 0) this.hasUnknown = true;
      values[to++] = total;
    }
    this.keep(to, total, largest);
    return true;
  }

  /** Steps as they were counted, to be added up once all calls are there; false where one is no count. */
  holdSteps(column: Float64Array | null, begun: Begun): boolean {
    const { rows, count } = begun;
    if (column === null) {
      this.values.fill(UNKNOWN, this.count, this.count + count);
    } else {
      for (let index = 0; index < count; index++) {
        const steps = column[rows[index] as number] as number;
        this.values[this.count + index] = Number.isNaN(steps) ? UNKNOWN : steps;
      }
    }
    this.count += count;
    return areCounts(column, begun);
  }

  /**
   * Adds the steps up that are held.
   *
   * @param calls how many each pass made: what its steps follow from where nobody counted them
   * @param passesOf how many each run has
   */
  addSteps(calls: Float64Array, passesOf: Float64Array): void {
    const { values } = this;
    let { largest } = this;
    let pass = 0;
    for (let run = 0; run < passesOf.length; run++) {
      const end = pass + (passesOf[run] as number);
      let total = 0;
      for (; pass < end; pass++) {
        const steps = values[pass] as number;
        total += steps < 0 ? stepsOf(calls[pass] as number) : steps;
        values[pass] = total;
      }
      if (total > largest) largest = total;
    }
    this.largest = largest;
  }

  /** Leaves of each run what it stands at after its last pass. @param passesOf how many each run has */
  keepLast(passesOf: Float64Array): void {
    let [pass, kept] = [0, 0];
    for (const passes of passesOf) {
      pass += passes;
      if (passes > 0) this.values[kept++] = this.values[pass - 1] as number;
    }
    this.count = kept;
  }

  /** How many totals there are. */
  get length(): number {
    return this.count;
  }

  makeRoom(passes: number): void {
    if (passes > this.values.length) this.values = twice(this.values);
  }

  /** The totals in the narrowest array; what is largest is known already, which saves a look at each. */
  narrowed(): Chunk {
    return narrowedTo(this.values.subarray(0, this.count), this.largest, this.hasUnknown);
  }

  private addUnknown(count: number): void {
    this.values.fill(UNKNOWN, this.count, this.count + count);
    this.count += count;
    if (count > 0) this.hasUnknown = true;
  }

  private keep(count: number, total: number, largest: number): void {
    this.count = count;
    this.total = total;
    this.largest = largest;
  }
}

function areCounts(values: Float64Array | null, { rows, count }: Begun): boolean {
  if (values === null) return true;
  for (let index = 0; index < count; index++) if (!isCount(values[rows[index] as number] as number)) return false;
  return true;
}

/** Whether it is a count, or unknown. */
function isCount(value: number): boolean {
  return value >= 0 ? value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value : Number.isNaN(value);
}

/** Twice the room. */
export function twice(values: Float64Array): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(values.length * 2);
  wider.set(values);
  return wider;
}
