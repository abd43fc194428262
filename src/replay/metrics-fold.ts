/** What stands for all values that were folded. */
export const OTHER = 'other';

/** Which keys are kept as they are, and what becomes of the others. */
export interface Folding {
  /** The key itself, or the one that it was folded into. */
  of(key: readonly string[]): readonly string[];
  /** How many distinct keys were folded. */
  readonly folded: number;
}

/**
 * Keeps the largest keys so that no more than `most` are left; in the rest, every part from `from` on becomes "other".
 *
 * @param counts by `JSON.stringify` of the key
 * @param reserve how many keys the rest can become
 */
export function foldKeys(counts: ReadonlyMap<string, number>, most: number, from: number, reserve: number): Folding {
  if (counts.size <= most) return { of: (key) => key, folded: 0 };
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const kept = new Set(sorted.slice(0, Math.max(0, most - reserve)).map(([key]) => key));
  return {
    of: (key) => (kept.has(JSON.stringify(key)) ? key : key.map((part, at) => (at < from ? part : OTHER))),
    folded: counts.size - kept.size,
  };
}
