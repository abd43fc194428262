import { beginning, nameText } from './escape.js';
import { graphemesOf, textWidth } from './width.js';

/** No text that fits needs more code units a column than this. */
const UNITS_PER_COLUMN = 16;
/** An id or a path as it may stand in a sentence: escaped, and cut in the middle, since paths differ at their ends. */
export function middleText(name: string, width: number): string {
  const units = width * UNITS_PER_COLUMN;
  const whole = name.length > 2 * units ? null : nameText(name, name.length * UNITS_PER_COLUMN);
  if (whole !== null && textWidth(whole) <= width) return whole;
  const half = Math.floor((width - 1) / 2);
  const head = whole ?? nameText(name.slice(0, units), units);
  const tail = whole ?? nameText(name.slice(-units), units * UNITS_PER_COLUMN);
  return `${beginning(head, width - 1 - half)}…${ending(tail, half)}`;
}

/** The longest end of clean text that fits a width in columns. */
function ending(text: string, width: number): string {
  const segments = [...graphemesOf(text.slice(-width * UNITS_PER_COLUMN))].reverse();
  let used = 0;
  let kept = '';
  for (const { segment } of segments) {
    used += textWidth(segment);
    if (used > width) break;
    kept = segment + kept;
  }
  return kept;
}

/** Paths without the folders that all of them lie in; of a single one its last part. */
export function withoutCommonFolder(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split('/'));
  const shortest = parts.length === 0 ? 0 : Math.min(...parts.map((each) => each.length));
  let common = 0;
  while (common < shortest - 1 && parts.every((each) => each[common] === parts[0]?.[common])) common++;
  return parts.map((each) => each.slice(common).join('/'));
}
