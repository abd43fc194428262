import { valuesIn } from './growing.js';
import type { PackedRuns } from './run-columns.js';

/**
 * The file and the line of each packed run, in their order.
 *
 * @param lines how many lines of their file come before theirs
 */
export function* placesIn(
  { files, file, line }: PackedRuns,
  lines: number,
): Generator<readonly [file: string, line: number | null]> {
  const numbers = valuesIn(line);
  for (const code of valuesIn(file)) {
    const own = numbers.next().value as number | null;
    yield [files[code as number] as string, own === null ? null : lines + own];
  }
}
