import stringWidth from 'string-width';

/** Characters that take one column each: ASCII, and the lines, blocks and dots that reports are drawn with. */
const PLAIN = /^[ -~─-╿▀-▟…]*$/;

/** Columns that a text takes in a terminal. A report measures thousands of texts, nearly all of them plain. */
export function textWidth(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

let segmenter: Intl.Segmenter | null = null;

/** What a reader takes for the characters of a text. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en');
  return segmenter.segment(text);
}
