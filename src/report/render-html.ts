import type { Bar, BarChart } from './bars.js';
import type { Block, ListItem } from './blocks.js';
import { escapeHtml, PARAGRAPH_WIDTH } from './escape.js';
import { formatCount } from './format.js';
import { type Column, cellWidth, type Table } from './table.js';

/** Where blocks stand in a document. */
export interface HtmlPlace {
  /** Level of the heading that they stand below, so that no level is left out; 0: they are the whole document. */
  readonly above: 0 | 1 | 2;
}

/** Blocks as HTML without a style of its own. */
export function renderHtml(blocks: readonly Block[], place: HtmlPlace): string {
  return blocks.map((block) => blockHtml(block, place)).join('\n');
}

function blockHtml(block: Block, place: HtmlPlace): string {
  switch (block.kind) {
    case 'heading': {
      const name = `h${headingLevel(block.level, place)}`;
      return `<${name}>${inline(block.text)}</${name}>`;
    }
    case 'text':
      return block.strong ? `<p><strong>${inline(block.text)}</strong></p>` : `<p>${inline(block.text)}</p>`;
    case 'table':
      return tableHtml(block.table);
    case 'facts':
      return `<dl>${block.facts.map(({ term, text }) => `<dt>${inline(term)}</dt><dd>${inline(text)}</dd>`).join('')}</dl>`;
    case 'list': {
      const name = block.ordered ? 'ol' : 'ul';
      return `<${name}>${block.items.map(itemHtml).join('')}</${name}>`;
    }
    case 'bars':
      return barsHtml(block.chart);
    case 'pre':
      return `<pre tabindex="0">${block.lines.map((line) => escapeHtml(line)).join('\n')}</pre>`;
    default:
      return block satisfies never;
  }
}

/** Below a heading that names them, the blocks' own title and their parts stand on one level. */
function headingLevel(level: 1 | 2, { above }: HtmlPlace): number {
  return above === 0 ? level : above + 1;
}

function inline(text: string): string {
  return escapeHtml(text, PARAGRAPH_WIDTH);
}

function itemHtml({ text, hint }: ListItem): string {
  return `<li>${inline(text)}${hint === null ? '' : `<br><span class="hint">${inline(hint)}</span>`}</li>`;
}

/** A table that scrolls by itself where it is wider than the page. Its first column names the rows. */
export function tableHtml({ title, columns, rows, notes }: Table): string {
  const caption = title === null ? '' : `<caption>${inline(title)}</caption>`;
  const kinds = columns.map(({ align }) => (align === 'right' ? ' class="number"' : ''));
  const head = columns.map(({ header }, at) => `<th scope="col"${kinds[at]}>${inline(header)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${columns.map((column, at) => cellHtml(cells[at], column, at)).join('')}</tr>`);
  const feet = notes.map((note, at) => `<p class="note">[${at + 1}] ${inline(note)}</p>`).join('');
  const name = title ?? columns[0]?.header ?? 'table';
  return `<div class="scroll" tabindex="0" role="group" aria-label="${inline(name)}"><table>${caption}<thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>${feet}`;
}

function cellHtml(text: string | undefined, column: Column, at: number): string {
  const shown = escapeHtml(text ?? '', cellWidth(column));
  const kind = column.align === 'right' ? ' class="number"' : '';
  return at === 0 ? `<th scope="row"${kind}>${shown}</th>` : `<td${kind}>${shown}</td>`;
}

function barsHtml({ title, bars, notes }: BarChart): string {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const rows = bars.map((bar) => barHtml(bar, most)).join('');
  const feet = notes.map((note) => `<p class="note">${inline(note)}</p>`).join('');
  return `<table class="bars"><caption>${inline(title)}</caption><tbody>${rows}</tbody></table>${feet}`;
}

function barHtml({ label, count, marks }: Bar, most: number): string {
  const meter = `<meter min="0" max="${most}" value="${count}" aria-label="${inline(label)}"></meter>`;
  return `<tr><th scope="row" class="number">${inline(label)}</th><td>${meter}</td><td class="number">${formatCount(count)}</td><td>${inline(marks.join(', '))}</td></tr>`;
}
