import stringWidth from 'string-width';

/** Characters that take one column each: ASCII, and the lines, blocks and dots that reports are drawn with. */
const PLAIN = /^[ -~─-╿▀-▟…]*$/;

/** Whether a text is of such characters only: it shows as itself, and its characters are its columns. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Columns that a text takes in a terminal. A report measures thousands of texts, nearly all of them plain. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

let segmenter: Intl.Segmenter | null = null;

/** What a reader takes for the characters of a text. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en');
  return segmenter.segment(text);
}
