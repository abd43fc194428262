import CliTable from 'cli-table3';
import pc from 'picocolors';
import { escapeTerminal } from './escape.js';
import { sparkLine } from './sparkline.js';
import { type Column, cellWidth, type Table } from './table.js';
import { type CellLines, heightOf, type Layout, planLayout, sum } from './table-layout.js';
import { textWidth } from './width.js';
import { hang, MEASURE, MIN_WIDTH, pad, wrap } from './wrap.js';

/** What a text renderer is told about where its text will be read. */
export interface TextOptions {
  /** Columns; no line is wider. */
  readonly width: number;
  /** Whether colour may be used; it is emphasis only and carries nothing of its own. */
  readonly color: boolean;
}

/**
 * The table for a terminal, laid out as `planLayout` says; where that finds no way, each row is printed as a short list.
 */
export function renderTextTable(table: Table, options: TextOptions): string {
  const width = Math.max(MIN_WIDTH, options.width);
  const colors = pc.createColors(options.color);
  const cells = table.rows.map((row) => table.columns.map((column, i) => clean(row[i] ?? '', column)));
  const headers = table.columns.map((column) => clean(column.header, column));
  const layout = planLayout(table.columns, headers, cells, width);
  const title = table.title === null ? [] : wrap(escapeTerminal(table.title), width).map((line) => colors.bold(line));
  const body = layout === null ? stack(headers, cells, width) : drawn(table, layout, width, colors);
  const notes = table.notes.flatMap((note, i) => hang(`[${i + 1}] `, escapeTerminal(note), Math.min(width, MEASURE)));
  return [...title, ...body, ...notes].join('\n');
}

type Colors = ReturnType<typeof pc.createColors>;

function drawn({ columns, sparks }: Table, layout: Layout, width: number, colors: Colors): string[] {
  const height = heightOf(layout.header);
  const lines = withSparks(draw(columns, layout), sparks, layout, width, colors);
  return lines.map((line, i) => (i < height ? colors.bold(line) : line));
}

function clean(cell: string, column: Column): string {
  return escapeTerminal(cell, cellWidth(column));
}

/**
 * Cells of several lines, for cli-table3, which measures text by an older ruler than ours: text beyond ASCII goes
 * through as stand-ins of the same width, in the order in which they will be drawn, and is put back after.
 */
function draw(columns: readonly Column[], { header, rows, gap }: Layout): string[] {
  const kept: string[] = [];
  const standIn = (text: string): string => {
    if (/^[ -~]*$/.test(text)) return text;
    kept.push(text);
    return STAND_IN.repeat(textWidth(text));
  };
  const head = standInLines(header, 'bottom', standIn);
  const table = new CliTable({ ...frame(gap), head, colAligns: columns.map((column) => column.align) });
  for (const row of rows) table.push(standInLines(row, 'top', standIn));
  const text = table.toString().replace(STAND_INS, () => kept.shift() ?? '');
  return text.split('\n').map((line) => line.trimEnd());
}

/** Drawings narrower than this say nothing, and wider ones nothing more. */
const MIN_SPARK = 11;
const MAX_SPARK = 30;

/** The lines of a table with a drawing behind each row, where so much room is left. */
function withSparks(
  lines: readonly string[],
  sparks: Table['sparks'],
  { widths, header, rows, gap }: Layout,
  width: number,
  colors: Colors,
): string[] {
  const used = sum(widths) + gap * widths.length;
  const room = Math.min(MAX_SPARK, width - used);
  if (sparks === undefined || room < Math.max(MIN_SPARK, textWidth(sparks.header))) return [...lines];
  const height = heightOf(header);
  const parts = sparks.rows.map((spark) => (spark === null ? null : sparkLine(spark, room)));
  const widest = Math.max(...parts.map((part) => (part === null ? 0 : textWidth(Object.values(part).join('')))));
  const drawn = parts.map((part) => {
    if (part === null || part.below === '') return '';
    return colors.cyan(part.below) + (part.mark === '' ? '' : colors.yellow(part.mark + part.above));
  });
  const rule = '─'.repeat(Math.max(widest, textWidth(sparks.header)));
  const below = rows.flatMap((row, at) => [drawn[at] ?? '', ...Array(heightOf(row) - 1).fill('')]);
  const beside = [...Array(height - 1).fill(''), sparks.header, rule, ...below];
  return lines.map((line, at) => (beside[at] ? pad(line, used, 'left') + beside[at] : line));
}

/** A private-use character, one column wide; text that holds it is itself replaced by stand-ins. */
const STAND_IN = '\ue000';
const STAND_INS = /\ue000+/g;

/** Cells of equal height, short ones at the top or the bottom; made line by line, as they are drawn. */
function standInLines(row: readonly CellLines[], side: 'top' | 'bottom', standIn: (text: string) => string): string[] {
  const height = heightOf(row);
  const cells: string[][] = row.map(() => []);
  for (let line = 0; line < height; line++) {
    for (const [i, lines] of row.entries()) {
      cells[i]?.push(standIn(lines[side === 'top' ? line : line - (height - lines.length)] ?? ''));
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
