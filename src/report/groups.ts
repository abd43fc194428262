import { shownValue } from '../model/words.js';
import { nameText } from './escape.js';
import { formatCount } from './format.js';
import type { Column } from './table.js';

/** More groups than this are counted, not printed: ten thousand labels fill no page. */
const MAX_GROUPS = 40;

/** `kind=stuck, model=m-1`; runs without the label are `kind=(none)`. */
export function groupName(labels: { readonly [label: string]: string | null }): string {
  const parts = Object.entries(labels).map(
    ([label, value]) => `${nameText(label)}=${value === null ? '(none)' : nameText(shownValue(value))}`,
  );
  return parts.length === 0 ? 'all' : parts.join(', ');
}

/** The first column of a table by group. */
export const GROUP_COLUMN: Column = { header: 'group', align: 'left', maxWidth: 64 };

/** The groups that are printed, and a note on the others. */
export function shownGroups<Group>(groups: readonly Group[]): { shown: readonly Group[]; notes: string[] } {
  const shown = groups.slice(0, MAX_GROUPS);
  return { shown, notes: restNote(groups.length - shown.length) };
}

/** `… and 12 more, see --json`, when something was left out. */
export function restNote(rest: number): string[] {
  return rest > 0 ? [`… and ${formatCount(rest)} more, see --json`] : [];
}
