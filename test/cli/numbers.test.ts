import { describe, expect, test } from 'vitest';
import { CommandError } from '../../src/cli/errors.js';
import { widthOf } from '../../src/cli/io.js';
import { amountOption, decimalOption, wholeOption } from '../../src/cli/numbers.js';
import { capfit, WORKED_EXAMPLE } from './harness.js';

const RANGE = { least: 0.5, most: 1000, noun: 'seconds', example: '60' };

function faultOf(make: () => unknown): string {
  try {
    return `read as ${String(make())}`;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return `${error.exitCode}: ${error.message} (${error.hint})`;
  }
}

describe('amountOption, decimalOption', () => {
  test.each([
    ['60', 60],
    ['0.5', 0.5],
    ['1000', 1000],
    ['1e3', 1000],
    ['1_000', 1000],
    [' +2.50 ', 2.5],
  ])('%j is %d', (text, value) => {
    expect(amountOption('--wait', text, RANGE)).toBe(value);
  });

  test('a decimal stays exact', () => {
    expect(decimalOption('--wait', '1.2', RANGE)).toStrictEqual({ num: 12n, den: 10n });
  });

  test.each([
    ...['', ' ', 'x', 'NaN', 'Infinity', '-Infinity', '0x10', '1e999', '1e9999', '-1', '0', '0.49999999999999999999'],
    ...['1000.0000000000000001', '1__0', '_1', '1_', '1,5', '1e-999', '60s'],
  ])('%j is refused, with the range', (text) => {
    expect(faultOf(() => amountOption('--wait', text, RANGE))).toBe(
      `2: --wait ${text}: not a number of seconds from 0.5 to 1000 (for instance --wait 60)`,
    );
  });
});

describe('wholeOption', () => {
  test.each([
    ['2', 2],
    ['1e3', 1000],
    ['9_007_199_254_740_991', Number.MAX_SAFE_INTEGER],
    ['4.0', 4],
  ])('%j is %d', (text, value) => {
    expect(wholeOption('--runs', text, 2)).toBe(value);
  });

  test.each(['', '1', '2.5', '1e16', '9007199254740992', '1e999', '0x10', 'Infinity', 'NaN', '-3'])(
    '%j is refused, with the range',
    (text) => {
      expect(faultOf(() => wholeOption('--runs', text, 2))).toBe(
        `2: --runs ${text}: not a whole number from 2 to 9007199254740991 (for instance --runs 3)`,
      );
    },
  );
});

describe('no flag takes a number that means nothing', () => {
  const absurd = ['1e999', '1e9999', '-1e9999', '1e-9999', 'NaN', 'Infinity', '-Infinity', '', 'x', '0x1'];
  const flags: readonly (readonly string[])[] = [
    ['derive', WORKED_EXAMPLE, '--idle-gap'],
    ['derive', WORKED_EXAMPLE, '--pass-mark'],
    ['derive', WORKED_EXAMPLE, '--p'],
    ['derive', WORKED_EXAMPLE, '--false-stop'],
    ['derive', WORKED_EXAMPLE, '--padding'],
    ['calibrate', WORKED_EXAMPLE, '--repeat'],
    ['generate', '--runs'],
    ['generate', '--seed'],
  ];
  const settings: readonly (readonly string[])[] = [
    ...['passes', 'tokens', 'seconds', 'usd'].map((metric) => ['derive', WORKED_EXAMPLE, '--round', metric]),
    ...['model_call', 'tool'].map((call) => ['calibrate', WORKED_EXAMPLE, '--timeout', call]),
  ];
  const cases = [
    ...flags.flatMap((argv) => absurd.map((text) => [...argv.slice(0, -1), `${argv.at(-1)}=${text}`])),
    ...settings.flatMap((argv) => absurd.map((text) => [...argv.slice(0, -1), `${argv.at(-1)}=${text}`])),
    ['derive', WORKED_EXAMPLE, '--round', 'tokens=1000=2000'],
    ['derive', WORKED_EXAMPLE, '--round', 'seconds=0.0000001'],
    ['calibrate', WORKED_EXAMPLE, '--timeout', 'tool=30=60'],
    ['calibrate', WORKED_EXAMPLE, '--repeat', '1000001'],
    ['calibrate', WORKED_EXAMPLE, '--date', '2026-02-30'],
    ['generate', '--runs', '1000000001'],
  ];

  test.each(cases.map((argv) => [argv.slice(-2).join(' '), argv] as const))('%s', async (_what, argv) => {
    expect(await capfit(argv)).toMatchObject({ code: 2, out: '' });
  });

  test('the finest units, and the largest and smallest of the rest, are taken', async () => {
    const argv = ['--round', 'seconds=0.000001', '--round', 'passes=1', '--padding', '1000', '--idle-gap', '1e9'];
    expect((await capfit(['derive', WORKED_EXAMPLE, ...argv])).code).toBe(0);
  });
});

test('widthOf(columns) is a width that can be printed in', () => {
  expect([80, 39.5, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e9, 120.7].map(widthOf)).toStrictEqual([
    80, 40, 100, 100, 100, 1000, 1000, 120,
  ]);
});
