import { CLIENT, EngineError } from '../duckdb.js';

/** What the database says when it cannot go on, and what to do then; the first that fits. */
const HINTS: readonly (readonly [said: RegExp, hint: string])[] = [
  [
    /No space left|max_temp_directory_size|disk is full/i,
    'the disk of the folder for temporary files is full: free some space, or set TMPDIR to a folder on a larger disk',
  ],
  [/Out of Memory/i, 'give the database more memory with --engine-memory, for instance --engine-memory 4GB'],
  [/memory_limit|parse.*memory/i, 'say how much memory as 500MB or 4GB'],
  [
    /could not set lock|Cannot open file|Permission denied|Read-only/i,
    'may the file be read, and the folder be written to?',
  ],
  [/No files found/i, 'is the name right?'],
  [
    /HTTP|\bS3\b|secret|credential/i,
    "is the address right? Credentials are DuckDB's own: see CREATE PERSISTENT SECRET in its documentation",
  ],
];

/** The same fault with what to do about it, as the question knows and the database does not. */
export function askedOf(error: EngineError): EngineError {
  if (error.isMissing) return error;
  const [, extension] = /extension '(\w+)'/i.exec(error.message) ?? [];
  if (extension !== undefined) return missingExtension(extension);
  const found = HINTS.find(([said]) => said.test(error.message));
  return new EngineError(error.message, found?.[1] ?? error.hint);
}

/** Extensions are never fetched because a path seems to ask for one. */
function missingExtension(name: string): EngineError {
  const [, release = ''] = /@([\d.]+)/.exec(CLIENT.slice(1)) ?? [];
  return new EngineError(
    `reading from there takes DuckDB's extension ${name}, which is not installed`,
    `install it once with DuckDB's own program of release ${release}: duckdb -c 'INSTALL ${name}'`,
  );
}
