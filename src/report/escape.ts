import { graphemesOf, isPlain, textWidth } from './width.js';

/** Widest that a name out of the data (an id, a label, a tool, a reason) is printed. */
export const NAME_WIDTH = 48;

/** No paragraph is longer than this, in columns, whatever a message carries. */
export const PARAGRAPH_WIDTH = 2000;

/**
 * Characters that a terminal obeys or that hide or reorder text: controls (C0, DEL, C1), lone surrogates, line and
 * paragraph separators, format characters, and all that Unicode calls default-ignorable (bidi marks and overrides,
 * zero-width joiners and spaces, tag characters, …). One variation selector behind a character stays: emoji need it.
 * So do eight combining marks, more than any script sets on a letter: a pile of them covers the lines above.
 *
 * It is made where it is asked for: to look up its classes takes some milliseconds the first time, and nearly all texts
 * are plain.
 */
function unsafe(): RegExp {
  return /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]|\p{M}(?<=\p{M}{9})/gu;
}
const SHORT_FORMS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** No text that fits needs more code units a column than this, so the rest of a longer one is never looked at. */
const MAX_UNITS_PER_COLUMN = 16;

/**
 * Text that shows as itself in a terminal: whatever a terminal would obey, or that would hide or reorder text, is
 * written out (`\x1b`, `\u202e`). Clean text comes back as it is, so escaping twice does no harm.
 *
 * @param maxWidth columns beyond which the text is cut, with `…` as the mark; absent: not cut
 */
export function escapeTerminal(text: string, maxWidth?: number): string {
  if (maxWidth === undefined) return escaped(text);
  const head = headOf(text, maxWidth * MAX_UNITS_PER_COLUMN);
  const safe = escaped(head);
  return head.length < text.length ? `${beginning(safe, maxWidth - 1)}…` : cut(safe, maxWidth);
}

function escaped(text: string): string {
  return isPlain(text) ? text : text.replace(unsafe(), visible);
}

/** A name out of the data as it may stand inside a sentence or a cell: escaped, and cut with a mark. */
export function nameText(name: string, maxWidth: number = NAME_WIDTH): string {
  return escapeTerminal(name, maxWidth);
}

/** Clean text cut to a width in columns, with `…` as the mark. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width < 1 ? '' : `${beginning(text, width - 1)}…`;
}

/** The longest beginning of a text that fits a width in columns; no character is torn apart. */
export function beginning(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(0, width));
  let used = 0;
  for (const { segment, index } of graphemesOf(text)) {
    used += textWidth(segment);
    if (used > width) return text.slice(0, index);
  }
  return text;
}

function headOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const isTorn = /[\ud800-\udbff]/.test(text.charAt(units - 1));
  return text.slice(0, isTorn ? units - 1 : units);
}

function visible(character: string): string {
  const short = SHORT_FORMS[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that shows as itself in HTML, between tags and inside a quoted attribute: no tag, no entity, nothing hidden. */
export function escapeHtml(text: string, maxWidth?: number): string {
  return escapeTerminal(text, maxWidth).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** JSON that may stand inside a script element: nothing in it can end the element or open a comment. */
export function escapeScriptJson(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Text that shows as itself inside a line of GitHub's Markdown, in a table cell too: nothing in it becomes markup, a
 * link, HTML or a column. It stays readable as source: an underscore inside a word marks nothing and is left alone.
 */
export function escapeMarkdown(text: string, maxWidth?: number): string {
  return escapeTerminal(text, maxWidth)
    .replace(/[\\`*[\]|~#$]/g, '\\$&')
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_')
    .replace(/&(?=[#A-Za-z])/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/:(?=\/\/)|\.(?<=www\.)/gi, '\\$&');
}

/** The same for text that begins a paragraph or a list entry, where a dash, a number or `>` would open a block. */
export function escapeMarkdownStart(text: string, maxWidth?: number): string {
  return escapeMarkdown(text.trim(), maxWidth)
    .replace(/^(?=>|[-+=]+(?:\s|$))/, '\\')
    .replace(/^(\d+)(?=[.)](?:\s|$))/, '$1\\');
}
