import { usageError } from './errors.js';
import type { Io } from './io.js';
import { type Loaded, loadRuns } from './load.js';
import type { ReadOptions } from './options.js';

/**
 * Reads a second set of runs as the first is read.
 *
 * @throws CommandError where bad records are to be kept in one file: the second set would write over the first's
 */
export async function loadOtherRuns(typed: string, options: ReadOptions, io: Io): Promise<Loaded> {
  refuseQuarantine(options);
  return loadRuns([typed], options, io);
}

/** Two sets are read, and a quarantine file holds the bad records of one. */
export function refuseQuarantine({ quarantineFile }: ReadOptions): void {
  if (quarantineFile === null) return;
  throw usageError(
    '--on-error quarantine keeps the bad records of one set of runs, and this command reads two',
    'use --on-error skip, or capfit convert each set first',
  );
}
