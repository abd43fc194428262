import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../src/formats/verdicts/expression.js';
import { reasonOf } from '../../src/formats/verdicts/expression-faults.js';
import { ExactNumber } from '../../src/model/json.js';

describe('compileExpression(text)', () => {
  test.each([
    ['a.b', { a: { b: 3 } }, 3],
    ['missing', {}, null],
    ['db_match and communicate_match != false', { db_match: true, communicate_match: null }, true],
    ['durationMs / 1000', { durationMs: 1500 }, 1.5],
    [
      'items[kind="call"].name',
      { items: [{ kind: 'call', name: 'x' }, { kind: 'call', name: 'y' }, { kind: 'z' }] },
      ['x', 'y'],
    ],
    ['function($x){$x}', {}, null],
    ['id', { id: new ExactNumber('12345678901234567890') }, '12345678901234567890'],
  ])('%s of %j is %j', async (text, value, expected) => {
    expect(await compileExpression(text).evaluate(value)).toEqual(expected);
  });

  test('variables are given by name', async () => {
    expect(await compileExpression('$file & "/" & id').evaluate({ id: 'x' }, { file: 'a.json' })).toBe('a.json/x');
  });

  test('what is no expression is told with its place', () => {
    expect(() => compileExpression('a.[')).toThrow(/is no JSONata expression: .*\(at character \d+\)/);
  });

  test('a failing expression is told, and the next value is asked as if nothing had been', async () => {
    const sum = compileExpression('a + 1');
    await expect(sum.evaluate({ a: 'x' })).rejects.toThrow(/the expression a \+ 1 fails/);
    expect(await sum.evaluate({ a: 1 })).toBe(2);
  });

  test('a loop without end, a recursion without end and text out of the data are stopped', async () => {
    let millis = 0;
    const clock = (): number => millis++;
    const loop = '($f := function($x){ $f($x + 1) }; $f(1))';
    await expect(compileExpression(loop, clock).evaluate({})).rejects.toThrow(/runs longer than 5 s/);
    await expect(compileExpression('($f := function($x){ 1 + $f($x + 1) }; $f(1))').evaluate({})).rejects.toThrow(
      /nests more than 500/,
    );
    await expect(compileExpression('$eval(code)').evaluate({ code: '1 + 1' })).rejects.toThrow(
      /\$eval is not available/,
    );
  });

  test('hostile keys of the data stay data', async () => {
    const value = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "a": 1}');
    expect(await compileExpression('$merge([$, {"b": a}]).b').evaluate(value)).toBe(1);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('faults are told in plain words, with the place', () => {
  test.each([
    ['', 'it ends too early (at character 0)'],
    ['a(', 'it ends where ")" is missing (at character 2)'],
    ['a ** 2', '"**" cannot stand there (at character 4)'],
    ['> 2', '">" needs something before it (at character 1)'],
    ['a b', '"b" cannot stand there (at character 3)'],
    ['a := 1', 'a variable is named with $ before it (at character 1)'],
    ['"abc', 'a text is not closed by its quote (at character 4)'],
    ['`abc', 'a name in backquotes is not closed (at character 4)'],
    ['"\\q"', 'a backslash in a text stands before what is no escape (at character 2)'],
    ['$match(a, /b)', 'a regular expression is not closed by / (at character 13)'],
    ['$match(a, //)', 'a regular expression is empty'],
    ['1e999', 'the number 1e999 is too large'],
  ])('%j is no expression', (text, reason) => {
    const said = faultOf(() => compileExpression(text));
    expect(said).toMatch(/ is no JSONata expression: /);
    expect(said).toContain(reason);
  });

  test.each([
    ['$nope(1)', {}, '"nope" is called like a function, and is none (at character 6)'],
    ['sum(a)', { a: 1 }, '"sum" is called like a function, and is none (at character 4)'],
    ['a + 1', { a: 'x' }, '"+" needs a number on its left, not "x" (at character 3)'],
    ['1 - a', { a: [1] }, '"-" needs a number on its right, not [1] (at character 3)'],
    ['a > 1', { a: 'x' }, '">" cannot compare "x" with 1 (at character 3)'],
    ['a > 1', { a: true }, '">" compares numbers or texts, not true (at character 3)'],
    ['$number(a)', { a: 'long' }, '"long" is no number (at character 8)'],
    ['$sum(a)', { a: 'x' }, '$sum does not take "x" (at character 5)'],
    ['$map(a, 1)', { a: [1] }, '$map does not take 1 (at character 5)'],
    ['$toMillis(a)', { a: 'noon' }, '"noon" is no time in ISO 8601 (at character 10)'],
    ['[1..a]', { a: 1e9 }, 'it makes a list that is too long (at character 4)'],
    ['a ~> 1', { a: 1 }, 'what stands behind ~> is no function (at character 4)'],
    ['($f := function($x){$x}; $f + 1)', {}, '"+" needs a number on its left, not a function'],
    ['$sum + 1', {}, '"+" needs a number on its left, not a function'],
    ['$error("no " & a)', { a: 'way' }, '$error says: no way (at character 7)'],
    ['$single(a)', { a: [1, 2] }, '$single finds more than one (at character 8)'],
  ])('%s of %j', async (text, value, reason) => {
    const said = await compileExpression(text)
      .evaluate(value)
      .catch((error: Error) => error.message);
    expect(said).toContain(`the expression ${text} fails: ${reason}`);
    expect(said).not.toMatch(/[STD]\d{4}|Attempted/);
  });

  test('a fault that is not known by its code is shown in short', () => {
    expect(reasonOf({ code: 'D3085', position: 7, message: `The mantissa ${'x'.repeat(100)}` })).toBe(
      `JSONata cannot make sense of it: The mantissa ${'x'.repeat(67)}… (at character 7)`,
    );
    expect(reasonOf(new TypeError('Cannot read\nthis'))).toBe('JSONata cannot make sense of it: Cannot read this');
    expect(reasonOf('odd')).toBe('JSONata cannot make sense of it: no reason given');
  });

  test('a long expression is shown on one line, and cut', () => {
    const text = `a +\n  ${'b + '.repeat(60)}`;
    expect(faultOf(() => compileExpression(text))).toMatch(
      /^a \+ (?:b \+ ){29}…? ?.{0,3}… is no JSONata expression: it ends/,
    );
  });
});

function faultOf(make: () => unknown): string {
  try {
    return `read as ${String(make())}`;
  } catch (error) {
    return (error as Error).message;
  }
}
