import { basename, isAbsolute } from 'node:path';
import type { RawOptions } from './options.js';

/** What says nothing of the answer. */
const UNTOLD = new Set(['color', 'quiet', 'verbose', 'json', 'markdown', 'explain', 'markdown', 'threads']);
/** Flags whose values are paths, or hold one. */
const PATHS = new Set(['policy', 'map', 'outcomes', 'prices', 'out', 'output']);
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * A command as somebody would type it again in a POSIX shell, beside the files: where they lie on this machine is told
 * no further than it was typed relative to where one stood.
 */
export function commandText(command: string, typed: readonly string[], raw: RawOptions): string {
  const flags = Object.entries(raw as { readonly [name: string]: unknown }).flatMap(([name, value]) =>
    UNTOLD.has(name) ? [] : flagWords(name, value),
  );
  return ['capfit', command, ...[...typed.map(shortPath), ...flags].map(shellWord)].join(' ');
}

function flagWords(name: string, value: unknown): string[] {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (value === true) return [`--${flag}`];
  if (value === false) return [`--no-${flag}`];
  if (Array.isArray(value)) return value.flatMap((each) => flagWords(name, each));
  return typeof value === 'string' ? [`--${flag}`, PATHS.has(name) ? shortPath(value) : value] : [];
}

function shortPath(path: string): string {
  return isAbsolute(path) ? basename(path) : path;
}

export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
