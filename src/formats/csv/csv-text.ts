import { ATOMS_PER_UNIT, type LimitName } from '../../model/limits.js';

/*
 * How a text stands in a cell. A terminal obeys control and direction characters, and a spreadsheet obeys a cell that
 * starts with = + - or @; so the writer spells the former as \uXXXX and puts a ' before the latter. Both are undone
 * on reading, exactly: only these characters are unescaped, any other backslash is a backslash. A line break is a
 * control character too, so every row is one physical line.
 */

/** C0, DEL, C1, line and paragraph separators, direction marks, and halves of a pair, which UTF-8 cannot hold. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';
/** A backslash that would read as the start of an escape counts as a control character. */
const HARMFUL = new RegExp(`[${CONTROL}]|\\\\(?=u[\\da-fA-F]{4})`, 'gu');
const ESCAPE = /\\u([\da-fA-F]{4})/g;
const ESCAPED = new RegExp(`^[${CONTROL}\\\\]$`, 'u');
/** Any number of ' may stand before the sign: each is kept by adding one more. */
const FORMULA = /^'*[=+\-@]/;
const QUOTED_FORMULA = /^'+[=+\-@]/;

/** A text as a cell shows it, before CSV quoting. */
export function encodeText(text: string): string {
  const plain = text.replace(HARMFUL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return FORMULA.test(plain) ? `'${plain}` : plain;
}

/** The text that `encodeText` was given. */
export function decodeText(cell: string): string {
  const text = QUOTED_FORMULA.test(cell) ? cell.slice(1) : cell;
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return ESCAPED.test(character) ? character : whole;
  });
}

/** Cells as one row without line end, quoted as RFC 4180 says. */
export function joinCells(cells: readonly string[]): string {
  return cells.map(quoteCell).join(',');
}

/** One cell, in quotes where it needs them. */
export function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A text cell, encoded and quoted; what is not known is an empty cell. */
export function textCell(text: string | null): string {
  return text === null ? '' : quoteCell(encodeText(text));
}

/** An amount in its own unit as a plain decimal with every digit it has; what is not known is an empty cell. */
export function amountCell(limit: LimitName, atoms: number | null): string {
  if (atoms === null) return '';
  const scale = ATOMS_PER_UNIT[limit];
  const part = atoms % scale;
  const whole = String((atoms - part) / scale);
  if (part === 0) return whole;
  const digits = String(scale + part).slice(1);
  return `${whole}.${digits.replace(/0+$/, '')}`;
}
