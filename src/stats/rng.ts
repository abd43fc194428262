/// <reference path="./alea.d.ts" />

import alea from 'seedrandom/lib/alea.js';

/** A source of uniform numbers in [0, 1). Whatever draws is handed one: nothing is random without a seed. */
export type Rng = () => number;

/**
 * The generator of a seed: alea, the fastest of the package's generators, with 32 random bits a draw. The whole of the
 * package would load Node's crypto, which takes 4 ms, to find a seed where none is given.
 */
export function seededRng(seed: number): Rng {
  return alea(String(seed));
}

/** Shuffles in place (Fisher and Yates, Durstenfeld's form). */
export function shuffle<T>(items: { readonly length: number; [index: number]: T }, rng: Rng): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor((last + 1) * rng());
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
