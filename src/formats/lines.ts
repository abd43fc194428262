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

/** Whole lines of a chunk as bytes, the last of them with its line end. Valid until the next ones are asked for. */
export interface Stretch {
  readonly buffer: Buffer;
  readonly from: number;
  readonly to: number;
  /** A single line, longer than any may be: its bytes are not there. */
  readonly isTooLong: boolean;
}

/** Cuts chunks of bytes into whole lines, however the lines are cut into chunks. An empty last line is no line. */
export interface StretchCutter {
  push(chunk: Uint8Array, take: (stretch: Stretch) => void): void;
  end(take: (stretch: Stretch) => void): void;
}

export function createStretchCutter(longest: number = LONGEST_LINE): StretchCutter {
  let parts: Uint8Array[] = [];
  let length = 0;
  const hold = (part: Uint8Array): void => {
    length += part.length;
    // One more than the longest, which is the line end. A copy: the chunk may be written over.
    if (length <= longest + 1) parts.push(new Uint8Array(part));
    else parts = [];
  };
  /** The line whose parts are held, the last of them with the line end. */
  const held = (): Stretch => {
    const isTooLong = length - 1 > longest;
    const buffer = isTooLong ? Buffer.from('\n') : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { buffer, from: 0, to: buffer.length, isTooLong };
  };
  return {
    push(chunk, take) {
      let start = 0;
      if (length > 0) {
        start = chunk.indexOf(NEWLINE) + 1;
        hold(start === 0 ? chunk : chunk.subarray(0, start));
        if (start === 0) return;
        take(held());
      }
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > start) {
        const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
        take({ buffer, from: start, to: end, isTooLong: false });
      }
      if (Math.max(start, end) < chunk.length) hold(chunk.subarray(Math.max(start, end)));
    },
    end(take) {
      if (length === 0) return;
      hold(Uint8Array.of(NEWLINE));
      take(held());
    },
  };
}

/** Tells apart the lines of stretches, counted from 1. */
export function createLineCounter(
  take: (line: RawLine) => void,
  longest: number = LONGEST_LINE,
): (stretch: Stretch) => void {
  let number = 0;
  return ({ buffer, from, to, isTooLong }) => {
    for (let start = from; start < to; ) {
      const end = buffer.indexOf(NEWLINE, start);
      number++;
      take({ buffer, from: start, to: end, number, isTooLong: isTooLong || end - start > longest });
      start = end + 1;
    }
  };
}

/**
 * The lines of a text. A `\r` before the line end is dropped, and a byte-order mark at the very start.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, longest: number = LONGEST_LINE): AsyncGenerator<Line> {
  const cutter = createStretchCutter(longest);
  const decode = createLineDecoder();
  let lines: Line[] = [];
  const take = createLineCounter((line) => lines.push(decode(line)), longest);
  for await (const chunk of bytes) {
    cutter.push(chunk, take);
    yield* lines;
    lines = [];
  }
  cutter.end(take);
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
