/** Everything a command may touch of the terminal and the environment; a test passes its own. */
export interface Io {
  /** Writes results; settles when the reader has room for more. */
  readonly out: (text: string) => Promise<void> | void;
  /** Writes everything else: problems, warnings, progress. */
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Columns of the terminal, or the width to assume where results are piped. */
  readonly columns: number;
  /** Whether results go to a terminal. */
  readonly isTerminal: boolean;
  /** Whether they may be coloured there. */
  readonly color: boolean;
  /** Whether reports are to be laid out as GitHub's Markdown instead of for a terminal. */
  readonly markdown?: boolean;
  /** The stream for a progress bar, `null` where standard error is no terminal. */
  readonly progress: NodeJS.WriteStream | null;
  /** Where servers are named, and how they let one in. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Today, in UTC, as YYYY-MM-DD. */
  readonly today: () => string;
}

const PIPED_WIDTH = 100;
const NARROWEST = 40;
const WIDEST = 1000;

/** Columns to print in; what says nothing of use counts as a pipe. */
export function widthOf(columns: number): number {
  return columns > 0 ? Math.min(WIDEST, Math.max(NARROWEST, Math.floor(columns))) : PIPED_WIDTH;
}

/** The real world. */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  // A reader that goes away (head, less) is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    stderr.write(`capfit: the output cannot be written (${error.message})\n`);
    process.exit(3);
  });
  return {
    out: (text) => (stdout.write(text) ? undefined : new Promise((resolve) => stdout.once('drain', resolve))),
    err: (text) => void stderr.write(text),
    // Opened where it is read, which takes 2 ms and Node's network.
    stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
    columns: widthOf(stdout.isTTY ? stdout.columns : Number(env.COLUMNS)),
    isTerminal: stdout.isTTY === true,
    color: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    env,
    progress: stderr.isTTY === true ? stderr : null,
    today: () => new Date().toISOString().slice(0, 10),
  };
}
