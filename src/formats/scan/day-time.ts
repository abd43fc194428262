const ZERO = 0x30;

/** Any time of the usual form: its digits stand for any digit. */
const USUAL = Buffer.from('2026-03-01T09:00:00Z');
const DAY_LENGTH = 10;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Days met, by their digits. */
const days = new Map<number, number>();

/**
 * Milliseconds since 1970 of the time in [from, to), NaN where it is none. The usual form, UTC to the second, is
 * reckoned from its digits: parsing every run's time as a text costs 0.3 microseconds.
 */
export function dayTimeMillis(bytes: Buffer, from: number, to: number): number {
  if (to - from !== USUAL.length || !isUsual(bytes, from)) return Date.parse(bytes.toString('utf8', from, to));
  const hours = twoDigits(bytes, from + 11);
  const minutes = twoDigits(bytes, from + 14);
  const seconds = twoDigits(bytes, from + 17);
  if (hours > 23 || minutes > 59 || seconds > 59) return Date.parse(bytes.toString('utf8', from, to));
  return dayMillis(bytes, from) + hours * HOUR + minutes * MINUTE + seconds * SECOND;
}

function dayMillis(bytes: Buffer, from: number): number {
  const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
  const digits = (year * 100 + twoDigits(bytes, from + 5)) * 100 + twoDigits(bytes, from + 8);
  const known = days.get(digits);
  if (known !== undefined) return known;
  const millis = Date.parse(bytes.toString('utf8', from, from + DAY_LENGTH));
  if (!Number.isNaN(millis)) days.set(digits, millis);
  return millis;
}

function isUsual(bytes: Buffer, from: number): boolean {
  for (let at = 0; at < USUAL.length; at++) {
    const byte = bytes[from + at] as number;
    const usual = USUAL[at] as number;
    if (isDigit(usual) ? !isDigit(byte) : byte !== usual) return false;
  }
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function twoDigits(bytes: Buffer, at: number): number {
  return ((bytes[at] as number) - ZERO) * 10 + (bytes[at + 1] as number) - ZERO;
}
