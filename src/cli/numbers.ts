import { compare, decimalOf, type Fraction, parseDecimal, toNumber } from '../model/decimal.js';
import { usageError } from './errors.js';

/** What a flag takes: a range, both ends included, and how the flag is written. */
export interface Range {
  readonly least: number;
  readonly most: number;
  /** What is counted, such as `seconds`. */
  readonly noun: string;
  readonly example: string;
}

/**
 * A decimal in a range, read exactly.
 *
 * @throws CommandError where the text is no decimal, or one out of the range
 */
export function decimalOption(flag: string, text: string, { least, most, noun, example }: Range): Fraction {
  const value = decimalIn(text);
  if (value !== null && isBetween(value, least, most)) return value;
  throw usageError(
    `${flag} ${text}: not a number of ${noun} from ${plainly(least)} to ${plainly(most)}`,
    `for instance ${flag} ${example}`,
  );
}

/** The same as a double. */
export function amountOption(flag: string, text: string, range: Range): number {
  return toNumber(decimalOption(flag, text, range));
}

/** A whole number of at least `least`. */
export function wholeOption(flag: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = decimalIn(text);
  if (value !== null && value.num % value.den === 0n && isBetween(value, least, most)) return toNumber(value);
  throw usageError(
    `${flag} ${text}: not a whole number from ${plainly(least)} to ${plainly(most)}`,
    `for instance ${flag} ${plainly(Math.max(least, 3))}`,
  );
}

/** A decimal as people write it, with `_` between digits where they like. */
export function decimalIn(text: string): Fraction | null {
  return /^_|__|_$/.test(text) ? null : parseDecimal(text.replaceAll('_', ''));
}

function isBetween(value: Fraction, least: number, most: number): boolean {
  return compare(value, decimalOf(least)) >= 0 && compare(value, decimalOf(most)) <= 0;
}

/** Without an exponent. */
function plainly(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 9 });
}
