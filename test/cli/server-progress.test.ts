import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createServerProgress } from '../../src/cli/server-progress.js';

/** A terminal of 80 columns that keeps what is written to it. */
function terminal(): { stream: NodeJS.WriteStream; text(): string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  });
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

describe('the progress of a server', () => {
  test('is shown after a second, with all its rows where the server tells them', () => {
    const { stream, text } = terminal();
    let now = 0;
    const progress = createServerProgress({ progress: stream }, false, () => now);
    progress.see({ readRows: 10, totalRows: 2_000_000 });
    expect(text()).toBe('');
    now = 1001;
    progress.see({ readRows: 1_500_000, totalRows: 2_000_000 });
    progress.stop();
    expect(text()).toContain('the server has read 1,500,000 of 2,000,000 rows');
  });

  test('is shown to nobody who asked for quiet, or who is no terminal', () => {
    const { stream, text } = terminal();
    for (const progress of [
      createServerProgress({ progress: stream }, true, () => 1e9),
      createServerProgress({ progress: null }, false, () => 1e9),
    ]) {
      progress.see({ readRows: 1 });
      progress.stop();
    }
    expect(text()).toBe('');
  });
});
