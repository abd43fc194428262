import type { Rng } from '../stats/rng.js';

export { type Rng, seededRng, shuffle } from '../stats/rng.js';

/** A standard normal number (Box and Muller 1958). Stateless: the second number of the pair is not kept. */
export function drawNormal(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
}

/** Whether an event of this probability happened. */
export function drawEvent(probability: number, rng: Rng): boolean {
  return rng() < probability;
}

/** A number between two others. */
export function drawBetween(low: number, high: number, rng: Rng): number {
  return low + (high - low) * rng();
}

/** A whole number from `low` to `high`, both included. */
export function drawWhole(low: number, high: number, rng: Rng): number {
  return low + Math.floor((high - low + 1) * rng());
}

/** One of the items, each as often as its weight says. The list is not empty. */
export function drawWeighted<T extends { readonly weight: number }>(items: readonly T[], rng: Rng): T {
  let sum = 0;
  for (const item of items) sum += item.weight;
  let rest = rng() * sum;
  for (const item of items) {
    rest -= item.weight;
    if (rest < 0) return item;
  }
  return items[items.length - 1] as T;
}
