import { nameOfFile, nameOfFolder } from '../formats/file-name.js';
import { problem } from '../formats/format.js';
import { writeRecord } from '../formats/record-writer.js';
import { formatPlace, type Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { Places } from './places.js';

/** An id that is unique in its file only, told apart by the file's name where another file has it too. */
export function idOverAll(run: Run, places: Places): string {
  const first = places.get(run.id);
  if (first === null || first.file === run.origin.file) return run.id;
  const file = [nameOfFolder(run.origin.file), nameOfFile(run.origin.file)].filter((part) => part !== null).join('/');
  const base = `${file}/${run.id}`;
  let id = base;
  const isTaken = (): boolean => ![undefined, run.origin.file].includes(places.get(id)?.file);
  for (let copy = 2; isTaken(); copy++) id = `${base} (${copy})`;
  return id;
}

/** A run id seen twice is a bad record that names both places; the first one is kept. */
export function repeatedId(run: Run, places: Places): Problem | null {
  const first = places.claim(run.id, run.origin.file, run.origin.line);
  if (first === null) return null;
  return problem(
    run.origin.file,
    run.origin.line,
    writeRecord(run),
    `run id ${JSON.stringify(run.id)} was already read at ${formatPlace(first)}`,
    'give every run an id of its own, or name each file once',
  );
}
