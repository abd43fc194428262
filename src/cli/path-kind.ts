import { lstatSync, type Stats, statSync } from 'node:fs';

/** What stands at a path. */
export type PathKind =
  | { readonly kind: 'file' | 'folder' | 'missing' }
  /** A pipe that the shell handed over under a number, as `<(…)` does: read once, like a file. */
  | { readonly kind: 'handed' }
  /** Nothing that has an end, or that can be opened: a noun for messages. */
  | { readonly kind: 'other'; readonly noun: string };

/** Where the system lists the open files of a process. */
const HANDED = /^\/(?:dev\/(?:fd\/\d+|stdin)|proc\/(?:self|\d+)\/fd\/\d+)$/;

/** Looks before anything is opened: opening a pipe waits for its writer, and a device may have no end. */
export function kindOfPath(path: string): PathKind {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) return kindOfStats(stats, path);
    return isLink(path) ? { kind: 'other', noun: 'a link to nothing' } : { kind: 'missing' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Below a file there is nothing.
    if (code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'other', noun: code === 'ELOOP' ? 'a link that leads to itself' : `out of reach (${code})` };
  }
}

function kindOfStats(stats: Stats, path: string): PathKind {
  if (stats.isFile()) return { kind: 'file' };
  if (stats.isDirectory()) return { kind: 'folder' };
  if (stats.isFIFO()) return HANDED.test(path) ? { kind: 'handed' } : { kind: 'other', noun: 'a named pipe' };
  return { kind: 'other', noun: stats.isSocket() ? 'a socket' : 'a device' };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A noun for what is no file, for messages. */
export function nounOf(found: PathKind): string {
  switch (found.kind) {
    case 'other':
      return found.noun;
    case 'handed':
      return 'a pipe';
    case 'missing':
      return 'nothing';
    default:
      return `a ${found.kind}`;
  }
}
