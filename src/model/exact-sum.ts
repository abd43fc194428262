/** Above this a sum of doubles is put away: whole numbers add exactly as long as the sum stays below 2^53. */
const ROOM = 2 ** 52;

/** A sum of whole numbers from 0 to 2^52, exact however large it grows, at the price of one addition each. */
export interface ExactSum {
  add(value: number): void;
  /** A sum that was made elsewhere. */
  addSum(sum: bigint): void;
  total(): bigint;
}

/** Big integers are slow to add one by one (some 50 ns), so they only take what a double has gathered. */
export function exactSum(): ExactSum {
  return new GatheringSum();
}

/** A field of an object holds a double in place; a variable of a closure takes new memory with every addition. */
class GatheringSum implements ExactSum {
  private gathered = 0;
  private putAway = 0n;

  add(value: number): void {
    if (value > ROOM) {
      this.putAway += BigInt(value);
      return;
    }
    this.gathered += value;
    if (this.gathered <= ROOM) return;
    this.putAway += BigInt(this.gathered);
    this.gathered = 0;
  }

  addSum(sum: bigint): void {
    this.putAway += sum;
  }

  total(): bigint {
    return this.putAway + BigInt(this.gathered);
  }
}
