import { statSync } from 'node:fs';
import type { SingleBar } from 'cli-progress';
import type { Io } from './io.js';
import { type Amount, progressLine } from './progress-line.js';
import { countedIn, createShare } from './shared-count.js';
import { createSpeed } from './speed.js';

/** Bytes read against bytes expected, shown on standard error for work over a second, only on a terminal. */
export interface Progress {
  expect(paths: readonly string[]): void;
  /** One reading of a file, or of a part of one. */
  reading(): Reading;
  stop(): void;
}

/** Bytes that were read once; a reading in vain is dropped, so that what is read again does not count twice. */
export interface Reading {
  watch(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** A counter for another thread to add to; `null` where nothing is shown. */
  share(): SharedArrayBuffer | null;
  /** Counts what was read so far no more, until the function that comes back is called. */
  drop(): () => void;
}

const SHOW_AFTER_MS = 1000;
const REDRAW_MS = 100;

/** What a progress needs of the world. */
export interface ProgressWorld extends Pick<Io, 'progress'> {
  /** Milliseconds; a test passes its own. */
  readonly now?: () => number;
}

/** A progress bar, or one that never shows where standard error is no terminal. */
export function createProgress({ progress, now = () => performance.now() }: ProgressWorld, quiet: boolean): Progress {
  return quiet || progress === null ? createHidden() : createShown(progress, now);
}

function createHidden(): Progress {
  const reading: Reading = { watch: (bytes) => bytes, share: () => null, drop: () => () => undefined };
  return { expect: () => undefined, reading: () => reading, stop: () => undefined };
}

function createShown(stream: NodeJS.WriteStream, now: () => number): Progress {
  const started = now();
  const speed = createSpeed();
  const shares = new Set<SharedArrayBuffer>();
  let [total, here] = [0, 0];
  let bar: SingleBar | null = null;
  let isStopped = false;
  const amount = (): Amount => {
    const done = [...shares].reduce((sum, share) => sum + countedIn(share), here);
    return { done, total, perSecond: speed.at(now(), done) };
  };
  const show = async (): Promise<void> => {
    const told = amount();
    if (bar !== null) return bar.update(told.done, told);
    if (now() - started < SHOW_AFTER_MS) return;
    const { SingleBar: Bar } = await import('./bar-package.js');
    if (bar !== null || isStopped) return;
    bar = new Bar({
      stream,
      format: (_options, _params, payload: Amount) => progressLine(payload, stream.columns ?? 0),
      clearOnComplete: true,
      // Nothing about the terminal is changed, so that nothing stays changed where the program is interrupted.
      gracefulExit: false,
      hideCursor: false,
      linewrap: true,
    });
    bar.start(Math.max(1, total), told.done, told);
  };
  // Where other threads read, no bytes pass here that could move the bar.
  const timer = setInterval(() => void show(), REDRAW_MS);
  timer.unref();
  return {
    expect(paths) {
      total = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
    },
    reading() {
      const own = new Set<SharedArrayBuffer>();
      let read = 0;
      let isCounted = true;
      return {
        async *watch(bytes) {
          for await (const chunk of bytes) {
            read += chunk.length;
            if (isCounted) here += chunk.length;
            await show();
            yield chunk;
          }
        },
        share() {
          const share = createShare();
          own.add(share);
          shares.add(share);
          return share;
        },
        drop() {
          if (isCounted) here -= read;
          isCounted = false;
          for (const share of own) shares.delete(share);
          return () => {
            here += read;
            isCounted = true;
          };
        },
      };
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      bar?.stop();
    },
  };
}
