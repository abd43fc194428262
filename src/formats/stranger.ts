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
  return problem(source.name, line, text, `the line looks like ${other}, but the file is read as ${own}`, MIXED);
}

const MIXED = 'the file mixes formats: split it, one format a file';

/** A bad line with the advice that it may be of another format, where another one claims it. */
export function withStranger(found: Problem, own: string, formatOf: (line: string) => string | null): Problem {
  const isLine = found.raw !== null && found.place.line !== null && found.hint !== MIXED;
  const other = isLine ? formatOf(found.raw ?? '') : null;
  if (other === null || other === own) return found;
  return { ...found, hint: `${found.hint}; the line looks like ${other}: if the file mixes formats, split it` };
}
