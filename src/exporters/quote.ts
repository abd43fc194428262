import { type Json, stringifyJson } from '../model/json.js';
import type { Language } from './exporter.js';

/**
 * Characters that end a line somewhere, are obeyed by a terminal, or hide or reorder text. Names of policies, rules
 * and tools are strangers' text, and a line break in a comment would make code of what follows.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Longest that one stranger's text is shown in a comment or a note. */
const LONGEST_SHOWN = 200;

/** Text that may stand in a comment of any language, and in a terminal. */
export function shown(text: string): string {
  // A character is two code units at most, so that the rest of a longer text is never looked at.
  const points = [...text.slice(0, 2 * LONGEST_SHOWN + 2)];
  const isCut = points.length > LONGEST_SHOWN;
  return `${points.slice(0, LONGEST_SHOWN).join('').replace(UNSAFE, escaped)}${isCut ? '…' : ''}`;
}

/** The same in quotes, so that its ends are seen. */
export function quoted(text: string): string {
  return `"${shown(text.replace(/["\\]/g, '\\$&'))}"`;
}

/** A value as JSON on one line, in the single quotes that a shell and a .env file both take literally. */
export function shellJson(value: Json): string {
  return `'${stringifyJson(value).replace(UNSAFE, escaped).replace(/'/g, '\\u0027')}'`;
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

const COMMENT: Readonly<Record<Language, string | null>> = {
  python: '# ',
  yaml: '# ',
  shell: '# ',
  typescript: '// ',
  jsonc: '// ',
  json: null,
};

const WIDTH = 110;

/** What a line of comment begins with; `null` in a language without comments. */
export function commentMark(language: Language): string | null {
  return COMMENT[language];
}

/** Text as comment lines of a width to read; further lines of one text are indented to `hang`. */
export function commentLines(mark: string, text: string, hang = ''): string[] {
  const lines: string[] = [];
  const [indent = ''] = text.match(/^ */) ?? [];
  let line = '';
  for (const word of text.trimStart().split(' ')) {
    const longer = line === '' ? indent + word : `${line} ${word}`;
    if (line !== '' && mark.length + longer.length > WIDTH) {
      lines.push(line);
      line = hang + word;
    } else line = longer;
  }
  return [...lines, line].map((each) => mark + each);
}
