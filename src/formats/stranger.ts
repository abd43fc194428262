import type { Problem } from '../model/problem.js';
import type { JsonLine } from './document.js';
import { problem, type Source } from './format.js';

/**
 * The problem of a line that another format claims, or `null`. Readers ask it of lines that they would pass over for
 * want of their own marks: of two recordings in one file the second would vanish without a word.
 *
 * @param own id of the format that the file is read as
 */
export function strangerIn(source: Source, own: string, { line, text }: JsonLine): Problem | null {
  const other = source.formatOf?.(text) ?? null;
  if (other === null || other === own) return null;
  return problem(
    source.name,
    line,
    text,
    `the line looks like ${other}, but the file is read as ${own}`,
    'the file mixes formats: split it, one format a file',
  );
}
