import pc from 'picocolors';
import { drawBars } from './bars.js';
import type { Block, Fact, ListItem } from './blocks.js';
import { escapeTerminal, PARAGRAPH_WIDTH } from './escape.js';
import { renderTextTable, type TextOptions } from './text-table.js';
import { textWidth } from './width.js';
import { hang, MEASURE, MIN_WIDTH, pad, wrap } from './wrap.js';

/** Terms stand beside their text up to this width, above it on a line of their own. */
const MAX_TERM = 20;

type Colors = ReturnType<typeof pc.createColors>;

/** Blocks as text for a terminal, a blank line between two; ends without a newline. */
export function renderText(blocks: readonly Block[], options: TextOptions): string {
  const width = Math.max(MIN_WIDTH, options.width);
  const colors = pc.createColors(options.color);
  const parts: string[] = [];
  for (const [i, block] of blocks.entries()) {
    const belongsToHeading = blocks[i - 1]?.kind === 'heading';
    if (i > 0 && !belongsToHeading) parts.push('');
    parts.push(...blockLines(block, { width, color: options.color }, colors));
  }
  return parts.join('\n');
}

function blockLines(block: Block, options: TextOptions, colors: Colors): string[] {
  const { width } = options;
  const measure = Math.min(width, MEASURE);
  switch (block.kind) {
    case 'heading':
      return headingLines(block.text, block.level, width, colors);
    case 'text':
      return wrap(safe(block.text), measure).map((line) => (block.strong ? colors.bold(line) : line));
    case 'table':
      return [renderTextTable(block.table, options)];
    case 'facts':
      return factLines(block.facts, width, colors);
    case 'list':
      return block.items.flatMap((item, i) => itemLines(item, block.ordered ? `${i + 1}. ` : '- ', measure, colors));
    case 'bars':
      return drawBars(block.chart, width, colors);
    case 'pre':
      return block.lines.map((line) => escapeTerminal(line));
    default:
      return block satisfies never;
  }
}

function safe(text: string): string {
  return escapeTerminal(text, PARAGRAPH_WIDTH);
}

function headingLines(text: string, level: 1 | 2, width: number, colors: Colors): string[] {
  if (level === 1) {
    const lines = wrap(safe(text), width);
    const rule = '═'.repeat(Math.max(...lines.map((line) => textWidth(line))));
    return [...lines.map((line) => colors.bold(line)), rule];
  }
  const lead = `── ${escapeTerminal(text, width - 6)} `;
  return [colors.bold(lead + '─'.repeat(Math.max(0, width - textWidth(lead))))];
}

function factLines(entries: readonly Fact[], width: number, colors: Colors): string[] {
  const terms = entries.map((entry) => escapeTerminal(entry.term, width));
  const limit = Math.min(MAX_TERM, Math.floor(width / 3));
  const column = Math.max(...terms.map((term) => textWidth(term)).filter((term) => term <= limit), 0) + 2;
  return entries.flatMap((entry, i) => {
    const term = terms[i] ?? '';
    const lines = wrap(safe(entry.text), Math.min(width - column, MEASURE));
    const indented = lines.map((line) => ' '.repeat(column) + line);
    if (textWidth(term) + 2 > column) return [colors.bold(term), ...indented];
    return [colors.bold(pad(term, column, 'left')) + (lines[0] ?? ''), ...indented.slice(1)];
  });
}

function itemLines(item: ListItem, lead: string, width: number, colors: Colors): string[] {
  const lines = hang(lead, safe(item.text), width);
  if (item.hint === null) return lines;
  const hint = hang(`${' '.repeat(lead.length)}-> `, safe(item.hint), width);
  return [...lines, ...hint.map((line) => colors.yellow(line))];
}
