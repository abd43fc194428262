import { compare, decimalOf, parseDecimal } from './decimal.js';

/** Any JSON value. A number that a double cannot hold exactly is an `ExactNumber`. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | { readonly [key: string]: Json };

/** A number kept as the digits that were written, so that two long ids never become equal. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return MARK + this.text;
  }
}

/** A string that starts with this stands for a number; U+FFFF is no character and does not occur in text. */
const MARK = '\uffffnumber:';
/**
 * A number that a double may not hold: sixteen digits, or an exponent of three. The exponent is looked for where a number
 * can begin, since one digest of a few finds one inside itself, and the line is then marked for nothing.
 */
const LONG_NUMBER = /[\d.]{16}|(?:^|[[:,\s-])\d[\d.]*[eE][+-]?\d{3}/;
const MARKED_NUMBER = new RegExp(`"${MARK}([^"]*)"`, 'g');

/**
 * `JSON.parse`, but numbers that a double cannot hold come back as `ExactNumber`.
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(text: string): Json {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  const parsed = JSON.parse(text) as Json;
  const marked = markNumbers(text);
  if (marked === text) return parsed;
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  ) as Json;
}

/** `JSON.stringify`, with exact numbers as they were written and no character that a terminal would obey. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replace(MARKED_NUMBER, '$1')
    .replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udfff]/g, escaped);
}

/** Code unit by code unit, as JSON has it. */
function escaped(characters: string): string {
  return characters.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The text with every number that a double cannot hold turned into a marked string. */
function markNumbers(text: string): string {
  const tokens = /"|-?\d[\d.eE+-]*/g;
  let marked = '';
  let copied = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    if (token === '"') {
      tokens.lastIndex = endOfString(text, match.index);
    } else if (LONG_NUMBER.test(token) && !isFaithful(token)) {
      marked += `${text.slice(copied, match.index)}"${MARK}${token}"`;
      copied = match.index + token.length;
    }
  }
  return marked + text.slice(copied);
}

/** Where the string that opens at `start` ends: behind the first quote that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  for (; quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before--;
    if ((quote - before) % 2 === 1) break;
  }
  return quote === -1 ? text.length : quote + 1;
}

/** Whether the double nearest to this number prints as a number of the same value. */
function isFaithful(token: string): boolean {
  const nearest = Number(token);
  const exact = parseDecimal(token);
  return Number.isFinite(nearest) && exact !== null && compare(exact, decimalOf(nearest)) === 0;
}

/** Whether a value is a JSON object (no array, no exact number). */
export function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Content nested deeper than this is refused: no stack is at risk below it, and no tool writes so. */
export const MAX_DEPTH = 500;

/** Whether lists and objects are nested deeper than `depth` inside a value. */
export function isDeeperThan(value: Json, depth: number): boolean {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return false;
  if (depth === 0) return true;
  return Object.values(value).some((each: Json) => isDeeperThan(each, depth - 1));
}
