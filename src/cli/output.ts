import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { escapeTerminal } from '../report/escape.js';
import { CommandError, fileError } from './errors.js';
import type { Io } from './io.js';
import { kindOfPath, nounOf } from './path-kind.js';

type Chunks = Iterable<string> | AsyncIterable<string>;

/**
 * Writes a file whole or not at all: to a temporary file beside it, then renamed. A name that ends in `.gz` is
 * packed. Missing folders are made, and told: a mistyped path makes some too.
 */
export async function writeWhole(path: string, chunks: Chunks, tell: Tell | null = null): Promise<void> {
  await writeAllWhole([[path, chunks]], tell);
}

/** The same for several files: none is renamed before all are written. */
export async function writeAllWhole(
  files: readonly (readonly [path: string, chunks: Chunks])[],
  tell: Tell | null = null,
): Promise<void> {
  await writeEachWhole(
    files.map(([path, chunks]) => [path, (temporary) => writeText(temporary, chunks, path.endsWith('.gz'))]),
    tell,
  );
}

/** The same for a file that somebody else writes, to the path that he is given. */
export async function writeWholeBy(path: string, write: Writer, tell: Tell | null = null): Promise<void> {
  await writeEachWhole([[path, write]], tell);
}

/** Hears of each folder that is made. */
export type Tell = (folder: string) => void;

/** Tells on standard error; nothing where that is to be quiet. */
export function folderTold({ quiet }: { readonly quiet?: boolean }, io: Pick<Io, 'err'>): Tell | null {
  return quiet === true ? null : (folder) => io.err(`made the folder ${escapeTerminal(folder, 400)}\n`);
}

type Writer = (temporary: string) => Promise<void>;

async function writeEachWhole(
  files: readonly (readonly [path: string, write: Writer])[],
  tell: Tell | null,
): Promise<void> {
  for (const [path] of files) checkTarget(path);
  const written: { path: string; temporary: string }[] = [];
  try {
    for (const [path, write] of files) {
      const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
      written.push({ path, temporary });
      const made = await mkdir(dirname(path), { recursive: true });
      if (made !== undefined) tell?.(dirname(path));
      await write(temporary);
    }
    for (const { path, temporary } of written) await rename(temporary, path);
  } catch (error) {
    for (const { temporary } of written) await rm(temporary, { force: true }).catch(() => undefined);
    if (error instanceof CommandError || !isSystemError(error)) throw error;
    throw fileError(
      `${written.at(-1)?.path}: cannot be written (${error.message})`,
      'check the folder and its permissions',
    );
  }
}

/**
 * A file is put in the place of what stands at its path, so that may be a file only.
 *
 * @throws CommandError where it is a folder, a device or the like
 */
export function checkTarget(path: string): void {
  const found = kindOfPath(path);
  if (found.kind === 'file' || found.kind === 'missing') return;
  throw fileError(
    `${path}: cannot be written: it is ${nounOf(found)}`,
    found.kind === 'folder' ? 'name a file in it' : 'name a file; results go to standard output where -o is left out',
  );
}

/**
 * A folder to write into, there already or to be made.
 *
 * @throws CommandError where something else stands in its place
 */
export function checkTargetFolder(path: string): void {
  const found = kindOfPath(path);
  if (found.kind === 'folder' || found.kind === 'missing') return;
  throw fileError(`${path}: cannot be written into: it is ${nounOf(found)}`, 'name a folder');
}

/** Prints a long text whole or not at all: it is spooled to a temporary file first, since its making may fail. */
export async function printWhole(io: Io, chunks: Chunks): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'capfit-'));
  try {
    const spool = join(folder, 'out');
    await writeWhole(spool, chunks);
    for await (const text of createReadStream(spool, { encoding: 'utf8', highWaterMark: BATCH_CHARS }))
      await io.out(text as string);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeText(temporary: string, chunks: Chunks, isPacked: boolean): Promise<void> {
  const text = Readable.from(batched(typeof chunks === 'string' ? [chunks] : chunks));
  const file = createWriteStream(temporary);
  await (isPacked ? pipeline(text, createGzip(), file) : pipeline(text, file));
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

const BATCH_CHARS = 1 << 17;

/** Joins small chunks: a stream pays per chunk, and a run is a small one. */
export async function* batched(chunks: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let batch = '';
  for await (const chunk of chunks) {
    batch += chunk;
    if (batch.length < BATCH_CHARS) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}
