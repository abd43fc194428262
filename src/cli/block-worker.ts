import { parentPort } from 'node:worker_threads';
import { type BlockRequest, buffersIn } from './block-messages.js';
import { openBlockReader } from './block-reader.js';

/* A thread that reads blocks of a file beside the main one, until none is left. */

parentPort?.once('message', async (request: BlockRequest) => {
  const readNext = openBlockReader(request);
  for (let message = await readNext(); message !== null; message = await readNext()) {
    parentPort?.postMessage(message, buffersIn(message));
  }
});
