import type { Problem } from '../model/problem.js';

/** What was read beside the runs; complete once the runs have been iterated to the end. */
export interface IngestSummary {
  /** Records read, before any filter. */
  records: number;
  /** Bad records that were left out; their advice is complete once the reading has come to its end. */
  problems: Problem[];
  /** Files of folders and globs that no reader recognises. */
  readonly unrecognised: string[];
  /** Logs of runs that another input gives: those in the folder of a Harbor trial. Not counted once more. */
  readonly companions: string[];
  /** Files read, with the format each was recognised as. */
  readonly files: { readonly path: string; readonly format: string }[];
  /** Whether the inputs were read to their end. */
  isComplete: boolean;
}
