import { formatPlace, type Problem } from '../model/problem.js';

/** Exit codes: what a script can decide on. */
export const EXIT = { done: 0, no: 1, usage: 2, unreadable: 3 } as const;

/** An end of a command that the user must hear of: what, what to do, and the exit code. */
export class CommandError extends Error {
  readonly hint: string | null;
  readonly exitCode: number;
  /** Other faults of the same file, each with what to do. */
  readonly others: readonly { readonly message: string; readonly hint: string }[];

  constructor(message: string, hint: string | null, exitCode: number, others: CommandError['others'] = []) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
    this.others = others;
  }
}

/** The command line cannot be carried out as it stands. */
export function usageError(message: string, hint: string | null = null): CommandError {
  return new CommandError(message, hint, EXIT.usage);
}

/** A file could not be read, or written. */
export function fileError(message: string, hint: string | null = null): CommandError {
  return new CommandError(message, hint, EXIT.unreadable);
}

/** The first bad record ends the command. */
export function badRecord(problem: Problem): CommandError {
  return fileError(`${formatPlace(problem.place)}: ${problem.reason}`, problem.hint);
}
