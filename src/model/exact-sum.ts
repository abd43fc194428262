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
  let gathered = 0;
  let putAway = 0n;
  return {
    add(value) {
      if (value > ROOM) {
        putAway += BigInt(value);
        return;
      }
      gathered += value;
      if (gathered <= ROOM) return;
      putAway += BigInt(gathered);
      gathered = 0;
    },
    addSum(sum) {
      putAway += sum;
    },
    total: () => putAway + BigInt(gathered),
  };
}
