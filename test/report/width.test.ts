import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { escapeTerminal } from '../../src/report/escape.js';
import { textWidth } from '../../src/report/width.js';

/** Characters whose width depends on their kind or on what stands beside them. */
const ODD = fc.oneof(
  fc.constantFrom('a', '#', '1', ' ', '─', '█', '…', '漢', 'ｶ', 'ﾞ', 'ー', 'é', '🎉', '👍', '🏽', '❤', '🇩', '🇪', '☎'),
  fc.constantFrom('\u20e3', '\ufe0e', '\ufe0f', '\u0301', '\u0489', '\u0903', '\u093e', '\u0e33', '\u0600', '\u200d'),
  fc.constantFrom('\u1100', '\u115f', '\u1161', '\u11a8', '\ua960', '\ud7b0', '\ud7cb', '\u1160', '가', '각', '힣'),
  fc.integer({ min: 0x1100, max: 0x11ff }).map((code) => String.fromCodePoint(code)),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

test('clean text is as wide as string-width finds it', () => {
  fc.assert(
    fc.property(fc.string({ unit: ODD, maxLength: 12 }), (text) => {
      const clean = escapeTerminal(text);
      expect([clean, textWidth(clean)]).toEqual([clean, stringWidth(clean)]);
    }),
    { seed: 7, numRuns: 3000 },
  );
});

test('each character is as wide as string-width finds it', () => {
  const wrong: string[] = [];
  for (let code = 0x20; code < 0x3_00_00; code++) {
    const clean = escapeTerminal(String.fromCodePoint(code));
    if (textWidth(clean) !== stringWidth(clean)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
