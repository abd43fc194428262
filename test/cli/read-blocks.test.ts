import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BlockRequest } from '../../src/cli/block-messages.js';
import { blocksOf, lineStartIn } from '../../src/cli/file-blocks.js';
import { readBlocks } from '../../src/cli/read-blocks.js';
import { createRunTable } from '../../src/model/table.js';
import { put, scratchFolder } from './harness.js';

const folder = scratchFolder();
const record = (id: number): string =>
  `{"id":"run-${id}","status":"running","passes":[{"input_tokens":${id},"output_tokens":1}]}\n`;
const path = put(folder, 'runs.jsonl', Array.from({ length: 40 }, (_, id) => record(id)).join(''));

/** @param taken how many blocks somebody has taken already */
function requestOf(taken: number): BlockRequest {
  const next = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  Atomics.add(new Int32Array(next), 0, taken);
  const cuts = blocksOf(path, 2, lineStartIn);
  return { path, name: 'runs.jsonl', cuts, next, depth: 'calls', rowsUnder: null, share: null };
}

async function idsOf(request: BlockRequest, threads: number): Promise<(string[] | null)[]> {
  const blocks: (string[] | null)[] = [];
  for await (const read of readBlocks(request, threads)) {
    const table = createRunTable();
    if (read !== null) table.unpack(read.table, 0);
    blocks.push(read === null ? null : [...table].map(({ id }) => id));
  }
  return blocks;
}

test('the blocks of a file come in their order, each run once', async () => {
  const blocks = await idsOf(requestOf(0), 1);
  expect(blocks.length).toBeGreaterThan(4);
  expect(blocks.flat()).toEqual(Array.from({ length: 40 }, (_, id) => `run-${id}`));
});

test.runIf(existsSync('/proc/self/fd'))('the file is closed, however far it was read', async () => {
  const open = (): number => readdirSync('/proc/self/fd').filter((name) => opensPath(name)).length;
  for await (const _ of readBlocks(requestOf(0), 1)) expect(open()).toBe(1);
  expect(open()).toBe(0);
  for await (const _ of readBlocks(requestOf(0), 1)) break;
  expect(open()).toBe(0);
});

function opensPath(name: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${name}`) === path;
  } catch {
    return false;
  }
}

test('blocks whose thread was lost are left for whoever asked', async () => {
  const whole = await idsOf(requestOf(0), 1);
  expect(await idsOf(requestOf(2), 1)).toEqual([null, null, ...whole.slice(2)]);
  // No thread starts from TypeScript: this one ends before it has read anything.
  expect(await idsOf(requestOf(2), 2)).toEqual([null, null, ...whole.slice(2)]);
});
