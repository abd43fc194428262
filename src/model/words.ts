import { numberText } from './decimal-text.js';

/** `1 run`, `2 runs`: a count with its noun. */
export function plural(count: number, noun: string, more: string = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : more}`;
}

/** A value out of the data as it can be read in a line: one that is empty, or has blanks at an end, stands in quotes. */
export function shownValue(value: string): string {
  return value !== '' && value.trim() === value ? value : `"${value}"`;
}
