import type { Block } from '../report/blocks.js';
import { renderMarkdown } from '../report/render-markdown.js';
import { renderText } from '../report/render-text.js';
import type { Io } from './io.js';

/** An answer as people read it, laid out for the terminal or as Markdown: a text that ends with a newline. */
export function blocksText({ markdown, columns, color }: Io, blocks: readonly Block[]): string {
  const text = markdown === true ? renderMarkdown(blocks) : renderText(blocks, { width: columns, color });
  return `${text.trimEnd()}\n`;
}
