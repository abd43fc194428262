/** Above this a sum of doubles is put away: whole numbers add exactly as long as the sum stays below 2^53. */
const ROOM = 2 ** 52;
const BIG_ROOM = BigInt(ROOM);

/** Many sums of whole numbers from 0 on, exact however large they grow: doubles, and big integers for what outgrows them. */
export class ExactSums {
  private readonly gathered: Float64Array;
  private readonly putAway = new Map<number, bigint>();

  constructor(readonly length: number) {
    this.gathered = new Float64Array(length);
  }

  add(index: number, value: number): void {
    const sum = (this.gathered[index] as number) + value;
    if (sum <= ROOM) this.gathered[index] = sum;
    else this.addLarge(index, value);
  }

  /** Adds the first `count` amounts, each to the sum of its index. */
  addEach(indexes: Uint32Array, amounts: Float64Array, count: number): void {
    const { gathered } = this;
    for (let at = 0; at < count; at++) {
      const index = indexes[at] as number;
      const sum = (gathered[index] as number) + (amounts[at] as number);
      if (sum <= ROOM) gathered[index] = sum;
      else this.addLarge(index, amounts[at] as number);
    }
  }

  total(index: number): bigint {
    return (this.putAway.get(index) ?? 0n) + BigInt(this.gathered[index] as number);
  }

  /** Adds one of these sums to another. */
  addSum(to: number, from: number): void {
    const large = this.putAway.get(from);
    if (large !== undefined) this.put(to, large);
    this.add(to, this.gathered[from] as number);
  }

  /** Adds a sum of others to one of these. */
  addFrom(to: number, others: ExactSums, from: number): void {
    const large = others.putAway.get(from);
    if (large !== undefined) this.put(to, large);
    this.add(to, others.gathered[from] as number);
  }

  /** Turns every sum into what is left of a whole when the sum is taken away from it. */
  takeFrom(whole: bigint): void {
    const isSmall = whole <= BIG_ROOM;
    for (let index = 0; index < this.length; index++) {
      if (isSmall) {
        this.gathered[index] = Number(whole) - (this.gathered[index] as number);
        continue;
      }
      const left = whole - this.total(index);
      this.putAway.set(index, left);
      this.gathered[index] = 0;
    }
  }

  private addLarge(index: number, value: number): void {
    if (value > ROOM) {
      this.put(index, BigInt(value));
      return;
    }
    this.put(index, BigInt((this.gathered[index] as number) + value));
    this.gathered[index] = 0;
  }

  private put(index: number, large: bigint): void {
    this.putAway.set(index, (this.putAway.get(index) ?? 0n) + large);
  }
}
