import { isJsonObject, type Json, parseJson } from '../model/json.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { STATUSES } from '../model/status.js';
import {
  type Format,
  type LinesReader,
  orProblem,
  problem,
  type Reading,
  RecordError,
  type RunSink,
  type Source,
} from './format.js';
import { createStretchCutter, type Line, linesOf, type Stretch } from './lines.js';
import { runOfRecord } from './record.js';
import { RecordReader } from './scan/record-reader.js';

/** How many lines of a file's head are looked at: the first may be a bad record. */
const LINES_TRIED = 20;

/** A run record whose first line is longer than the head: `status` behind nothing but plain members. */
const OPENING = new RegExp(
  `^\\s*\\{(?:\\s*"[^"\\\\]*"\\s*:\\s*(?:"(?:[^"\\\\]|\\\\.)*"|[\\w.+-]+)\\s*,)*\\s*"status"\\s*:\\s*"(?:${STATUSES.join('|')})"`,
);

/** Whether some line near the start is an object with one of our endings as its own status. */
function opensWithRecords(head: string): boolean {
  const lines = head.split('\n');
  if (lines.length === 1 && OPENING.test(head)) return true;
  return lines.slice(0, LINES_TRIED).some(isRecordLine);
}

function isRecordLine(line: string): boolean {
  if (!/^\s*\{/.test(line) || !line.includes('"status"')) return false;
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && 'id' in value && STATUSES.some((status) => status === value.status);
  } catch {
    return false;
  }
}

/** capfit's own record, version 1: one JSON object a run, one run a line. Blank lines are passed over. */
export const jsonl: Format = {
  id: 'jsonl',
  description: "capfit's run records, one JSON object a line",
  detect: opensWithRecords,
  read: readJsonl,
  readInto: (source, _options, sink) => openJsonl(source.name, sink).read(source.bytes, 0),
  openLines: openJsonl,
};

async function* readJsonl(source: Source): Reading {
  for await (const line of linesOf(source.bytes)) {
    const item = itemOf(source.name, line);
    if (item !== null) yield item;
  }
}

/** Plain records go into the table as they are scanned; any other line is read as above. */
function openJsonl(file: string, sink: RunSink): LinesReader {
  const reader = new RecordReader(file, sink, (line) => itemOf(file, line));
  return {
    async read(bytes, linesBefore) {
      const cutter = createStretchCutter();
      const take = (stretch: Stretch): void => reader.read(stretch);
      reader.begin(linesBefore);
      for await (const chunk of bytes) cutter.push(chunk, take);
      cutter.end(take);
      return reader.end() - linesBefore;
    },
    readNow(bytes, linesBefore) {
      reader.begin(linesBefore);
      return reader.readAll(bytes) ? reader.end() - linesBefore : null;
    },
  };
}

/** What a line holds, `null`: nothing. */
function itemOf(file: string, { text, number, fault }: Line): Run | Problem | null {
  if (text === null) return problem(file, number, null, fault.reason, fault.hint);
  if (text.trim() === '') return null;
  return orProblem(file, number, text, () => runOfRecord(parseLine(text), { file, line: number }));
}

/**
 * The JSON value of one line.
 *
 * @throws RecordError saying why the line is no JSON
 */
export function parseLine(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    // Content nested beyond the stack: the one thing that valid JSON can do to a parser that calls back.
    if (error instanceof RangeError)
      throw new RecordError('the JSON is nested too deeply', 'flatten it, or record digests in its place');
    if (!(error instanceof SyntaxError)) throw error;
    throw new RecordError(`not JSON: ${reasonOf(text, error)}`, hintFor(text));
  }
}

/** The parser's own words without the excerpt of the data that it appends. */
function reasonOf(text: string, error: SyntaxError): string {
  if (/[[,:]\s*-?(?:NaN|Infinity)\b/.test(text)) return 'NaN and Infinity are not JSON numbers';
  return error.message.replace(/, (?:\.\.\.)?".*$/s, '').replace(/\s+\(line 1 column (\d+)\)/, ' (column $1)');
}

function hintFor(text: string): string {
  if (/[[,:]\s*-?(?:NaN|Infinity)\b/.test(text)) return 'leave out a figure that is not known, or write null';
  return 'each line must hold one whole JSON object; was the file cut short, or printed over several lines?';
}
