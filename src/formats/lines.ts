import { TextDecoder } from 'node:util';

/** One line of a text input, with its number from 1: its bytes decoded, or why they could not be. */
export type Line =
  | { readonly text: string; readonly number: number; readonly fault: null }
  | { readonly text: null; readonly number: number; readonly fault: LineFault };

export interface LineFault {
  readonly reason: string;
  readonly hint: string;
}

export const NOT_UTF8: LineFault = { reason: 'the line is not UTF-8 text', hint: 'save the file as UTF-8' };
const TOO_LONG: LineFault = {
  reason: 'the line is longer than 256 MB',
  hint: 'is this one record a line? Split it, or record digests in place of large contents',
};

/** One line in memory: beyond this it is passed over, and told. */
const LONGEST_LINE = 256 * 1024 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';

/** One line of a chunk as bytes, without its line end. Valid until the next line is asked for. */
export interface RawLine {
  readonly buffer: Buffer;
  readonly from: number;
  readonly to: number;
  readonly number: number;
  /** Longer than any line may be: its bytes are not there. */
  readonly isTooLong: boolean;
}

/** Cuts chunks of bytes into lines at `\n` only, however they are cut into chunks. An empty last line is no line. */
export interface LineSplitter {
  push(chunk: Uint8Array, take: (line: RawLine) => void): void;
  end(take: (line: RawLine) => void): void;
  /** How many lines there were. */
  count(): number;
}

/** @param linesBefore lines of the same file that come before the first chunk */
export function createLineSplitter(linesBefore = 0, longest: number = LONGEST_LINE): LineSplitter {
  let number = linesBefore;
  let parts: Uint8Array[] = [];
  let length = 0;
  const hold = (part: Uint8Array): void => {
    length += part.length;
    // One more than the longest, which is the line end. A copy: the chunk may be written over.
    if (length <= longest + 1) parts.push(new Uint8Array(part));
    else parts = [];
  };
  /** The line whose parts are held, the last of them with the line end. */
  const held = (): RawLine => {
    const isTooLong = length - 1 > longest;
    const buffer = isTooLong ? Buffer.from('\n') : Buffer.concat(parts);
    parts = [];
    length = 0;
    number++;
    return { buffer, from: 0, to: buffer.length - 1, number, isTooLong };
  };
  return {
    push(chunk, take) {
      let start = 0;
      if (length > 0) {
        const end = chunk.indexOf(NEWLINE);
        hold(end === -1 ? chunk : chunk.subarray(0, end + 1));
        if (end === -1) return;
        take(held());
        start = end + 1;
      }
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      for (let end = chunk.indexOf(NEWLINE, start); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        number++;
        const isTooLong = end - start > longest;
        take({ buffer, from: start, to: end, number, isTooLong });
        start = end + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
    },
    end(take) {
      if (length === 0) return;
      hold(Uint8Array.of(NEWLINE));
      take(held());
    },
    count: () => number - linesBefore,
  };
}

/**
 * The lines of a text. A `\r` before the line end is dropped, and a byte-order mark at the very start.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, longest: number = LONGEST_LINE): AsyncGenerator<Line> {
  const splitter = createLineSplitter(0, longest);
  const decode = createLineDecoder();
  let lines: Line[] = [];
  const take = (line: RawLine): void => {
    lines.push(decode(line));
  };
  for await (const chunk of bytes) {
    splitter.push(chunk, take);
    yield* lines;
    lines = [];
  }
  splitter.end(take);
  yield* lines;
}

/** Makes lines of text of lines of bytes. */
export function createLineDecoder(): (line: RawLine) => Line {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return ({ buffer, from, to, number, isTooLong }) => {
    if (isTooLong) return { text: null, number, fault: TOO_LONG };
    let text: string;
    try {
      text = decoder.decode(buffer.subarray(from, to));
    } catch {
      return { text: null, number, fault: NOT_UTF8 };
    }
    if (number === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, number, fault: null };
  };
}
