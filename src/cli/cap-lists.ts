import { textToAtoms } from '../model/atoms.js';
import { numberText } from '../model/decimal-text.js';
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
      const kind = { flag: `--${limit}`, noun: 'cap', least: 0, read: (part: string) => capAtoms(limit, part) };
      return text === undefined ? [] : [[limit, valuesIn(text, { ...kind, ...EXAMPLES[limit] })]];
    }),
  );
}

/** Counts of a repeat rule to try, as typed; none where nothing was. */
export function countList(text: string | false | undefined): readonly (number | null)[] {
  if (typeof text !== 'string') return [];
  const read = (part: string): number | null => capAtoms('steps', part);
  return valuesIn(text, { flag: '--repeat', noun: 'count', least: 2, read, list: '2,3,4', range: '2:6:1' });
}

/** @throws CommandError where there are too many combinations */
export function checkCombinations(caps: GridCaps, counts: readonly (number | null)[]): void {
  const each = [...Object.values(caps), ...(counts.length === 0 ? [] : [counts])];
  const combinations = each.reduce((product, { length }) => product * length, 1);
  if (combinations <= MOST_COMBINATIONS) return;
  throw usageError(
    `${numberText(combinations)} combinations ${counts.length === 0 ? 'of caps' : 'of caps and counts'} are too many`,
    `at most ${numberText(MOST_COMBINATIONS)}: name fewer ${counts.length === 0 ? 'caps' : 'of them'}, or take larger steps`,
  );
}

/** What a list is of, and how its entries are written. */
interface ListKind {
  readonly flag: string;
  readonly noun: string;
  readonly least: number;
  /** A whole number above zero, or `null`. */
  read(part: string): number | null;
  readonly list: string;
  readonly range: string;
}

function valuesIn(text: string, kind: ListKind): (number | null)[] {
  return text.split(',').flatMap((part) => valuesOf(text, part.trim(), kind));
}

function valuesOf(text: string, part: string, { flag, noun, least, read, list, range }: ListKind): (number | null)[] {
  if (part === 'none') return [null];
  const ends = part.split(':').map(read);
  const [from = null, to = null, step = null] = ends;
  if (ends.length === 1 && from !== null && from >= least) return [from];
  if (ends.length !== 3 || from === null || to === null || step === null || to < from || from < least) {
    throw usageError(
      `${flag} ${text}: ${part === '' ? 'an entry is empty' : `${part} is not a ${noun}`}`,
      `for instance ${flag} ${list}, ${flag} ${range} (from, to, step), or none for no ${noun === 'cap' ? 'cap' : 'such rule'}`,
    );
  }
  const count = Math.floor((to - from) / step) + 1;
  if (count > MOST_COMBINATIONS) {
    throw usageError(`${flag} ${text}: ${numberText(count)} ${noun}s are too many`, 'take larger steps');
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
