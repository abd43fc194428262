import type { Depth } from '../model/depth.js';
import type { PackedTable } from '../model/table.js';

/** What a thread is told to read of a file: whichever block is next, until none is left. */
export interface BlockRequest {
  readonly path: string;
  /** The file as the user named it. */
  readonly name: string;
  /** Where each block begins, and behind them the size of the file. */
  readonly cuts: Float64Array;
  /** The number of the block that nobody has taken yet, shared by all threads. */
  readonly next: SharedArrayBuffer;
  readonly depth: Depth;
  /** The head of a file of pass rows, to be read by the quick reader alone; `null`: the file holds run records. */
  readonly rowsUnder: Uint8Array | null;
  /** Where the bytes that were read are counted; `null`: nobody looks. */
  readonly share: SharedArrayBuffer | null;
}

/** What was read of a block; `null` instead where something is to be told of it. */
export interface BlockRead {
  readonly table: PackedTable;
  /** Of the ids of its runs. */
  readonly hashes: Int32Array;
  /** Lines in the block. */
  readonly lines: number;
  /** The number of the line before its first one, as the table counts them. */
  readonly linesBefore: number;
  /** What share of the file it is. */
  readonly part: number;
}

/** What a thread answers for each block. */
export interface BlockMessage {
  readonly block: number;
  readonly read: BlockRead | null;
}

/** The memory of all typed arrays in a message, to be handed over instead of copied. */
export function buffersIn(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.push(value.buffer as ArrayBuffer);
  else if (Array.isArray(value)) {
    // Lists of texts and numbers, which are long, hold no arrays.
    if (typeof value[0] === 'object') for (const each of value) buffersIn(each, found);
  } else if (value !== null && typeof value === 'object')
    for (const each of Object.values(value)) buffersIn(each, found);
  return found;
}
