import { byteAt } from './bytes';
import { millisOf } from './outside';

/*
 * Times of the usual form, UTC to the second, reckoned from their digits: to parse every run's time as a text costs 0.3
 * microseconds. Any other form, and a day that there is not, is asked of JavaScript.
 */

/** `2026-03-01T09:00:00Z`, and with milliseconds before the last letter. */
const TO_THE_SECOND: usize = 20;
const TO_THE_MILLISECOND: usize = 24;

const ZERO: u32 = 0x30;
const MINUS: u32 = 0x2d;
const DOT: u32 = 0x2e;
const COLON: u32 = 0x3a;
const T: u32 = 0x54;
const Z: u32 = 0x5a;

/** Milliseconds since 1970 of the time in [from, to), NaN where it is none. */
export function timeAt(from: usize, to: usize): f64 {
  const length = to - from;
  const isUsual = (length === TO_THE_SECOND || length === TO_THE_MILLISECOND) && hasUsualForm(from, length);
  if (!isUsual) return millisOf(from, to);
  const hours = twoDigits(from + 11);
  const minutes = twoDigits(from + 14);
  const seconds = twoDigits(from + 17);
  const year = twoDigits(from) * 100 + twoDigits(from + 2);
  const month = twoDigits(from + 5);
  const day = twoDigits(from + 8);
  const isTime = hours < 24 && minutes < 60 && seconds < 60;
  if (!isTime || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return millisOf(from, to);
  const millis = length === TO_THE_SECOND ? 0 : twoDigits(from + 20) * 10 + <i32>(byteAt(from + 22) - ZERO);
  return (
    <f64>daysFrom1970(year, month, day) * 86_400_000 + <f64>(((hours * 60 + minutes) * 60 + seconds) * 1000 + millis)
  );
}

function daysIn(year: i32, month: i32): i32 {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  // A long one, a short one in turn, but August is as long as July.
  return 30 + ((month + (month >> 3)) & 1);
}

/**
 * The year is taken to begin in March, so that a leap day is its last: H. Hinnant, chrono-compatible low-level date
 * algorithms, days_from_civil.
 */
function daysFrom1970(year: i32, month: i32, day: i32): i32 {
  const marches = month > 2 ? year : year - 1;
  const months = month > 2 ? month - 3 : month + 9;
  const leaps = floorDivided(marches, 4) - floorDivided(marches, 100) + floorDivided(marches, 400);
  return marches * 365 + leaps + (153 * months + 2) / 5 + day - 1 - TO_1970;
}

/** Days from the first of March of the year 0 to 1970. */
const TO_1970 = 719_468;

/** Only the year before the year 0 is below it. */
function floorDivided(year: i32, by: i32): i32 {
  return year < 0 ? -1 : year / by;
}

function hasUsualForm(at: usize, length: usize): bool {
  const isDay =
    areDigits(at) &&
    areDigits(at + 2) &&
    byteAt(at + 4) === MINUS &&
    areDigits(at + 5) &&
    byteAt(at + 7) === MINUS &&
    areDigits(at + 8);
  const isTime =
    byteAt(at + 10) === T &&
    areDigits(at + 11) &&
    byteAt(at + 13) === COLON &&
    areDigits(at + 14) &&
    byteAt(at + 16) === COLON &&
    areDigits(at + 17);
  if (!isDay || !isTime || byteAt(at + length - 1) !== Z) return false;
  return length === TO_THE_SECOND || (byteAt(at + 19) === DOT && areDigits(at + 20) && areDigits(at + 21));
}

function areDigits(at: usize): bool {
  return byteAt(at) - ZERO <= 9 && byteAt(at + 1) - ZERO <= 9;
}

function twoDigits(at: usize): i32 {
  return <i32>((byteAt(at) - ZERO) * 10 + byteAt(at + 1) - ZERO);
}
