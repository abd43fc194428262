import type { Method } from '../calibrate/result.js';
import { decimalText } from '../model/decimal-text.js';
import type { LimitName } from '../model/limits.js';

/** What stands where a figure is not known. Never 0. */
export const UNKNOWN = 'unknown';

/** A whole number with thousands separators; a median may carry one half: `12.5`. */
export function formatCount(value: number | null): string {
  return number(value, { most: 1 });
}

/** A figure for people, in its metric's unit: `21`, `376,035`, `253.2 s`, `$0.0042`. */
export function formatAmount(metric: LimitName, value: number | null): string {
  if (metric === 'seconds') return withUnit(number(value, { most: secondsPlaces(value) }), ' s');
  if (metric === 'usd') return dollars(value, usdDecimals(value));
  return formatCount(value);
}

/** The same figure where a summary has no room for all digits: tokens from a million on as `198.4 M`. */
export function formatAmountShort(metric: LimitName, value: number | null): string {
  if (metric !== 'tokens' || value === null || Math.abs(value) < 1e6) return formatAmount(metric, value);
  return withUnit(number(value / 1e6, { least: 1, most: 1 }), ' M');
}

/** A price, which may be a fraction of what is counted whole: tokens to the nearest one from 1,000 on, from 10 M short. */
export function formatPrice(metric: LimitName, value: number | null): string {
  if (metric !== 'tokens' || value === null || Math.abs(value) < 1000) return formatAmount(metric, value);
  return Math.abs(value) < 1e7 ? formatCount(Math.round(value)) : formatAmountShort(metric, value);
}

/** A figure with all its digits, where a reader should be able to follow the arithmetic. */
export function formatExact(metric: LimitName, value: number | null): string {
  if (metric === 'seconds') return withUnit(number(value, { most: 12 }), ' s');
  if (metric === 'usd') return dollars(value, { least: 2, most: 12 });
  return number(value, { most: 12 });
}

/** Such figures as they stand below each other: with as many decimals as the longest of them needs. */
export function formatExactColumn(metric: LimitName, values: readonly number[]): string[] {
  const places = Math.max(0, ...values.map((value) => decimalText(value, 0, 12).split('.')[1]?.length ?? 0));
  const decimals = { least: metric === 'usd' ? Math.max(2, places) : places, most: 12 };
  return values.map((value) => {
    if (metric === 'usd') return dollars(value, decimals);
    return number(value, decimals) + (metric === 'seconds' ? ' s' : '');
  });
}

/** A ceiling with its word: `26 passes`, `460,000 tokens`, `270 s`, `$2.00`. */
export function formatLimit(limit: LimitName, value: number | null): string {
  const amount = formatExact(limit, value);
  if (limit === 'seconds' || limit === 'usd') return amount;
  return `${amount} ${value === 1 ? SINGULAR[limit] : limit}`;
}

const SINGULAR = { passes: 'pass', tokens: 'token', steps: 'step' } as const;

/**
 * A measured share: `0.97 %`, `-73.0 %`. A share that is not quite nothing or not quite all never prints as 0 or 100.
 */
export function formatPercent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return UNKNOWN;
  const percent = Math.abs(share) * 100;
  const sign = share < 0 ? '-' : '';
  if (percent === 0) return '0 %';
  if (percent === 100) return `${sign}100 %`;
  if (percent < 0.005) return share > 0 ? '< 0.01 %' : '> -0.01 %';
  if (percent >= 99.95 && percent < 100) return share > 0 ? '> 99.9 %' : '< -99.9 %';
  const places = percent < 9.995 ? 2 : 1;
  return `${sign}${number(percent, { least: places, most: places })} %`;
}

/** A share that somebody set, all its digits without trailing zeros: `1 %`, `0.5 %`, `99.9999999 %`. */
export function formatSetting(share: number | null): string {
  return withUnit(number(share === null ? null : share * 100, { most: 12 }), ' %');
}

/** A change with its sign in front, `+4` as well as `-4`. @param text the change as it is written */
export function signed(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

/** `3 of 310`. */
export function formatOf(part: number, whole: number): string {
  return `${formatCount(part)} of ${formatCount(whole)}`;
}

export { plural } from '../model/words.js';

/** `p99`, `p99.9` for 0.99, 0.999. */
export function percentileName(p: number): string {
  return `p${Number((p * 100).toPrecision(12))}`;
}

/** The words for a method, which stand beside every percentile. */
export function methodName(method: Method): string {
  return method === 'nearest-rank' ? 'nearest rank' : 'linear, R type 7';
}

/** How many decimals a figure is written with. */
interface Decimals {
  readonly least?: number;
  readonly most: number;
}

function number(value: number | null, { least = 0, most }: Decimals): string {
  return value === null || !Number.isFinite(value) ? UNKNOWN : decimalText(value, least, most);
}

function withUnit(text: string, unit: string): string {
  return text === UNKNOWN ? text : text + unit;
}

function dollars(value: number | null, decimals: Decimals): string {
  const text = number(value, decimals);
  if (text === UNKNOWN) return text;
  return text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`;
}

/** As many decimals as a reader can use: none for an hour, three significant digits below a second. */
function secondsPlaces(value: number | null): number {
  const size = Math.abs(value ?? 0);
  if (size >= 1000) return 0;
  if (size >= 100) return 1;
  return size >= 1 || size === 0 ? 2 : significantPlaces(size);
}

function usdDecimals(value: number | null): Decimals {
  const size = Math.abs(value ?? 0);
  if (size >= 1 || size === 0) return { least: 2, most: 2 };
  if (size >= 0.01) return { least: 2, most: 4 };
  return { most: significantPlaces(size) };
}

/** Decimals that keep three significant digits of a number below one. */
function significantPlaces(size: number): number {
  return Math.min(12, 2 - Math.floor(Math.log10(size)));
}
