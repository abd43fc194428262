import { SingleBar } from 'cli-progress';
import type { Progress } from '../engine/ask-clickhouse/progress.js';
import { numberText } from '../model/decimal-text.js';
import type { Io } from './io.js';

const SHOW_AFTER_MS = 1000;

/** What a server has read for a question, shown on standard error for work over a second, only on a terminal. */
export interface ServerProgress {
  see(progress: Progress): void;
  stop(): void;
}

/** @param now milliseconds; a test passes its own */
export function createServerProgress(
  { progress: stream }: Pick<Io, 'progress'>,
  quiet: boolean,
  now: () => number = () => performance.now(),
): ServerProgress {
  if (quiet || stream === null) return { see: () => undefined, stop: () => undefined };
  const started = now();
  let bar: SingleBar | null = null;
  return {
    see({ readRows, totalRows }) {
      if (bar === null && now() - started < SHOW_AFTER_MS) return;
      const total = Math.max(readRows, totalRows ?? readRows, 1);
      if (bar === null) {
        bar = new SingleBar({
          stream,
          format: (_options, _params, told: { line: string }) => told.line,
          clearOnComplete: true,
          gracefulExit: false,
          hideCursor: false,
        });
        bar.start(total, readRows, { line: lineOf(readRows, totalRows) });
      }
      bar.setTotal(total);
      bar.update(readRows, { line: lineOf(readRows, totalRows) });
    },
    stop: () => bar?.stop(),
  };
}

function lineOf(read: number, total: number | undefined): string {
  const of = total === undefined ? '' : ` of ${numberText(total)}`;
  return `the server has read ${numberText(read)}${of} rows`;
}
