import type { DriftEnding, DriftReport, DriftTest } from '../replay/drift-result.js';
import { nameText } from './escape.js';
import { formatCount, formatPercent, signed } from './format.js';
import { restNote } from './groups.js';
import type { Table } from './table.js';

/** More ways to end than this are counted, not printed. */
const MOST_ENDINGS = 12;

export function endingTable({ endings, tests }: DriftReport): Table {
  const ending = tests.filter(({ test }) => test === 'endings');
  return {
    title: 'How the runs end',
    columns: [
      { header: 'ending', align: 'left', maxWidth: 30 },
      ...['old', 'of all', 'new', 'of all', 'points'].map((header) => ({ header, align: 'right' as const })),
      { header: 'moved', align: 'left' },
    ],
    rows: endings
      .slice(0, MOST_ENDINGS)
      .map((row) => [
        nameText(row.ending, 28),
        formatCount(row.old),
        formatPercent(row.old_share),
        formatCount(row.new),
        formatPercent(row.new_share),
        pointsText(row.old_share, row.new_share),
        movedText(row, ending),
      ]),
    notes: [
      ...restNote(endings.length - MOST_ENDINGS),
      ...(ending.some(({ p_value }) => p_value !== null)
        ? [
            'moved: each ending is held against all other runs by an exact test, judged together with the tests of sizes',
          ]
        : []),
      ...marks(endings.slice(0, MOST_ENDINGS)),
    ],
  };
}

/** What the marks in the last column mean, as far as they stand there. */
function marks(endings: readonly DriftEnding[]): string[] {
  const has = (how: DriftEnding['tested']): boolean => endings.some(({ tested }) => tested === how);
  return [
    ...(has('together') ? ['rare: too few to be tested each; these are tested together'] : []),
    ...(has('no')
      ? ['-: not tested, since whatever was seen could be chance: too few runs end so, or too few otherwise']
      : []),
  ];
}

/** What the test of an ending says; of two endings that are all, one test speaks for both. */
function movedText({ ending, tested }: DriftEnding, tests: readonly DriftTest[]): string {
  const own = tests.find((test) => test.ending === ending);
  const [only] = tests.length === 1 ? tests : [];
  const test = own ?? (tested === 'by itself' ? only : undefined);
  if (tested !== 'by itself') return tested === 'together' ? 'rare' : '-';
  if (test === undefined || test.p_value === null) return 'not judged';
  if (test.moved === null) return 'no';
  return own === undefined ? (test.moved === 'up' ? 'down' : 'up') : test.moved;
}

/** The difference of two shares in percentage points. */
function pointsText(old: number | null, fresh: number | null): string {
  if (old === null || fresh === null) return '';
  const points = Number((100 * (fresh - old)).toFixed(1));
  return points === 0 ? '0' : signed(points.toFixed(1), points);
}
