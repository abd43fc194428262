import type { DriftTest, Effect } from './drift-result.js';

/** From which figure on an effect is small, medium and large. */
type Thresholds = readonly [small: number, medium: number, large: number];

/**
 * The share of pairs in which one set's value is the larger, from 0.5: A. Vargha and H. D. Delaney, "A critique and
 * improvement of the CL common language effect size statistics", Journal of Educational and Behavioral Statistics 25
 * (2000).
 */
const SUPERIORITY: Thresholds = [0.56, 0.64, 0.71];

/** A shift from which on nobody would say that it does not matter: a gate that cannot see it cannot tell. */
export const LARGE_SUPERIORITY = SUPERIORITY[2];

/** How far sizes are apart, in one word; `null` for other tests, or where nothing was seen. */
export function effectOf({ test, seen }: Pick<DriftTest, 'test' | 'seen'>): Effect | null {
  if (seen === null) return null;
  return test === 'rank' || test === 'top' ? wordOf(Math.max(seen, 1 - seen), SUPERIORITY) : null;
}

function wordOf(value: number, [small, medium, large]: Thresholds): Effect {
  if (value < small) return 'negligible';
  if (value < medium) return 'small';
  return value < large ? 'medium' : 'large';
}
