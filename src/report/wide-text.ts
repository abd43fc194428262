import { eastAsianWidth } from 'get-east-asian-width';

/*
 * The columns of text beyond ASCII, by the rules of string-width, which a test holds it to. The package itself builds
 * the set of all emoji as it is loaded: half the time that `node -e 0` takes, and few reports hold a text that needs
 * it. Here it is built when first asked.
 */

/** Known to Node 20, and to no TypeScript that compiles for it. */
const EMOJI = '^(?:\\p{RGI_Emoji}|[\\d#*]\\u20e3)$';

let segmenter: Intl.Segmenter | null = null;
let patterns: { readonly visible: RegExp; readonly spacing: RegExp; readonly emoji: RegExp } | null = null;

/** What a reader takes for the characters of a text. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en');
  return segmenter.segment(text);
}

/** Columns that clean text takes in a terminal: an emoji two, a combining mark none, an East Asian character its own. */
export function wideTextWidth(text: string): number {
  patterns ??= {
    visible: /[^\p{DI}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u,
    spacing: /\p{Mc}|[\uff00-\uffef]/u,
    emoji: new RegExp(EMOJI, 'v'),
  };
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment, patterns);
  return width;
}

function graphemeWidth(grapheme: string, { visible, spacing, emoji }: NonNullable<typeof patterns>): number {
  const start = grapheme.search(visible);
  if (start === -1) return 0;
  if (emoji.test(grapheme)) return 2;
  const characters = [...grapheme.slice(start)];
  const first = columnsOf(characters[0] as string);
  if (JAMO.test(grapheme.slice(start))) return jamoWidth(characters.filter((each) => visible.test(each)));
  // Marks that stand beside their letter, and halfwidth voicing marks, take columns of their own.
  return characters.slice(1).reduce((width, each) => width + (spacing.test(each) ? columnsOf(each) : 0), first);
}

/** Letters of Hangul by their place in a syllable: leading, vowel, trailing. */
const LEADING = /^[\u1100-\u115f\ua960-\ua97c]/;
const VOWEL = /^[\u1160-\u11a7\ud7b0-\ud7c6]/;
const TRAILING = /^[\u11a8-\u11ff\ud7cb-\ud7fb]/;
const JAMO = /^[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb]/;

/** A leading letter with its vowel and what trails it is one syllable, two columns wide; the rest adds up. */
function jamoWidth(characters: readonly string[]): number {
  let width = 0;
  let isHangul = true;
  for (let at = 0; at < characters.length; at++) {
    const [letter = '', next = '', afterNext = ''] = characters.slice(at, at + 3);
    isHangul &&= JAMO.test(letter);
    width += columnsOf(letter);
    if (isHangul && LEADING.test(letter) && VOWEL.test(next)) at += TRAILING.test(afterNext) ? 2 : 1;
  }
  return width;
}

function columnsOf(character: string): number {
  return eastAsianWidth(character.codePointAt(0) as number);
}
