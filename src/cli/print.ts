import { stringifyJson } from '../model/json.js';
import type { Block } from '../report/blocks.js';
import { renderMarkdown } from '../report/render-markdown.js';
import { renderText } from '../report/render-text.js';
import type { Io } from './io.js';
import type { RawOptions } from './options.js';

/** An answer as JSON on standard output. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${stringifyJson(value, 2)}\n`);
}

/** How an answer is to be written, of a command that has `--format`: the short flags say it as well. */
export function formatOption({ json, markdown, format }: RawOptions): string | undefined {
  return json === true ? 'json' : markdown === true ? 'markdown' : format;
}

/** An answer on standard output as people read it: laid out for the terminal, or as Markdown. */
export function printBlocks(io: Io, blocks: readonly Block[]): void {
  io.out(blocksText(io, blocks));
}

/** The same as a text that ends with a newline. */
export function blocksText({ markdown, columns, color }: Io, blocks: readonly Block[]): string {
  const text = markdown === true ? renderMarkdown(blocks) : renderText(blocks, { width: columns, color });
  return `${text.trimEnd()}\n`;
}
