import { valuesIn } from './growing.js';
import type { Place } from './problem.js';
import type { PackedRuns } from './run-columns.js';

/**
 * The id and the place of each packed run, in their order.
 *
 * @param lines how many lines of their file come before theirs
 */
export function* placesIn(
  { ids, idLengths, words, columns }: PackedRuns,
  lines: number,
): Generator<readonly [id: string, place: Place]> {
  const [, , , , files, ownLines] = columns;
  const fileCodes = valuesIn(files);
  const lineNumbers = valuesIn(ownLines);
  let start = 0;
  for (const length of idLengths) {
    const file = words[fileCodes.next().value as number] as string;
    const line = lineNumbers.next().value as number | null;
    yield [ids.slice(start, start + length), { file, line: line === null ? null : lines + line }];
    start += length;
  }
}
