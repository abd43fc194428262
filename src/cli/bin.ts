#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { namedBytes, startThreads } from './threads.js';

/** Below this the heap stays small by itself. */
const LARGE = 16_000_000;
const HUGE = 1_000_000_000;

/** Carries out what was typed. */
async function run(argv: readonly string[]): Promise<void> {
  // The heap is collected before it grows by much: replaying 368 MB of records then peaks at 160 MB instead of 220, in
  // the same time. Of gigabytes, nearly all memory is columns, and it only costs: 7.9 s in place of 6.1 for 3.7 GB; of a
  // small file, it costs 15 ms of 200.
  const bytes = namedBytes(argv);
  if (bytes >= LARGE && bytes < HUGE) setFlagsFromString('--optimize-for-size');
  startThreads(argv);

  // Loaded when the threads are on their way.
  const { processIo } = await import('./io.js');
  const { main } = await import('./main.js');
  process.exitCode = await main(argv, processIo());
}

void run(process.argv.slice(2));
