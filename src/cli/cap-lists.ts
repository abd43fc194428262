import { textToAtoms } from '../model/atoms.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import type { GridCaps } from '../replay/sweep.js';
import { usageError } from './errors.js';

/** More combinations are no table that anyone reads, and do not fit in memory well. */
export const MOST_COMBINATIONS = 1_000_000;

/**
 * Caps to try, as typed: `10,15,none`, `10:30:5`, or both.
 *
 * @throws CommandError where a part is neither
 */
export function capLists(typed: { readonly [limit in LimitName]?: string }): GridCaps {
  return Object.fromEntries(
    LIMITS.flatMap((limit) => {
      const text = typed[limit];
      return text === undefined ? [] : [[limit, text.split(',').flatMap((part) => capsIn(limit, text, part.trim()))]];
    }),
  );
}

/** @throws CommandError where there are too many combinations */
export function checkCombinations(caps: GridCaps): void {
  const combinations = Object.values(caps).reduce((product, { length }) => product * length, 1);
  if (combinations <= MOST_COMBINATIONS) return;
  throw usageError(
    `${combinations.toLocaleString('en-US')} combinations of caps are too many`,
    `at most ${MOST_COMBINATIONS.toLocaleString('en-US')}: name fewer caps, or take larger steps`,
  );
}

function capsIn(limit: LimitName, text: string, part: string): (number | null)[] {
  if (part === 'none') return [null];
  const ends = part.split(':').map((each) => capAtoms(limit, each));
  const [from = null, to = null, step = null] = ends;
  if (ends.length === 1 && from !== null) return [from];
  if (ends.length !== 3 || from === null || to === null || step === null || to < from) {
    const example = EXAMPLES[limit];
    throw usageError(
      `--${limit} ${text}: ${part === '' ? 'an entry is empty' : `${part} is not a cap`}`,
      `for instance --${limit} ${example.list}, --${limit} ${example.range} (from, to, step), or none for no cap`,
    );
  }
  const count = Math.floor((to - from) / step) + 1;
  if (count > MOST_COMBINATIONS) {
    throw usageError(`--${limit} ${text}: ${count.toLocaleString('en-US')} caps are too many`, 'take larger steps');
  }
  return Array.from({ length: count }, (_, index) => from + index * step);
}

/** A ceiling above zero; digits may be parted by `_`. */
function capAtoms(limit: LimitName, text: string): number | null {
  if (/^_|__|_$/.test(text)) return null;
  return textToAtoms(limit, text.trim().replaceAll('_', '')) || null;
}

const EXAMPLES: Readonly<Record<LimitName, { readonly list: string; readonly range: string }>> = {
  passes: { list: '10,15,20', range: '10:30:5' },
  tokens: { list: '100000,200000', range: '100000:500000:100000' },
  seconds: { list: '60,120', range: '60:300:30' },
  usd: { list: '0.5,1,2', range: '0.5:3:0.5' },
  steps: { list: '32,64', range: '16:96:16' },
};
