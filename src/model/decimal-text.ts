/**
 * A finite number in English: thousands grouped, and rounded, half away from zero, to at most `most` decimals, of which
 * `least` stand even where they are noughts. Zero has no sign.
 *
 * It is what Intl.NumberFormat writes, which takes as long to come up as a quarter of `node -e 0`, and a report of
 * 150 figures as long again.
 */
export function decimalText(value: number, least: number, most: number): string {
  const digits = String(Math.abs(value));
  if (digits.includes('e')) return byIntl(value, least, most);
  const [whole = '', decimals = ''] = digits.split('.');
  const [units, rest] = decimals.length > most ? rounded(whole, decimals, most) : [whole, decimals];
  const shown = rest.replace(/0+$/, '').padEnd(least, '0');
  const isZero = !/[1-9]/.test(units + shown);
  const text = units.replace(/\B(?=(?:\d{3})+$)/g, ',') + (shown === '' ? '' : `.${shown}`);
  return value < 0 && !isZero ? `-${text}` : text;
}

/**
 * Any number as a sentence shows it: thousands grouped, at most three decimals. It is what `toLocaleString('en-US')`
 * writes, which takes 4 to 12 ms the first time.
 */
export function numberText(value: number): string {
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return Number.isFinite(value) ? decimalText(value, 0, 3) : byIntl(value, 0, 3);
}

function rounded(whole: string, decimals: string, places: number): [units: string, decimals: string] {
  const kept = BigInt(whole + decimals.slice(0, places));
  const up = (decimals[places] as string) >= '5' ? 1n : 0n;
  const digits = (kept + up).toString().padStart(places + 1, '0');
  return [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
}

/** Numbers that JavaScript writes with an exponent. */
function byIntl(value: number, least: number, most: number): string {
  const options = { minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: 'negative' } as const;
  return new Intl.NumberFormat('en-US', options).format(value);
}
