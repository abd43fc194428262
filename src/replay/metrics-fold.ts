/** What stands for all values that were folded, where no value is called so. */
const OTHER = 'other';

/** Which keys are kept as they are, and what becomes of the others. */
export interface Folding {
  /** The key itself, or the one that it was folded into. */
  of(key: readonly string[]): readonly string[];
  /** How many distinct keys were folded. */
  readonly folded: number;
}

/**
 * Keeps the largest keys so that no more than `most` are left; in the rest, every part from `from` on becomes "other", or a
 * word like it that no value has.
 *
 * @param counts by `JSON.stringify` of the key
 * @param reserve how many keys the rest can become
 */
export function foldKeys(counts: ReadonlyMap<string, number>, most: number, from: number, reserve: number): Folding {
  if (counts.size <= most) return { of: (key) => key, folded: 0 };
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const kept = new Set(sorted.slice(0, Math.max(0, most - reserve)).map(([key]) => key));
  const other = freeWord(counts.keys(), from);
  return {
    of: (key) => (kept.has(JSON.stringify(key)) ? key : key.map((part, at) => (at < from ? part : other))),
    folded: counts.size - kept.size,
  };
}

function freeWord(keys: Iterable<string>, from: number): string {
  const used = new Set([...keys].flatMap((key) => (JSON.parse(key) as string[]).slice(from)));
  let word = OTHER;
  for (let again = 2; used.has(word); again++) word = `${OTHER}_${again}`;
  return word;
}
