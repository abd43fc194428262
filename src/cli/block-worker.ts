import { parentPort } from 'node:worker_threads';
import { type BlockRequest, buffersIn } from './block-messages.js';
import { openBlockReader } from './block-reader.js';

/* A thread that reads blocks of a file beside the main one, until none is left. */

parentPort?.once('message', (request: BlockRequest) => {
  const reader = openBlockReader(request);
  for (let message = reader.next(); message !== null; message = reader.next()) {
    parentPort?.postMessage(message, buffersIn(message));
  }
  reader.close();
});
