import { beginning } from './escape.js';
import { textWidth } from './width.js';

/** No terminal is taken to be narrower than this. */
export const MIN_WIDTH = 24;

/** Columns of prose: longer lines are hard to follow, so that a wide terminal is left to tables. */
export const MEASURE = 100;

/** Blanks at which a line may end: a unit stays with its number, `0.97 %`, `270 s`, `198.4 M`. */
const BREAK = / +(?!(?:%|[sM](?!\w)))/;

/** What stays together when a text is broken into lines. */
export function wordsOf(text: string): string[] {
  return text.split(BREAK);
}

/** Breaks clean text at blanks so that no line is wider than `width` columns; a longer word is broken inside. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(text)) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (textWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = breakWord(word, width);
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}

/** Wraps a text behind a lead such as `1. `; the following lines are indented by the lead's width. */
export function hang(lead: string, text: string, width: number): string[] {
  const indent = textWidth(lead);
  return wrap(text, width - indent).map((line, i) => `${i === 0 ? lead : ' '.repeat(indent)}${line}`.trimEnd());
}

/** Pads clean text with blanks to a width in columns. */
export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

function breakWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let rest = word;
  while (textWidth(rest) > width) {
    const part = beginning(rest, width);
    if (part === '') break;
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return [...parts, rest];
}
