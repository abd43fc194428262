import { csvPasses } from '../formats/csv/csv.js';
import { ALONE, type ByteSource, isProblem, type Source } from '../formats/format.js';
import { jsonl } from '../formats/jsonl.js';
import { hashesOf } from '../model/id-column.js';
import { createRunTable, type RunTable } from '../model/table.js';
import type { BlockMessage, BlockRead, BlockRequest } from './block-messages.js';
import { openPieces, type PieceFile } from './open.js';
import { addTo } from './shared-count.js';

/*
 * What every thread does that reads a file. A block only ever becomes a table of good runs: whatever is to be told of it
 * is for the main thread to find when it reads that block once more.
 */

export interface BlockReader {
  /** Reads the block that nobody has taken yet; `null`: there is none. */
  next(): BlockMessage | null;
  close(): void;
}

class NotPlain extends Error {}

/** One table, and one reader that fills it, for all blocks: memory taken anew for each costs as much as reading it. */
export function openBlockReader(request: BlockRequest): BlockReader {
  const { cuts, next, rowsUnder } = request;
  const table = createRunTable(request.depth);
  const file = openPieces(request.path);
  const bytes: BlockBytes = (block) => blockBytes(file, request, block);
  const read = rowsUnder === null ? recordReader(request, table, bytes) : rowReader(request, table, bytes, rowsUnder);
  const readBlock = (block: number): BlockRead | null => {
    let lines: number | null = null;
    try {
      lines = read(block);
    } catch (error) {
      if (!(error instanceof NotPlain)) throw error;
    }
    // What was read in vain leaves the table, too.
    const packed = table.pack();
    if (lines === null) return null;
    const hashes = hashesOf(packed.rows.ids);
    const part = ((cuts[block + 1] as number) - (cuts[block] as number)) / (cuts.at(-1) as number);
    return { table: packed, hashes, lines, linesBefore: rowsUnder === null ? linesBefore(block) : 0, part };
  };
  return {
    next() {
      const block = Atomics.add(new Int32Array(next), 0, 1);
      return block < cuts.length - 1 ? { block, read: readBlock(block) } : null;
    },
    close: file.close,
  };
}

/** Only the first line of a file may begin with a byte-order mark, so that no other block has a line 1. */
function linesBefore(block: number): number {
  return block === 0 ? 0 : 1;
}

/** Gives how many lines a block has, `null` where something is to be told of it. */
type Read = (block: number) => number | null;

type BlockBytes = (block: number) => ByteSource;

function recordReader(request: BlockRequest, table: RunTable, bytes: BlockBytes): Read {
  const reader = jsonl.openLines?.(request.name, {
    depth: request.depth,
    asksForWhole: false,
    codeForTool: (tool) => table.codeForTool(tool),
    batch(batch) {
      table.addBatch(batch);
      return batch.runs;
    },
    item(item) {
      if (isProblem(item)) throw new NotPlain();
      table.add(item);
    },
  });
  return (block) => reader?.readNow(bytes(block), linesBefore(block)) ?? null;
}

function rowReader(request: BlockRequest, table: RunTable, bytes: BlockBytes, head: Uint8Array): Read {
  const source: Source = { name: request.name, head, bytes: NOTHING, around: ALONE };
  const reader = csvPasses.plain?.open(source, table, request.depth);
  return (block) => reader?.read(bytes(block), block === 0) ?? null;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
const NOTHING = nothing();

/** The bytes of a block, counted for the thread that shows how far all are. */
function blockBytes(file: PieceFile, { cuts, share }: BlockRequest, block: number): ByteSource {
  const source = file.source(cuts[block] as number, cuts[block + 1] as number);
  return {
    read(target) {
      const length = source.read(target);
      if (share !== null) addTo(share, length);
      return length;
    },
  };
}
