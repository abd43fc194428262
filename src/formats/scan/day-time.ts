import { textAt } from './parts.js';

const ZERO = 0x30;

/** Any time of the usual form: its digits stand for any digit. */
const USUAL = new TextEncoder().encode('2026-03-01T09:00:00Z');
const DAY_LENGTH = 10;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const days = new Map<number, number>();

/**
 * Milliseconds since 1970 of the time in [from, to), NaN where it is none. The usual form, UTC to the second, is
 * reckoned from its digits: parsing every run's time as a text costs 0.3 microseconds.
 */
export function dayTimeMillis(bytes: DataView, from: number, to: number): number {
  if (to - from !== USUAL.length || !isUsual(bytes, from)) return Date.parse(textAt(bytes, from, to));
  const two = (at: number): number => (bytes.getUint8(from + at) - ZERO) * 10 + bytes.getUint8(from + at + 1) - ZERO;
  const [hours, minutes, seconds] = [two(11), two(14), two(17)];
  if (hours > 23 || minutes > 59 || seconds > 59) return Date.parse(textAt(bytes, from, to));
  const date = ((two(0) * 100 + two(2)) * 100 + two(5)) * 100 + two(8);
  let day = days.get(date);
  if (day === undefined) {
    day = Date.parse(textAt(bytes, from, from + DAY_LENGTH));
    if (!Number.isNaN(day)) days.set(date, day);
  }
  return day + hours * HOUR + minutes * MINUTE + seconds * SECOND;
}

function isUsual(bytes: DataView, from: number): boolean {
  for (let at = 0; at < USUAL.length; at++) {
    const byte = bytes.getUint8(from + at);
    const usual = USUAL[at] as number;
    if (isDigit(usual) ? !isDigit(byte) : byte !== usual) return false;
  }
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
