import { ExactNumber, isDeeperThan, type Json, MAX_DEPTH, parseJson } from './json.js';

/**
 * The normal form in which arguments and results are compared: JSON with sorted keys and no white space. A text that
 * as a whole holds JSON counts as that JSON; strings inside it stay strings. So neither key order nor layout masks a
 * stall.
 */
export function canonical(content: Json): string {
  return write(typeof content === 'string' ? jsonHeldBy(content) : content);
}

/** Text that can open a JSON value; anything else skips the costly failing parse. */
const JSON_START = /^\s*(?:[[{"\d-]|true\b|false\b|null\b)/;

function jsonHeldBy(text: string): Json {
  if (!JSON_START.test(text)) return text;
  try {
    const held = parseJson(text);
    return isDeeperThan(held, MAX_DEPTH) ? text : held;
  } catch {
    return text;
  }
}

function write(value: Json): string {
  if (typeof value === 'string') return writeText(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  const object = value as { readonly [key: string]: Json };
  let text = '';
  for (const key of Object.keys(object).sort()) {
    text += `${text === '' ? '' : ','}${writeText(key)}:${write(object[key] as Json)}`;
  }
  return `{${text}}`;
}

/** Text that JSON writes as it stands between quotes: to test for it is cheaper than to write it. */
const AS_IT_STANDS = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

function writeText(text: string): string {
  return AS_IT_STANDS.test(text) ? `"${text}"` : JSON.stringify(text);
}
