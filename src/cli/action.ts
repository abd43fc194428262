import type { Command } from 'commander';
import type { Io } from './io.js';
import type { RawOptions } from './options.js';

/** A command's work: what was typed, and the world; gives the exit code. */
export type Action = (runs: readonly string[], raw: RawOptions, io: Io) => Promise<number>;

/** Binds a command to its work, whose code is loaded only when the command is called. */
export type Act = (command: Command, load: () => Promise<Action>) => void;
