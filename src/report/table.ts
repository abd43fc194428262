import { escapeMarkdown, NAME_WIDTH } from './escape.js';
import { type Spark, sparkLine } from './sparkline.js';

/** One column: text to the left, numbers to the right. */
export interface Column {
  readonly header: string;
  readonly align: 'left' | 'right';
  /** Columns of width beyond which a cell is cut with a mark; absent: as wide as a name may be. */
  readonly maxWidth?: number;
}

/** A table as a value. Cells are formatted but not escaped: that is the renderers' work, so no cell is forgotten. */
export interface Table {
  readonly title: string | null;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Footnotes, printed below and numbered from 1. */
  readonly notes: readonly string[];
  /** A drawing beside each row, where there is room for it; `null`: nothing to draw. */
  readonly sparks?: { readonly header: string; readonly rows: readonly (Spark | null)[] };
}

/** Widest that a cell of this column is printed. */
export function cellWidth(column: Column): number {
  return column.maxWidth ?? NAME_WIDTH;
}

/** Adds a footnote, once, and gives the mark that points at it: ` [1]`. */
export function addNote(notes: string[], note: string): string {
  if (!notes.includes(note)) notes.push(note);
  return ` [${notes.indexOf(note) + 1}]`;
}

/** The table in GitHub's Markdown. */
export function renderMarkdownTable(table: Table): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const { sparks } = table;
  const drawn = (text: string): string[] => (sparks === undefined ? [] : [text]);
  const lines = [
    row([
      ...table.columns.map((column) => escapeMarkdown(column.header, cellWidth(column))),
      ...drawn(escapeMarkdown(sparks?.header ?? '')),
    ]),
    row([...table.columns.map((column) => (column.align === 'right' ? '---:' : '---')), ...drawn('---')]),
    ...table.rows.map((cells, at) =>
      row([
        ...table.columns.map((column, i) => markdownCell(cells[i], column)),
        ...drawn(markdownSpark(sparks?.rows[at] ?? null)),
      ]),
    ),
  ];
  const notes = table.notes.map((note, i) => escapeMarkdown(`[${i + 1}] ${note}`));
  const title = table.title === null ? [] : [`**${escapeMarkdown(table.title)}**`];
  return [...title, lines.join('\n'), ...notes].join('\n\n');
}

const MARKDOWN_SPARK = 20;

/** As code: blanks are kept there, and all characters have one width. */
function markdownSpark(spark: Spark | null): string {
  if (spark === null) return '';
  const { below, mark, above } = sparkLine(spark, MARKDOWN_SPARK);
  return below === '' ? '' : `\`${below}${mark}${above}\``;
}

/** Blanks at the beginning set a cell in under the one above, and would be lost. */
function markdownCell(cell: string | undefined, column: Column): string {
  const text = (cell ?? '').trimStart();
  const blanks = (cell ?? '').length - text.length;
  return '&emsp;'.repeat(Math.floor(blanks / 2)) + escapeMarkdown(text, cellWidth(column));
}
