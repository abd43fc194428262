import { type Dirent, readdir as readdirOf } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSystemAdapter } from 'tinyglobby';
import { type CommandError, fileError, usageError } from './errors.js';
import { kindOfPath, nounOf } from './path-kind.js';

/** One input to open. `named`: the user named this very file, so that not recognising it is an error. */
export interface Input {
  readonly path: string;
  readonly named: boolean;
}

/** Standard input, as the user writes it. */
export const STDIN = '-';

/** What the user's words stand for. */
export interface Expanded {
  readonly inputs: readonly Input[];
  /** What lies in the folders and globs beside files and cannot be read as one, each with what it is. */
  readonly others: readonly string[];
}

/**
 * Files behind what the user typed: files, globs, folders (walked to the bottom), `-`. In the order typed, sorted
 * within a glob or folder.
 *
 * @throws CommandError where a word stands for no file
 */
export async function expandInputs(typed: readonly string[]): Promise<Expanded> {
  const inputs: Input[] = [];
  const others: string[] = [];
  for (const word of typed) {
    const found = await lookInto(word);
    if (found === null) {
      inputs.push({ path: word === STDIN ? STDIN : namedFile(word), named: true });
      continue;
    }
    if (found.files.length === 0) throw nothingIn(word, found.others);
    // One by one: a folder may hold more files than a call takes arguments.
    for (const path of found.files) inputs.push({ path, named: false });
    for (const other of found.others) others.push(other);
  }
  if (inputs.filter((input) => input.path === STDIN).length > 1) {
    throw usageError('standard input is named twice', 'name - once');
  }
  return { inputs, others };
}

/** The path of a file that may be opened. */
function namedFile(word: string): string {
  const found = kindOfPath(word);
  if (found.kind === 'missing') {
    throw fileError(`${word}: no such file or folder`, 'check the path; quote a glob so that capfit expands it itself');
  }
  if (found.kind !== 'other') return word;
  throw fileError(`${word}: is no file but ${found.noun}`, insteadOf(word, found.noun));
}

function insteadOf(word: string, noun: string): string {
  if (noun.startsWith('a link')) return 'get the file that it should lead to';
  if (noun === 'a named pipe') return `pipe it in, with - in its place: cat ${word} | capfit … -`;
  return 'name a file, or pipe the runs in and name - in its place';
}

/** Paths in a folder or of a glob, sorted. */
interface Found {
  readonly files: readonly string[];
  /** What is no file, with the reason. */
  readonly others: readonly string[];
}

/** `null` for a word that is neither a folder nor a glob. */
async function lookInto(word: string): Promise<Found | null> {
  if (word === STDIN) return null;
  const { kind } = kindOfPath(word);
  if (kind === 'folder') return sorted(await pathsIn(word));
  if (kind !== 'missing') return null;
  // Files that are named are opened 12 ms sooner without it.
  const { glob, isDynamicPattern } = await import('./glob-package.js');
  if (!isDynamicPattern(word)) return null;
  return sorted(await glob([word], { dot: true, expandDirectories: false, fs: ALL_AS_FILES }));
}

/** All paths below a folder but folders. */
async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: Error) => {
    throw fileError(`${folder}: the folder cannot be walked (${error.message})`, 'check its permissions');
  });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** Links to folders are not followed, so that a loop of links cannot be walked. */
function sorted(paths: readonly string[]): Found {
  const files: string[] = [];
  const others: string[] = [];
  for (const path of [...paths].sort()) {
    const found = kindOfPath(path);
    if (found.kind === 'file') files.push(path);
    else others.push(`${path} (${found.kind === 'folder' ? 'a link to a folder, not followed' : nounOf(found)})`);
  }
  return { files, others };
}

function nothingIn(word: string, others: readonly string[]): CommandError {
  const listed = others.length === 0 ? '' : `, only ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}`;
  return kindOfPath(word).kind === 'folder'
    ? fileError(`${word}: the folder holds no file${listed}`, 'name the folder that the runs are in')
    : fileError(`${word}: no file matches${listed}`, 'check the pattern');
}

/** A walker of globs passes over pipes and dead links; here all but folders, and links to them, count as files. */
const ALL_AS_FILES = {
  readdir: (path: string, options: { withFileTypes: true }, done: (error: Error | null, found: Dirent[]) => void) =>
    readdirOf(path, options, (error, entries) =>
      done(error, error === null ? entries.map((entry) => (isWalkable(path, entry) ? entry : asFile(entry))) : entries),
    ),
} as unknown as FileSystemAdapter;

function isWalkable(folder: string, entry: Dirent): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && kindOfPath(join(folder, entry.name)).kind === 'folder');
}

function asFile(entry: Dirent): Dirent {
  return Object.assign(Object.create(entry) as Dirent, { isFile: () => true, isSymbolicLink: () => false });
}
