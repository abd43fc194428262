import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../src/model/canonical.js';
import { ExactNumber, type Json, parseJson, stringifyJson } from '../../src/model/json.js';

describe('parseJson(text)', () => {
  test('equals JSON.parse for what doubles hold', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(stringifyJson(parseJson(text))).toBe(stringifyJson(JSON.parse(text)));
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  test('keeps numbers that doubles do not hold as they were written', () => {
    const text = '{"id":12345678901234567891,"tiny":1e-400,"text":"12345678901234567891","pi":2.5}';
    expect(parseJson(text)).toEqual({
      id: new ExactNumber('12345678901234567891'),
      tiny: new ExactNumber('1e-400'),
      text: '12345678901234567891',
      pi: 2.5,
    });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test.each(['%', '[%]', '[1,%]', '{"a":%}', '{"a": %}', '{"a":\n%\n}', '[-%]', '{"d":"7e1234","a":%,"b":"41E123"}'])(
    'finds a number beyond doubles wherever it stands: %s',
    (shape) => {
      for (const number of ['1e400', '12.5E+400', '0.1e-400', '12345678901234567891']) {
        const text = shape.replace('%', number);
        expect(stringifyJson(parseJson(text))).toBe(text.replace(/\s/g, ''));
      }
      expect(parseJson(shape.replace('%', '1e12'))).toEqual(JSON.parse(shape.replace('%', '1e12')));
    },
  );

  test('reads the seventeen digits that other languages print as the double they mean', () => {
    expect(parseJson('[11.141062348993728, 0.1000000000000000055511151231257827]')).toEqual([
      11.141062348993728,
      new ExactNumber('0.1000000000000000055511151231257827'),
    ]);
  });

  test.each(['{', '[1,]', 'NaN', '{"a":12345678901234567890,}', '1234567890123456789a'])('refuses %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('texts of many millions of characters beside a long number are read', () => {
    const long = 'x\\"'.repeat(4_000_000);
    expect(parseJson(JSON.stringify({ long, id: 0 }).replace(':0', ':12345678901234567890'))).toEqual({
      long,
      id: new ExactNumber('12345678901234567890'),
    });
  });

  test('a key called __proto__ is a key like any other', () => {
    const value = parseJson('{"__proto__":{"x":1},"n":12345678901234567890}') as { [key: string]: Json };
    expect(Object.keys(value)).toEqual(['__proto__', 'n']);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('stringifyJson(value)', () => {
  test('leaves no character that a terminal would obey', () => {
    expect(stringifyJson('\u001b[31m\u009b0m\u007f\u2028')).toBe('"\\u001b[31m\\u009b0m\\u007f\\u2028"');
    const turning = '\u200b\u200f\u202a\u202e\u2066\u2069\ufeff';
    expect(stringifyJson(turning)).toBe('"\\u200b\\u200f\\u202a\\u202e\\u2066\\u2069\\ufeff"');
    expect(JSON.parse(stringifyJson(turning))).toBe(turning);
  });
});

describe('canonical(content)', () => {
  test('writes flat values as JSON does, whatever the text and the number', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('a', '"', '\\', '\n', '\u0000', '\u007f', '\u2028', '\ud800', '\udc00', '😀'),
      }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(value), fc.string({ unit: 'binary' }), (values, key) => {
        expect(canonical([...values, { [key]: 1 }])).toBe(JSON.stringify([...values, { [key]: 1 }]));
      }),
      { seed: 42, numRuns: 3_000 },
    );
  });

  test.each([
    [{ b: 1, a: [1, { d: 2, c: 3 }] }, '{"a":[1,{"c":3,"d":2}],"b":1}'],
    ['{ "b": 1,\n "a": 2 }', '{"a":2,"b":1}'],
    ['{"a":"{\\"z\\":1, \\"y\\":2}"}', '{"a":"{\\"z\\":1, \\"y\\":2}"}'], // strings inside stay strings
    ['3', '3'],
    ['3 hits', '"3 hits"'],
    [' true ', 'true'],
    ['', '""'],
    ['"3"', '"3"'],
    [{ a: 1.0, b: 100 }, '{"a":1,"b":100}'],
    ['{"a":1.0,"b":1e2}', '{"a":1,"b":100}'],
  ])('%j is %s', (content, expected) => {
    expect(canonical(content as Json)).toBe(expected);
  });

  test('long ids in a text stay apart although their doubles are equal', () => {
    expect(canonical('{"id":12345678901234567891}')).not.toBe(canonical('{"id":12345678901234567892}'));
  });

  test('key order and layout change nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonical(JSON.stringify(reversed, null, 3))).toBe(canonical(object as Json));
      }),
      { seed: 42, numRuns: 2000 },
    );
  });
});
