import seedrandom from 'seedrandom';

/** A source of uniform numbers in [0, 1). Whatever draws is handed one: nothing is random without a seed. */
export type Rng = () => number;

/** The generator of a seed: alea, the fastest of the package's generators, with 32 random bits a draw. */
export function seededRng(seed: number): Rng {
  return seedrandom.alea(String(seed));
}

/** Shuffles in place (Fisher and Yates, Durstenfeld's form). */
export function shuffle<T>(items: { readonly length: number; [index: number]: T }, rng: Rng): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor((last + 1) * rng());
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
