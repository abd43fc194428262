#!/usr/bin/env node
import { startThreads } from './threads.js';

/** Carries out what was typed. */
async function run(argv: readonly string[]): Promise<void> {
  startThreads(argv);
  // Loaded when the threads are on their way.
  const { processIo } = await import('./io.js');
  const { main } = await import('./main.js');
  process.exitCode = await main(argv, processIo());
}

void run(process.argv.slice(2));
