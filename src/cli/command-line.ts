import { type Command, CommanderError } from 'commander';
import { escapeTerminal } from '../report/escape.js';
import { CommandError, EXIT } from './errors.js';
import type { Io } from './io.js';
import { buildProgram, joinQuarantine } from './program.js';

const LONGEST_MESSAGE = 2000;

/** Carries out a command line; what is asked and what comes back as in `main`. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.done;
  const told = (code: number): void => {
    exitCode = code;
  };
  const program = buildProgram(io, told, argv[0]);
  try {
    await program.parseAsync(joinQuarantine(askedHelp(argv, program)), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommandError) {
      for (const { message, hint } of [error, ...error.others]) {
        io.err(`capfit: ${escapeTerminal(message, LONGEST_MESSAGE)}\n`);
        if (hint !== null) io.err(`  ${escapeTerminal(hint, LONGEST_MESSAGE)}\n`);
      }
      return error.exitCode;
    }
    // Commander has already printed its own message, help and version among them.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

/**
 * `help derve` as `derve`, which is answered with the nearest command: help on what does not exist would be that of the
 * whole program, as if nothing were wrong.
 */
function askedHelp(argv: readonly string[], { commands }: Command): readonly string[] {
  const [first, name, ...rest] = argv;
  if (first !== 'help' || name === undefined || name === 'help' || name.startsWith('-')) return argv;
  return commands.some((command) => command.name() === name) ? argv : [name, ...rest];
}
