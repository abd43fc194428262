import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import {
  beginning,
  escapeMarkdown,
  escapeMarkdownStart,
  escapeTerminal,
  NAME_WIDTH,
  nameText,
} from '../../src/report/escape.js';
import { HOSTILE_NAMES, UNSAFE_OUTPUT } from './fixtures.js';

const CLEAN = [
  'run-0001',
  'a b',
  'ünïcode',
  '漢字',
  '🎉',
  '❤️',
  'ok\\x',
  '',
  '-73.0 %',
  'שלום عليكم',
  'नमस्ते',
  'རྒྱུ',
  'ကြွှေ့',
];

describe('escapeTerminal', () => {
  test.each([
    ['\u001b[31m', '\\x1b[31m'],
    ['\u0000\u0008\u007f\u009b', '\\x00\\x08\\x7f\\x9b'],
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\u202ea\u202c\u2066\u2069\u200e\u200f\u061c', '\\u202ea\\u202c\\u2066\\u2069\\u200e\\u200f\\u061c'],
    ['a\u200bb\u200cc\u200dd\u2060\ufeff\u00ad', 'a\\u200bb\\u200cc\\u200dd\\u2060\\ufeff\\xad'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['x\ud800y\udc00', 'x\\ud800y\\udc00'],
    ['hi\u{e0041}', 'hi\\u{e0041}'],
    ['❤\ufe0f\ufe0f\ufe0f', '❤\ufe0f\\ufe0f\\ufe0f'],
    ['\u06001\u06dd', '\\u06001\\u06dd'],
    [`e${'\u0301'.repeat(10)}`, `e${'\u0301'.repeat(8)}\\u0301\\u0301`],
  ])('writes out what a terminal would obey or hide: %j', (text, expected) => {
    expect(escapeTerminal(text)).toBe(expected);
  });

  test.each(CLEAN)('leaves clean text as it is: %j', (text) => {
    expect(escapeTerminal(text)).toBe(text);
  });

  test('escaping twice is escaping once, and nothing unsafe is left', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(undefined, 1, 7, 48), (text, width) => {
        const once = escapeTerminal(text, width);
        expect(once).not.toMatch(UNSAFE_OUTPUT);
        expect(escapeTerminal(once, width)).toBe(once);
        if (width !== undefined) expect(stringWidth(once)).toBeLessThanOrEqual(width);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  test('plain text is cut as any other is', () => {
    const unit = fc.constantFrom(...' !AZaz09~─┼╿▀█▟…', 'é', '漢', '\r', '\n');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.integer({ min: -2, max: 25 }), (text, width) => {
        const isPlain = !/[é漢\r\n]/.test(text);
        if (isPlain) expect(escapeTerminal(text)).toBe(text);
        const shown = escapeTerminal(text);
        let expected = '';
        for (const { segment } of new Intl.Segmenter('en').segment(shown)) {
          if (stringWidth(expected + segment) > width) break;
          expected += segment;
        }
        expect(beginning(shown, width)).toBe(expected);
      }),
      { seed: 3, numRuns: 2000 },
    );
  });

  test('cuts at the width in columns, not in characters, and says so', () => {
    expect(escapeTerminal('a'.repeat(48), 48)).toBe('a'.repeat(48));
    expect(escapeTerminal('a'.repeat(49), 48)).toBe(`${'a'.repeat(47)}…`);
    expect(escapeTerminal('漢字漢字漢字', 7)).toBe('漢字漢…');
    expect(escapeTerminal('漢字漢字漢字', 6)).toBe('漢字…');
    expect(escapeTerminal('\u001b\u001b', 5)).toBe('\\x1b…');
  });

  test.each(HOSTILE_NAMES)('nameText prints a hostile name harmlessly within the width', (name) => {
    expect(nameText(name)).not.toMatch(UNSAFE_OUTPUT);
    expect(stringWidth(nameText(name))).toBeLessThanOrEqual(NAME_WIDTH);
    expect(nameText(name).length).toBeLessThanOrEqual(NAME_WIDTH * 16 + 1);
  });

  test('a name of nothing but combining marks is cut although it has no width', () => {
    expect(nameText('\u0301'.repeat(100_000))).toMatch(/^\u0301{8}(?:\\u0301){7}\\u030…$/);
  });
});

describe('escapeMarkdown', () => {
  test.each([
    ['a|b', 'a\\|b'],
    ['`x` *y* [z](u) ~s~ #1 $m$', '\\`x\\` \\*y\\* \\[z\\](u) \\~s\\~ \\#1 \\$m\\$'],
    ['back\\slash', 'back\\\\slash'],
    ['snake_case _em_ __strong__', 'snake_case \\_em\\_ \\_\\_strong\\_\\_'],
    ['<b> & &amp; &#60;', '&lt;b> & &amp;amp; &\\#60;'],
    ['https://a.b www.c.d', 'https\\://a.b www\\.c.d'],
    ['\u001b\n', '\\\\x1b\\\\n'],
    ['plain text, 0.97 % -> 3', 'plain text, 0.97 % -> 3'],
  ])('shows markup as text: %j', (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });

  test.each([
    ['- a', '\\- a'],
    ['> a', '\\> a'],
    ['1. a', '1\\. a'],
    ['12) a', '12\\) a'],
    ['---', '\\---'],
    ['  + a', '\\+ a'],
    ['-73.0 %', '-73.0 %'],
    ['3.5 x', '3.5 x'],
  ])('escapeMarkdownStart opens no block: %j', (text, expected) => {
    expect(escapeMarkdownStart(text)).toBe(expected);
  });

  test('leaves no active character unescaped, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'|`*_[]<>\\&#a1 ~$:/.\n') }), (text) => {
        const bare = escapeMarkdown(text).replace(/\\[!-/:-@[-`{-~]/g, '');
        expect(bare).not.toMatch(/[|`*[\]<#~$\\]/);
        expect(bare).not.toMatch(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/);
      }),
      { seed: 2, numRuns: 2000 },
    );
  });
});
