import { formatCount } from '../report/format.js';

/** How far a reading is, in bytes. */
export interface Amount {
  readonly done: number;
  /** 0 where nobody knows. */
  readonly total: number;
  /** Bytes a second; `null`: not known yet. */
  readonly perSecond: number | null;
}

const MEGABYTE = 1_000_000;
const MAX_BAR = 20;
const MIN_BAR = 5;
/** Seconds beyond which nobody waits for an end that is reckoned. */
const LONGEST_LEFT = 100 * 3600;

/**
 * `reading ██████░░░░ 61 % | 122 of 200 MB | 58 MB/s | 2 s left`, no wider than the terminal; what does not fit is left
 * out from the end, and the bar before that.
 *
 * @param columns 0: not known
 */
export function progressLine({ done, total, perSecond }: Amount, columns: number): string {
  const width = columns > 0 ? columns - 1 : 79;
  const isKnown = total > 0 && done <= total;
  const read = isKnown ? `${megabytes(done)} of ${megabytes(total)} MB` : `${megabytes(done)} MB`;
  const rate = perSecond === null ? [] : [`${megabytes(perSecond)} MB/s`];
  const seconds =
    isKnown && perSecond !== null && perSecond > 0 ? (total - done) / perSecond : Number.POSITIVE_INFINITY;
  const left = seconds <= LONGEST_LEFT ? [`${duration(seconds)} left`] : [];
  const parts = [...(isKnown ? [`${Math.floor((done / total) * 100)} %`] : []), read, ...rate, ...left];
  while (parts.length > 1 && `reading ${parts.join(' | ')}`.length > width) parts.pop();
  const text = parts.join(' | ');
  const room = Math.min(MAX_BAR, width - `reading  ${text}`.length);
  if (!isKnown || room < MIN_BAR) return `reading ${text}`.slice(0, width);
  const full = Math.floor((done / total) * room);
  return `reading ${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}

/** With one decimal below ten. */
function megabytes(bytes: number): string {
  const size = bytes / MEGABYTE;
  return size < 10 ? (Math.floor(size * 10) / 10).toFixed(1) : formatCount(Math.floor(size));
}

/** `8 s`, `2 min 05 s`, `1 h 12 min`: rounded up, so that it does not end before it is over. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${String(minutes % 60).padStart(2, '0')} min`;
}
