import { stringifyJson } from '../model/json.js';
import type { Block } from '../report/blocks.js';
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

/** An answer on standard output as people read it; what lays it out is loaded here: JSON comes 4 ms sooner without. */
export async function printBlocks(io: Io, blocks: readonly Block[]): Promise<void> {
  const { blocksText } = await import('./blocks-text.js');
  io.out(blocksText(io, blocks));
}
