import { parentPort } from 'node:worker_threads';
import { type BlockRequest, buffersIn } from './block-messages.js';
import { openBlockReader } from './block-reader.js';

/* A thread that reads blocks of a file beside the main one, until none is left. */

parentPort?.once('message', async (request: BlockRequest) => {
  const reader = openBlockReader(request);
  for (let message = await reader.next(); message !== null; message = await reader.next()) {
    parentPort?.postMessage(message, buffersIn(message));
  }
  reader.close();
});
