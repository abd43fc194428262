import { setImmediate } from 'node:timers/promises';
import type { BlockMessage, BlockRead, BlockRequest } from './block-messages.js';
import { openBlockReader } from './block-reader.js';
import { isGone, takeThread } from './threads.js';

/**
 * What was read of each block of a file, in their order, by so many threads, of which this is one; `null`: something is to
 * be told of the block, or its thread was lost.
 */
export async function* readBlocks(request: BlockRequest, threads: number): AsyncGenerator<BlockRead | null> {
  const blocks = request.cuts.length - 1;
  const done = new Map<number, BlockRead | null>();
  const others = Array.from({ length: Math.min(threads, blocks) - 1 }, () => openThread(request, done));
  const reader = openBlockReader(request);
  const readOrWait = async (): Promise<boolean> => {
    const own = reader.next();
    if (own !== null) {
      done.set(own.block, own.read);
      // What others have read comes in between.
      await setImmediate();
      return true;
    }
    const waiting = others.filter(({ hasEnded }) => !hasEnded());
    if (waiting.length === 0) return false;
    await Promise.race(waiting.map(({ next }) => next()));
    return true;
  };
  try {
    for (let block = 0; block < blocks; block++) {
      while (!done.has(block) && (await readOrWait()));
      yield done.get(block) ?? null;
      done.delete(block);
    }
  } finally {
    reader.close();
    // No block is left to take, and so the threads end by themselves: to end them from here has left a process hanging.
    Atomics.store(new Int32Array(request.next), 0, blocks);
  }
}

interface Thread {
  /** Resolves when it has answered once more, or has ended. */
  next(): Promise<void>;
  hasEnded(): boolean;
}

function openThread(request: BlockRequest, done: Map<number, BlockRead | null>): Thread {
  const worker = takeThread();
  worker.postMessage(request);
  let isEnded = isGone(worker);
  let wake = (): void => undefined;
  worker.on('message', ({ block, read }: BlockMessage) => {
    done.set(block, read);
    wake();
  });
  const end = (): void => {
    isEnded = true;
    wake();
  };
  worker.once('error', end);
  worker.once('exit', end);
  return {
    next: () => new Promise((resolve) => (wake = resolve)),
    hasEnded: () => isEnded,
  };
}
