import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Neighbours, Source } from '../formats/format.js';
import { fileBytes, openBytes } from './open.js';

/**
 * The files around an input on disk.
 *
 * @param path the input as the user named it
 * @param inputs all inputs, as absolute paths
 * @param formatOf what sources are given as such
 */
export function neighboursOf(
  path: string,
  inputs: ReadonlySet<string>,
  formatOf: Source['formatOf'] = undefined,
): Neighbours {
  const at = (relative: string): string => join(dirname(path), relative);
  return {
    open: (relative) => openFile(at(relative), inputs, formatOf),
    list: async (folder) => {
      const entries = await readdir(at(folder), { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort();
    },
    isInput: (relative) => inputs.has(resolve(at(relative))),
  };
}

/** A file as a source, or `null` when it is no file. */
async function openFile(
  path: string,
  inputs: ReadonlySet<string>,
  formatOf: Source['formatOf'],
): Promise<Source | null> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return null;
  const { head, bytes } = await openBytes(fileBytes(path));
  return {
    name: path,
    head,
    bytes,
    around: neighboursOf(path, inputs, formatOf),
    ...(formatOf === undefined ? {} : { formatOf }),
  };
}
