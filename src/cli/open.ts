import { closeSync, fstatSync, open, openSync, read, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ByteSource } from '../formats/format.js';
import { StreamFault } from './fault.js';
import { unzstd } from './zstd.js';

/** The decompressed bytes of an input, and its first ones to tell the format by. */
export interface Opened {
  readonly head: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether they had to be decompressed. */
  readonly isPacked: boolean;
}

const HEAD_BYTES = 65_536;
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * Opens raw bytes, decompressing gzip and zstd by their magic numbers whatever the file is called.
 *
 * @throws StreamFault, here or while iterating, when the bytes cannot be read or decompressed
 */
export async function openBytes(raw: AsyncIterable<Uint8Array>): Promise<Opened> {
  let packed = 0;
  const first = await peek(
    counted(faultsNamed(raw), (bytes) => (packed += bytes)),
    ZSTD.length,
  );
  const unpack = startsWith(first.head, GZIP) ? gunzip : startsWith(first.head, ZSTD) ? unzstd : null;
  if (unpack === null) return { ...(await peek(first.bytes, HEAD_BYTES)), isPacked: false };
  let unpacked = 0;
  const plain = counted(unpack(first.bytes), (bytes) => {
    unpacked += bytes;
    if (unpacked > TRUSTED_BYTES && unpacked > LARGEST_RATIO * packed) throw bomb();
  });
  return { ...(await peek(faultsNamed(plain), HEAD_BYTES)), isPacked: true };
}

/** No recording packs better than this; what does is made to fill a disk or a memory. */
const LARGEST_RATIO = 500;
/** Up to here any ratio is harmless. */
const TRUSTED_BYTES = 100_000_000;

function bomb(): StreamFault {
  return new StreamFault(
    `the file unpacks to more than ${LARGEST_RATIO} times its size`,
    'it looks made to fill the memory; unpack it yourself if it is what you expect',
  );
}

async function* counted(bytes: AsyncIterable<Uint8Array>, count: (length: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    count(chunk.length);
    yield chunk;
  }
}

/** A file that is read piece by piece. */
export interface PieceFile {
  /**
   * The bytes from one place up to another, in pieces that lie in the same memory one after the other: each is gone when
   * the next one is asked for. A stream takes new memory for every piece, which costs a fifth of all reading.
   */
  pieces(from: number, to: number): AsyncIterable<Uint8Array>;
  /** The same bytes, put wherever they are asked for. */
  source(from: number, to: number): ByteSource;
  close(): void;
}

/** @throws StreamFault when it is opened or read, where that cannot be done */
export function openPieces(path: string): PieceFile {
  let piece: Buffer | null = null;
  let file: number | null = null;
  let size = 0;
  const readInto = (target: Uint8Array, at: number, to: number): number => {
    try {
      if (file === null) {
        file = openSync(path, 'r');
        size = fstatSync(file).size;
      }
      const length = readSync(file, target, 0, Math.min(target.length, to - at), at);
      // A file may grow while it is read; what is gone would be missing without a word.
      if (length === 0 && at < Math.min(to, size)) throw cutShort();
      return length;
    } catch (error) {
      throw faultOf(error);
    }
  };
  return {
    async *pieces(from, to) {
      piece ??= Buffer.allocUnsafeSlow(PIECE);
      for (let at = from; at < to; ) {
        const length = readInto(piece, at, to);
        if (length === 0) return;
        at += length;
        yield piece.subarray(0, length);
      }
    },
    source(from, to) {
      let at = from;
      return {
        read(target) {
          const length = at < to ? readInto(target, at, to) : 0;
          at += length;
          return length;
        },
      };
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function cutShort(): StreamFault {
  return new StreamFault('the file became shorter while it was read', 'read it again once nothing writes to it');
}

/** So many bytes are read at a time. */
const PIECE = 1 << 18;

/** Every piece of a stream goes through a few hands, one of which waits for the others. */
const STREAMED = 1 << 20;

/**
 * The raw bytes of a file, the head by itself: our own readers want no more of them here. Node's own stream of a file
 * takes 3 ms to load.
 */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await settled<number>((done) => open(path, 'r', done));
  try {
    for (let size = HEAD_BYTES; ; size = STREAMED) {
      const piece = Buffer.allocUnsafeSlow(size);
      const length = await settled<number>((done) => read(file, piece, 0, size, null, done));
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** What an asynchronous call of the file system comes to. */
function settled<Value>(start: (done: (error: Error | null, value: Value) => void) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  const source = Readable.from(bytes, { objectMode: false });
  source.on('error', (error) => unzip.destroy(error));
  yield* source.pipe(unzip) as AsyncIterable<Uint8Array>;
}

/** Looks at the first bytes without losing them. */
async function peek(bytes: AsyncIterable<Uint8Array>, wanted: number): Promise<Omit<Opened, 'isPacked'>> {
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < wanted) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(chunks).subarray(0, wanted), bytes: rejoined(chunks, iterator) };
}

/** The chunks that were looked at, then the rest. Giving it up early gives up what is behind it, read or not. */
function rejoined(chunks: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const chunk = chunks.shift();
      return chunk === undefined ? rest.next() : { value: chunk, done: false };
    },
    async return() {
      chunks.length = 0;
      await rest.return?.();
      return { value: undefined, done: true };
    },
  };
}

/** Gives the system's and the decompressors' errors words that say what to do. */
async function* faultsNamed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw faultOf(error);
  }
}

/** Why a file cannot be read, in words that say what to do. */
export function faultOf(error: unknown): StreamFault {
  if (error instanceof StreamFault) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'Z_BUF_ERROR':
      return new StreamFault('the gzip data ends early: the file was cut short', 'copy the file again, whole');
    case 'Z_DATA_ERROR':
      return new StreamFault(
        `the gzip data is damaged (${message})`,
        'copy the file again, or unpack it with gzip to see how far it is good',
      );
    case 'EACCES':
    case 'EPERM':
      return new StreamFault('the file may not be read', 'change its permissions, or run as a user who may read it');
    case 'EISDIR':
      return new StreamFault('this is a folder', 'name the files in it');
    default:
      return new StreamFault(`the file cannot be read (${message})`, 'check the file');
  }
}
