import { shownValue } from '../model/words.js';
import type { ReasonTally, ReplayReport } from '../replay/result.js';
import { nameText } from './escape.js';
import { formatCount, formatPercent } from './format.js';
import { restNote } from './groups.js';
import type { Column, Table } from './table.js';

/** More reasons than this are counted, not printed: the policy sets them, so there are few. */
const MAX_REASONS = 20;
/** Labels that get a column of their own. */
const MAX_LABELS = 3;
const MAX_VALUES = 5;

/** The stops that the replay makes, by reason, the most frequent first. */
export function reasonTable(replay: ReplayReport): Table {
  const entries = Object.entries(replay.by_reason);
  entries.sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));
  const labels = [...new Set(entries.flatMap(([, tally]) => Object.keys(tally.by_label)))].slice(0, MAX_LABELS);
  return {
    title: 'Stops that the policy makes, by reason',
    columns: [{ header: 'reason', align: 'left' }, ...STOP_COLUMNS, ...labels.map(labelColumn)],
    rows: entries
      .slice(0, MAX_REASONS)
      .map(([reason, tally]) => [
        reason,
        formatCount(tally.count),
        formatPercent(replay.runs === 0 ? null : tally.count / replay.runs),
        tally.count === 0 ? '-' : formatCount(tally.median_pass),
        ...labels.map((label) => labelText(tally, label)),
      ]),
    notes: restNote(entries.length - MAX_REASONS),
  };
}

const STOP_COLUMNS: readonly Column[] = ['stops', 'of all runs', 'median pass'].map((header) => ({
  header,
  align: 'right',
}));

function labelColumn(label: string): Column {
  return { header: `by ${nameText(label)}`, align: 'left', maxWidth: 80 };
}

function labelText(tally: ReasonTally, label: string): string {
  return tallyText(tally.by_label[label] ?? {}, MAX_VALUES);
}

/** Names with their counts, the largest first: `stuck 53, wander 2, … 4 more`. */
export function tallyText(tally: { readonly [name: string]: number }, most: number): string {
  const entries = Object.entries(tally).filter(([, count]) => count > 0);
  entries.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const shown = entries
    .slice(0, most)
    .map(([name, count]) => `${nameText(shownValue(name), 24)} ${formatCount(count)}`);
  const rest = entries.length - shown.length;
  return [...shown, ...(rest > 0 ? [`… ${formatCount(rest)} more`] : [])].join(', ');
}
