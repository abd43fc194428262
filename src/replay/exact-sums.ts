/** Up to here whole numbers add exactly as doubles. */
const MOST = 2 ** 53;
const MOST_BIG = BigInt(MOST);

/** Many sums of whole numbers from 0 on, exact however large they grow: doubles, and big integers for what outgrows them. */
export class ExactSums {
  private readonly gathered: Float64Array;
  /** No double stands above this. */
  private highest = 0;
  private readonly putAway = new Map<number, bigint>();

  constructor(readonly length: number) {
    this.gathered = new Float64Array(length);
  }

  /**
   * The sums as doubles, to which up to so much may be added each: a walk over many adds without a look at each sum.
   * What would outgrow them is put away before.
   */
  withRoom(most: number): Float64Array {
    if (this.highest + most > MOST) this.settle();
    this.highest += most;
    return this.gathered;
  }

  add(index: number, value: number): void {
    const sum = (this.gathered[index] as number) + value;
    if (sum > MOST) {
      this.put(index, BigInt(this.gathered[index] as number) + BigInt(value));
      this.gathered[index] = 0;
      return;
    }
    this.gathered[index] = sum;
    this.highest = Math.max(this.highest, sum);
  }

  addBig(index: number, value: bigint): void {
    if (value <= MOST_BIG) this.add(index, Number(value));
    else this.put(index, value);
  }

  total(index: number): bigint {
    return (this.putAway.get(index) ?? 0n) + BigInt(this.gathered[index] as number);
  }

  /** Adds a sum of others, or one of these, to one of these. */
  addFrom(to: number, others: ExactSums, from: number): void {
    const large = others.putAway.get(from);
    if (large !== undefined) this.put(to, large);
    this.add(to, others.gathered[from] as number);
  }

  /** Turns every sum into what is left of a whole when the sum is taken away from it. */
  takeFrom(whole: bigint): void {
    const isSmall = whole <= MOST_BIG;
    for (let index = 0; index < this.length; index++) {
      if (isSmall) {
        this.gathered[index] = Number(whole) - (this.gathered[index] as number);
        continue;
      }
      this.putAway.set(index, whole - this.total(index));
      this.gathered[index] = 0;
    }
    this.highest = isSmall ? Number(whole) : 0;
  }

  private settle(): void {
    for (let index = 0; index < this.length; index++) {
      if (this.gathered[index] !== 0) this.put(index, BigInt(this.gathered[index] as number));
    }
    this.gathered.fill(0);
    this.highest = 0;
  }

  private put(index: number, large: bigint): void {
    this.putAway.set(index, (this.putAway.get(index) ?? 0n) + large);
  }
}
