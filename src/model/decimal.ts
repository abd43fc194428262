/** An exact rational number. `den` is positive; the pair need not be reduced. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Reads a decimal such as `0.99`, `1.2`, `-3`, `5e-7` exactly; `null` when the text is no finite decimal. */
export function parseDecimal(text: string): Fraction | null {
  const match = DECIMAL.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', part = '', exponent = '0'] = match;
  if (whole === '' && part === '') return null;
  const digits = BigInt(whole + part) * (sign === '-' ? -1n : 1n);
  const shift = part.length - Number(exponent);
  return shift >= 0 ? { num: digits, den: 10n ** BigInt(shift) } : { num: digits * 10n ** BigInt(-shift), den: 1n };
}

/** The exact decimal that JavaScript prints for this number: 0.1 is one tenth, not its binary neighbour. */
export function decimalOf(value: number): Fraction {
  const exact = parseDecimal(String(value));
  if (exact === null) throw new RangeError(`decimalOf requires a finite number, got ${value}`);
  return exact;
}

/** The sum of two decimals that are held as doubles, as the nearest double: 0.1 and 0.2 are 0.3. */
export function addDecimals(a: number, b: number): number {
  const [x, y] = [decimalOf(a), decimalOf(b)];
  return toNumber({ num: x.num * y.den + y.num * x.den, den: x.den * y.den });
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.num, den: a.den * b.den };
}

/** -1, 0 or 1 as `a` is below, equal to or above `b`. */
export function compare(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const left = a.num * b.den;
  const right = b.num * a.den;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The smallest multiple of `unit` that is not below `value`. Both are at least zero, `unit` is above zero. */
export function ceilToMultiple(value: Fraction, unit: Fraction): Fraction {
  const num = value.num * unit.den;
  const den = value.den * unit.num;
  const count = (num + den - 1n) / den;
  return { num: count * unit.num, den: unit.den };
}

/** Nearest whole number, ties to the even one; `value` is at least zero. */
export function roundHalfEven(value: Fraction): bigint {
  const floor = value.num / value.den;
  const twice = (value.num - floor * value.den) * 2n;
  if (twice < value.den || (twice === value.den && floor % 2n === 0n)) return floor;
  return floor + 1n;
}

/** The nearest double, correctly rounded where the fraction is a terminating decimal. */
export function toNumber(value: Fraction): number {
  const text = toDecimalText(value);
  return text === null ? Number(value.num) / Number(value.den) : Number(text);
}

/** The plain decimal text of a terminating fraction, `null` when its expansion does not end. */
export function toDecimalText(value: Fraction): string | null {
  const places = decimalPlaces(value);
  if (places === null) return null;
  const scaled = (value.num * 10n ** BigInt(places)) / value.den;
  const negative = scaled < 0n;
  const digits = (negative ? -scaled : scaled).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const part = digits.slice(digits.length - places);
  return (negative ? '-' : '') + whole + (places > 0 ? `.${part}` : '');
}

/** How many places the decimal expansion has: the larger exponent of 2 and 5 in the reduced denominator. */
function decimalPlaces(value: Fraction): number | null {
  let den = value.den / greatestCommonDivisor(value.num < 0n ? -value.num : value.num, value.den);
  let twos = 0;
  let fives = 0;
  for (; den % 2n === 0n; den /= 2n) twos++;
  for (; den % 5n === 0n; den /= 5n) fives++;
  return den === 1n ? Math.max(twos, fives) : null;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
