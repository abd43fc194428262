import { TextDecoder } from 'node:util';
import zlib from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { numberText } from '../../model/decimal-text.js';
import { RecordError } from '../format.js';

/*
 * Zip archives, read by their central directory (yauzl), entry by entry. The packed entries are unpacked here, with
 * the sizes that the directory states as an upper bound that is held to: stored, deflate, and zstd (method 93).
 */

const MEGABYTE = 1024 * 1024;

/** The packed archive is held in memory whole, since its directory stands at its end. */
const LARGEST_ARCHIVE = 1024 * MEGABYTE;
/** One entry is one document in memory, as large as the largest single record that is read anywhere. */
const LARGEST_ENTRY = 256 * MEGABYTE;
/** All entries unpacked: ten thousand samples of 1.6 MB. Beyond it reading takes hours, which only a bomb wants. */
const LARGEST_TOTAL = 16 * 1024 * MEGABYTE;
/** Real logs pack 5 to 25 times, and histories that are resent in full up to about 100; deflate cannot pass 1,032. */
const LARGEST_RATIO = 500;
/** An entry unpacked to no more than this harms nobody, however well it packs. */
const HARMLESS = MEGABYTE;
/** The directory alone of more entries than this would fill the memory. */
const MOST_ENTRIES = 500_000;

const HINT_DAMAGED = 'copy the file again, whole';
const HINT_BOMB = 'if the archive is to be trusted, unpack it and read the JSON in it';

const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;

/** The files of a zip archive. */
export interface Archive {
  /** Names in the order in which they were first added. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The text of an entry; of several under one name the last, which supersedes the others. */
  read(name: string): Promise<string>;
}

/**
 * Opens an archive.
 *
 * @throws RecordError, here or when an entry is read, when it is damaged, cut short, or a bomb
 */
export async function openArchive(bytes: AsyncIterable<Uint8Array>): Promise<Archive> {
  const packed = await gather(bytes);
  const [zip, entries] = await directoryOf(packed);
  const total = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (total > LARGEST_TOTAL) {
    throw new RecordError(
      `the archive would unpack to ${megabytes(total)}, more than the ${megabytes(LARGEST_TOTAL)} that are read`,
      HINT_BOMB,
    );
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read: async (name) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new RecordError(`no ${name} in the archive`, HINT_DAMAGED);
      return textOf(await contentOf(zip, entry));
    },
  };
}

async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > LARGEST_ARCHIVE) {
      throw new RecordError(`the archive is larger than ${megabytes(LARGEST_ARCHIVE)}`, 'split it');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function directoryOf(packed: Buffer): Promise<[ZipFile, Map<string, Entry>]> {
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder('utf-8');
  const { fromBufferPromise } = await import('./zip-package.js');
  try {
    const zip = await fromBufferPromise(packed, { decodeStrings: false });
    if (zip.entryCount > MOST_ENTRIES) {
      throw new RecordError(`the archive has ${zip.entryCount} entries, more than ${MOST_ENTRIES}`, HINT_BOMB);
    }
    for await (const entry of zip.eachEntry()) entries.set(decoder.decode(entry.fileName), entry);
    return [zip, entries];
  } catch (error) {
    if (error instanceof RecordError) throw error;
    throw new RecordError(`the zip archive is damaged or cut short (${(error as Error).message})`, HINT_DAMAGED);
  }
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  refuseBomb(entry);
  let content: Uint8Array;
  try {
    const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    content = await unpacked(entry, Buffer.concat((await stream.toArray()) as Buffer[]));
  } catch (error) {
    if (error instanceof RecordError) throw error;
    throw new RecordError(`the packed data is damaged (${(error as Error).message})`, HINT_DAMAGED);
  }
  // Node has the checksum from 20.15 on.
  const isWhole = content.length === entry.uncompressedSize && (zlib.crc32?.(content) ?? entry.crc32) === entry.crc32;
  if (!isWhole) throw new RecordError('the packed data is damaged (size or checksum differ)', HINT_DAMAGED);
  return content;
}

function refuseBomb({ uncompressedSize, compressedSize }: Entry): void {
  if (uncompressedSize > LARGEST_ENTRY) {
    throw new RecordError(
      `it would unpack to ${megabytes(uncompressedSize)}, more than the ${megabytes(LARGEST_ENTRY)} that are read as one`,
      HINT_BOMB,
    );
  }
  if (uncompressedSize > HARMLESS && uncompressedSize > compressedSize * LARGEST_RATIO) {
    throw new RecordError(
      `it would unpack to more than ${LARGEST_RATIO} times its packed size, as a zip bomb does`,
      HINT_BOMB,
    );
  }
}

async function unpacked(entry: Entry, packed: Buffer): Promise<Uint8Array> {
  if (entry.isEncrypted()) throw new RecordError('it is encrypted', 'unpack the archive with its password first');
  const size = entry.uncompressedSize;
  switch (entry.compressionMethod) {
    case STORED:
      return packed;
    case DEFLATED:
      return zlib.inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    case ZSTD: {
      const { unzstd } = await import('./zstd-frames.js');
      return unzstd(packed, size);
    }
    default:
      throw new RecordError(
        `it is packed with method ${entry.compressionMethod}, which is not known`,
        'pack the archive again with deflate or zstd',
      );
  }
}

function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new RecordError('it is not UTF-8 text', 'was it written by Inspect?');
  }
}

function megabytes(bytes: number): string {
  return `${numberText(Math.round(bytes / MEGABYTE))} MB`;
}
