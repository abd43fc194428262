/* A count of bytes in memory that several threads share: one adds, another looks. */

export function createShare(): SharedArrayBuffer {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}

export function addTo(share: SharedArrayBuffer, bytes: number): void {
  Atomics.add(new BigInt64Array(share), 0, BigInt(bytes));
}

export function countedIn(share: SharedArrayBuffer): number {
  return Number(Atomics.load(new BigInt64Array(share), 0));
}
