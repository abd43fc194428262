import { rmSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPieces } from '../../src/cli/open.js';
import { put, scratchFolder } from './harness.js';

const folder = scratchFolder();

async function lengthOf(pieces: AsyncIterable<Uint8Array>, whileReading: () => void): Promise<number> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    whileReading();
  }
  return length;
}

test('pieces are all bytes from one place up to another', async () => {
  const file = openPieces(put(folder, 'all', 'x'.repeat(1_000_000)));
  expect(await lengthOf(file.pieces(0, Number.POSITIVE_INFINITY), () => undefined)).toBe(1_000_000);
  expect(await lengthOf(file.pieces(999_990, 999_995), () => undefined)).toBe(5);
  file.close();
});

test.each([
  ['all of it', 0, Number.POSITIVE_INFINITY],
  ['a block', 100, 900_000],
])('a file that becomes shorter while %s is read is told, not read in part', async (_, from, to) => {
  const path = put(folder, 'short', 'x\n'.repeat(500_000));
  const file = openPieces(path);
  await expect(lengthOf(file.pieces(from, to), () => truncateSync(path, 300_000))).rejects.toThrow(
    'the file became shorter while it was read',
  );
  file.close();
});

test('a file that is gone is told', async () => {
  const path = put(folder, 'gone', 'x');
  rmSync(path);
  await expect(lengthOf(openPieces(path).pieces(0, 1), () => undefined)).rejects.toThrow('cannot be read');
});
