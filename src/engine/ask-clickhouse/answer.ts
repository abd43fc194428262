import type { Row } from '../ask/dialect.js';

/** An answer that is none, or not all of it: with what the server says, where it says something. */
export class BrokenAnswer extends Error {
  /** `null`: what came is not what any ClickHouse sends. */
  readonly told: string | null;

  constructor(told: string | null) {
    super(told ?? 'no answer of ClickHouse');
    this.told = told;
  }
}

/** A value of a row: text, number or NULL. Numbers stay texts, since 64 bits do not fit a double. */
const VALUE = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|null|true|false/g;
const ROW = new RegExp(`^\\[(?:(?:${VALUE.source})(?:, ?(?:${VALUE.source}))*)?\\],?$`);

/**
 * The rows of an answer in JSONCompact, one a line, as they come. That format ends with the number of its rows: a fault
 * in the middle, which a server writes into an answer that it had called good, and an answer that was cut off are told
 * from a whole one by that.
 *
 * @throws BrokenAnswer after the rows that came before the fault
 */
export async function* rowsOfAnswer(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  let part: 'start' | 'head' | 'data' | 'tail' = 'start';
  let rows = 0;
  let counted: number | null = null;
  let isClosed = false;
  for await (const line of linesOf(chunks)) {
    if (part === 'start') {
      if (line !== '{') throw new BrokenAnswer(faultIn(line));
      part = 'head';
    } else if (part === 'head') {
      if (line === '"data":') part = 'data';
    } else if (part === 'data') {
      if (line === '[' || line === '') continue;
      if (line === ']' || line === '],') part = 'tail';
      else if (ROW.test(line)) {
        rows++;
        yield rowOf(line);
      } else throw new BrokenAnswer(faultIn(line));
    } else {
      counted = Number(/^"rows": (\d+),?$/.exec(line)?.[1] ?? counted ?? Number.NaN);
      const told = /^"exception": (".*")/.exec(line)?.[1];
      if (told !== undefined) throw new BrokenAnswer(JSON.parse(told) as string);
      isClosed = line === '}' || (isClosed && line === '');
    }
  }
  if (!isClosed || counted !== rows) throw new BrokenAnswer(part === 'start' ? null : 'the answer was cut off');
}

function rowOf(line: string): Row {
  return [...line.matchAll(VALUE)].map(([value]) => {
    if (value.startsWith('"')) return JSON.parse(value) as string;
    return value === 'null' ? null : value;
  });
}

/** What a server says in a line that is no row. */
function faultIn(line: string): string | null {
  return /Code: \d+/.test(line) ? line.slice(line.indexOf('Code: ')) : null;
}

/** A page of some other server can have lines of any length. */
const LONGEST_LINE = 64 * 2 ** 20;

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() as string;
    if (rest.length > LONGEST_LINE) throw new BrokenAnswer(null);
    for (const line of lines) yield line.trim();
  }
  if (rest !== '') yield rest.trim();
}
