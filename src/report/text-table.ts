import CliTable from 'cli-table3';
import pc from 'picocolors';
import { cut, escapeTerminal } from './escape.js';
import { type Column, cellWidth, type Table } from './table.js';
import { textWidth } from './width.js';
import { hang, MIN_WIDTH, wrap } from './wrap.js';

/** What a text renderer is told about where its text will be read. */
export interface TextOptions {
  /** Columns; no line is wider. */
  readonly width: number;
  /** Whether colour may be used; it is emphasis only and carries nothing of its own. */
  readonly color: boolean;
}

/** Text columns are not cut to less than this while another way is left. */
const MIN_TEXT = 8;

/** Where everything goes: the header's lines, the cells, the width of each column and the blanks between two. */
interface Layout {
  readonly widths: readonly number[];
  readonly header: readonly (readonly string[])[];
  readonly gap: number;
}

/**
 * The table for a terminal. Where it is too wide, headers are broken in two, text columns cut, blanks saved, in this
 * order; where even that is not enough, each row is printed as a short list. Numbers are never cut.
 */
export function renderTextTable(table: Table, options: TextOptions): string {
  const width = Math.max(MIN_WIDTH, options.width);
  const colors = pc.createColors(options.color);
  const cells = table.rows.map((row) => table.columns.map((column, i) => clean(row[i] ?? '', column)));
  const headers = table.columns.map((column) => clean(column.header, column));
  const layout = planLayout(table.columns, headers, cells, width);
  const title = table.title === null ? [] : wrap(escapeTerminal(table.title), width).map((line) => colors.bold(line));
  const body = layout === null ? stack(headers, cells, width) : draw(table.columns, cells, layout, colors.bold);
  const notes = table.notes.flatMap((note, i) => hang(`[${i + 1}] `, escapeTerminal(note), width));
  return [...title, ...body, ...notes].join('\n');
}

function clean(cell: string, column: Column): string {
  return escapeTerminal(cell, cellWidth(column));
}

function planLayout(
  columns: readonly Column[],
  headers: readonly string[],
  cells: readonly (readonly string[])[],
  width: number,
): Layout | null {
  const bodyWidths = columns.map((_, i) => Math.max(1, ...cells.map((row) => textWidth(row[i] ?? ''))));
  for (const { lines: most, gap } of ATTEMPTS) {
    const header = headers.map((text, i) => breakHeader(text, bodyWidths[i] ?? 1, most));
    const natural = header.map((lines, i) => Math.max(bodyWidths[i] ?? 1, ...lines.map((line) => textWidth(line))));
    const room = width - gap * (columns.length - 1);
    // Cutting text is worse than a broken header, so the first try must fit as it is.
    const widths = most === 1 ? natural : shrink(columns, natural, room);
    if (sum(widths) <= room) return { widths, header, gap };
  }
  return null;
}

/** Header lines allowed and blanks between columns, the most comfortable first. */
const ATTEMPTS = [
  { lines: 1, gap: 2 },
  { lines: 2, gap: 2 },
  { lines: 9, gap: 2 },
  { lines: 9, gap: 1 },
] as const;

/** A header over as many lines as allowed, no narrower than the cells below it or its longest word. */
function breakHeader(header: string, bodyWidth: number, most: number): string[] {
  if (most === 1) return [header];
  const widest = textWidth(header);
  let width = Math.max(bodyWidth, ...header.split(' ').map((word) => textWidth(word)));
  while (width < widest && wrap(header, width).length > most) width++;
  return wrap(header, width);
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

/**
 * One row as several lines of cells, for cli-table3, which measures text by an older ruler than ours: text beyond
 * ASCII goes through as stand-ins of the same width, in the order in which they will be drawn, and is put back after.
 */
function draw(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  layout: Layout,
  emphasize: (text: string) => string,
): string[] {
  const kept: string[] = [];
  const standIn = (text: string): string => {
    if (/^[ -~]*$/.test(text)) return text;
    kept.push(text);
    return STAND_IN.repeat(textWidth(text));
  };
  const height = Math.max(...layout.header.map((lines) => lines.length));
  const head = standInLines(layout, height, standIn);
  const table = new CliTable({ ...frame(layout.gap), head, colAligns: columns.map((column) => column.align) });
  for (const row of cells) table.push(row.map((cell, i) => standIn(cut(cell, layout.widths[i] ?? 1))));
  const text = table.toString().replace(STAND_INS, () => kept.shift() ?? '');
  return text.split('\n').map((line, i) => (i < height ? emphasize(line.trimEnd()) : line.trimEnd()));
}

/** A private-use character, one column wide; text that holds it is itself replaced by stand-ins. */
const STAND_IN = '\ue000';
const STAND_INS = /\ue000+/g;

/** Header cells of equal height, short ones at the bottom; made line by line, as they are drawn. */
function standInLines(layout: Layout, height: number, standIn: (text: string) => string): string[] {
  const cells: string[][] = layout.header.map(() => []);
  for (let line = 0; line < height; line++) {
    for (const [i, lines] of layout.header.entries()) {
      const text = lines[line - (height - lines.length)] ?? '';
      cells[i]?.push(standIn(cut(text, layout.widths[i] ?? 1)));
    }
  }
  return cells.map((lines) => lines.join('\n'));
}

const NO_LINES = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
const NO_SIDES = ['left', 'left-mid', 'right', 'right-mid'];

/** No border; a light rule under the header. */
function frame(gap: number): Pick<NonNullable<ConstructorParameters<typeof CliTable>[0]>, 'chars' | 'style'> {
  const none = Object.fromEntries([...NO_LINES, ...NO_SIDES].map((name) => [name, '']));
  return {
    chars: { ...none, mid: '─', 'mid-mid': ' '.repeat(gap), middle: ' '.repeat(gap) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  };
}

/** Every row as `header: cell` lines, a blank line between two rows. */
function stack(headers: readonly string[], cells: readonly (readonly string[])[], width: number): string[] {
  return cells.flatMap((row, i) => [
    ...(i === 0 ? [] : ['']),
    ...row.flatMap((cell, column) => hang('  ', `${headers[column] ?? ''}: ${cell}`, width)),
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
