import type { Io } from './io.js';
import { version } from './version.js';

const VERSION_FLAGS: readonly (string | undefined)[] = ['--version', '-V'];

/**
 * The whole program as a function of its arguments and the world it may touch.
 *
 * @param argv the arguments after the program's name
 * @returns the exit code: 0 done, 1 the answer is no, 2 wrong usage, 3 a file could not be read
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  // Answered without the commands and their flags, whose loading takes as long again as starting Node.
  if (argv.length === 1 && VERSION_FLAGS.includes(argv[0])) {
    await io.out(`${version()}\n`);
    return 0;
  }
  if (argv.length === 0) {
    const { tellWhatNext } = await import('./what-next.js');
    return tellWhatNext(io);
  }
  const { runCommandLine } = await import('./command-line.js');
  return runCommandLine(argv, io);
}
