import { parentPort, workerData } from 'node:worker_threads';
import { type BlockRequest, buffersIn } from './block-messages.js';
import { openBlockReader } from './block-reader.js';

/* A thread that reads blocks of a file beside the main one, until none is left. */

const readNext = openBlockReader(workerData as BlockRequest);
for (let message = await readNext(); message !== null; message = await readNext()) {
  parentPort?.postMessage(message, buffersIn(message));
}
