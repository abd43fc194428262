#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { startThreads } from './threads.js';

// The heap is collected before it grows by much: deriving from 368 MB of records then peaks at 155 MB instead of 200, for
// a quarter more processor time; without it a large input may be held twice over as garbage on a busy machine.
setFlagsFromString('--optimize-for-size');

const argv = process.argv.slice(2);
startThreads(argv);

// Loaded when the threads are on their way.
const { processIo } = await import('./io.js');
const { main } = await import('./main.js');
process.exitCode = await main(argv, processIo());
