import { isUtf8 } from 'node:buffer';
import type { Parser } from 'csv-parse';

/** One row of a CSV text, not yet understood. */
export interface Row {
  readonly kind: 'row';
  readonly cells: readonly string[];
  /** Its first physical line, from 1. */
  readonly line: number;
  /** How many physical lines it takes: more than one where a quoted cell holds line breaks. */
  readonly lineCount: number;
  readonly isUtf8: boolean;
}

/** The place from which on a CSV text cannot be read. */
export interface Cut {
  readonly kind: 'cut';
  readonly line: number;
  readonly reason: string;
  readonly hint: string;
}

/**
 * The rows of a CSV text, lines without any content passed over; a `Cut`, if there is one, comes last. They come in
 * batches, one for each chunk of bytes: awaiting every row by itself would take as long as parsing it.
 */
export async function* rowsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly (Row | Cut)[]> {
  const lines = createLineWatch();
  let ready: (Row | Cut)[] = [];
  let nextLine = 1;
  const parser = await createParser((cells) => {
    const row = rowOf(cells, nextLine, lines.isUtf8);
    nextLine += row.lineCount;
    if (cells.some((cell) => cell !== '')) ready.push(row);
  });
  try {
    for await (const chunk of bytes) {
      lines.see(chunk);
      const error = await settle((done) => parser.write(asBuffer(chunk), done));
      if (error !== null) ready.push(cutAt(nextLine, error));
      yield ready;
      if (error !== null) return;
      ready = [];
    }
    lines.finish();
    const error = await settle((done) => parser.end(done));
    if (error !== null) ready.push(cutAt(nextLine, error));
    yield ready;
  } finally {
    parser.destroy();
  }
}

/**
 * The library's stream, asked for each record as it is completed: its readable side would drop the records before an
 * error. Records of any length and size are passed on; whether they fit is judged where the header is known. The library
 * is loaded for a table that has to be read by it only.
 */
async function createParser(take: (cells: readonly string[]) => void): Promise<Parser> {
  const { parse } = await import('./csv-parse-package.js');
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: 0,
    on_record: (cells: string[]) => {
      take(cells);
      return null;
    },
  });
  // Errors are told through the callbacks of write and end; without a listener the same error would end the process.
  parser.on('error', () => {});
  return parser;
}

type Done = (error?: Error | null) => void;

/** Waits for a stream operation; its error as a value. */
function settle(start: (done: Done) => void): Promise<(Error & { code?: string }) | null> {
  return new Promise((resolve) => start((error) => resolve(error ?? null)));
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Cells hold their line breaks as they were, so counting those gives every line's number without the parser's help. */
function rowOf(cells: readonly string[], line: number, isLineUtf8: (line: number) => boolean): Row {
  let lineCount = 1;
  let suspect = false;
  for (const cell of cells) {
    if (cell.includes('\n')) lineCount += cell.split('\n').length - 1;
    suspect ||= cell.includes('\ufffd');
  }
  let isUtf8 = true;
  for (let at = line; suspect && at < line + lineCount; at++) isUtf8 &&= isLineUtf8(at);
  return { kind: 'row', cells, line, lineCount, isUtf8 };
}

const QUOTES = 'put a text that holds commas or quotes into quotes, and write a quote inside it twice ("")';

const CUTS: { readonly [code: string]: string | undefined } = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell that starts here does not end at a comma or a line end',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell that does not start with one',
};

/** Every error of the parser is about quotes, and once they are out of step any later row might be cut wrongly. */
function cutAt(line: number, error: Error & { code?: string }): Cut {
  const reason = CUTS[error.code ?? ''];
  if (reason === undefined) throw error;
  return { kind: 'cut', line, reason: `${reason}; the file is not read any further`, hint: QUOTES };
}

/** Knows which lines are not UTF-8: the parser replaces bad bytes in silence. */
function createLineWatch() {
  const bad = new Set<number>();
  let line = 1;
  let parts: Uint8Array[] = [];
  const check = (end: Uint8Array) => {
    if (!isUtf8(parts.length === 0 ? end : Buffer.concat([...parts, end]))) bad.add(line);
    parts = [];
    line++;
  };
  return {
    see(chunk: Uint8Array): void {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        check(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
    },
    finish(): void {
      if (parts.length > 0) check(new Uint8Array(0));
    },
    isUtf8: (line: number): boolean => !bad.has(line),
  };
}
