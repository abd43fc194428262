import { cut } from './escape.js';
import type { Column } from './table.js';
import { textWidth } from './width.js';
import { wordsOf, wrap } from './wrap.js';

/** A cell as the lines that it takes. */
export type CellLines = readonly string[];

/** Where everything goes: the header's lines, the rows', the width of each column and the blanks between two. */
export interface Layout {
  readonly widths: readonly number[];
  readonly header: readonly CellLines[];
  readonly rows: readonly (readonly CellLines[])[];
  readonly gap: number;
}

/** Text columns are not cut to less than this while another way is left. */
const MIN_TEXT = 8;

/** How many lines a header and a cell of numbers may take, and the blanks between columns: the most comfortable first. */
const ATTEMPTS = [
  { head: 1, cell: 1, gap: 2 },
  { head: 2, cell: 1, gap: 2 },
  { head: 3, cell: 1, gap: 2 },
  { head: 9, cell: 1, gap: 2 },
  // With a single blank, two cells of several words each read as one.
  { head: 9, cell: 2, gap: 2 },
  { head: 9, cell: 1, gap: 1 },
  { head: 9, cell: 2, gap: 1 },
] as const;

/**
 * A layout no wider than `width`, or `null` where there is none. Where a table is too wide, headers are broken in two,
 * text columns cut, cells such as `at most 57.6 %` broken, and blanks saved, in this order. Numbers are never cut.
 */
export function planLayout(
  columns: readonly Column[],
  headers: readonly string[],
  cells: readonly (readonly string[])[],
  width: number,
): Layout | null {
  for (const { head, cell, gap } of ATTEMPTS) {
    const bodyWidths = columns.map(({ align }, i) =>
      Math.max(1, ...cells.map((row) => (align === 'right' ? narrowest(row[i] ?? '', cell) : textWidth(row[i] ?? '')))),
    );
    const header = headers.map((text, i) => breakHeader(text, bodyWidths[i] ?? 1, head));
    const natural = header.map((lines, i) => Math.max(bodyWidths[i] ?? 1, ...lines.map((line) => textWidth(line))));
    const room = width - gap * (columns.length - 1);
    // Cutting text is worse than a broken header, so the first try must fit as it is.
    const widths = head === 1 ? natural : shrink(columns, natural, room);
    if (sum(widths) > room) continue;
    const linesOf = (text: string, i: number): CellLines =>
      columns[i]?.align === 'right' && cell > 1 ? wrap(text, widths[i] ?? 1) : [cut(text, widths[i] ?? 1)];
    return { widths, header: cutEach(header, widths), rows: cells.map((row) => row.map(linesOf)), gap };
  }
  return null;
}

/** The lines of the highest cell. */
export function heightOf(cells: readonly CellLines[]): number {
  return Math.max(...cells.map((lines) => lines.length));
}

function cutEach(header: readonly CellLines[], widths: readonly number[]): CellLines[] {
  return header.map((lines, i) => lines.map((line) => cut(line, widths[i] ?? 1)));
}

/** A header over as many lines as allowed, no narrower than the cells below it or its longest word. */
function breakHeader(header: string, bodyWidth: number, most: number): string[] {
  return most === 1 ? [header] : wrap(header, narrowest(header, most, bodyWidth));
}

/** The least width, from one on, at which a text takes no more than so many lines and none of its words is broken. */
function narrowest(text: string, lines: number, from = 1): number {
  const widest = textWidth(text);
  if (lines === 1) return widest;
  let width = Math.max(from, ...wordsOf(text).map((word) => textWidth(word)));
  while (width < widest && wrap(text, width).length > lines) width++;
  return width;
}

/** Takes columns of width from the widest text column, one by one, until all fit or none can give. */
function shrink(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let over = sum(widths) - room; over > 0; over--) {
    let widest = -1;
    for (const [i, column] of columns.entries()) {
      const own = widths[i] ?? 0;
      if (column.align === 'left' && own > MIN_TEXT && own > (widths[widest] ?? 0)) widest = i;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
