import { wideTextWidth } from './wide-text.js';

/** Characters that take one column each: ASCII, and the lines, blocks and dots that reports are drawn with. */
const PLAIN = /^[ -~─-╿▀-▟…]*$/;

/** Columns that clean text takes in a terminal. A report measures thousands of texts, nearly all of them plain. */
export function textWidth(text: string): number {
  return PLAIN.test(text) ? text.length : wideTextWidth(text);
}
