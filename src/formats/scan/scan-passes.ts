import { isUtf8 } from 'node:buffer';
import type { Depth } from '../../model/depth.js';
import { METRICS } from '../../model/limits.js';
import type { Place } from '../../model/problem.js';
import type { RunSetting } from '../../model/run-batch.js';
import type { RunTable } from '../../model/table.js';
import { REQUIRED, runOfFirstRow } from '../csv/csv-passes.js';
import { type Header, headerOrProblem, separatorProblem, type TableRow } from '../csv/csv-table.js';
import { decodeText } from '../csv/csv-text.js';
import { type PlainPartReader, type PlainReader, RecordError, type Source } from '../format.js';
import { KIND, RowScanner } from './row-scanner.js';
import { MANY } from './scanned-runs.js';

/** What the columns of a fixed name hold. */
const KINDS: ReadonlyMap<string, number> = new Map([
  ['run_id', KIND.id],
  ['started_at', KIND.startedAt],
  ...['status', 'check', 'claim', 'reason', 'blocker', 'evidence'].map((name) => [name, KIND.shared] as const),
  ...METRICS.map((metric) => [`totals.${metric}`, KIND.total] as const),
  ['pass', KIND.pass],
  ['input_tokens', KIND.input],
  ['output_tokens', KIND.output],
  ['cache_read_tokens', KIND.cacheRead],
  ['cache_write_tokens', KIND.cacheWrite],
  ['seconds', KIND.seconds],
  ['usd', KIND.usd],
  ['steps', KIND.steps],
  ['model', KIND.model],
  ['tool', KIND.tool],
  ['args_digest', KIND.args],
  ['result_digest', KIND.result],
  ['error', KIND.error],
]);

/**
 * Reads tables of passes straight into tables of runs, where they are plain: see `assembly/pass-rows.ts`. What many runs
 * share, such as their labels, is understood once, by the slow reader's own functions, and then known by its number.
 */
export const plainPasses: PlainReader = { open: openPasses, runStart };

function openPasses(source: Source, table: RunTable, depth: Depth): PlainPartReader | null {
  const head = plainHead(source);
  if (head === null) return null;
  const scanner = createPassScanner(head.header, table, depth);
  const handOver = (): void => {
    table.addBatch(scanner.runs(source.name));
    scanner.goOn();
  };
  return {
    read(bytes, isStart) {
      scanner.begin(isStart ? head.lines : 0);
      scanner.skip(bytes, isStart ? head.length : 0);
      for (;;) {
        const length = scanner.readMore(bytes);
        if (length === null) return null;
        if (length === 0) break;
        if (scanner.held >= MANY) handOver();
      }
      if (!scanner.end()) return null;
      handOver();
      return scanner.lines;
    },
  };
}

/** Rows of one run stand together: where the id changes, a run begins. */
function runStart(source: Source, bytes: Uint8Array): number {
  const column = plainHead(source)?.header.at.get('run_id');
  if (column === undefined) return -1;
  let first: string | undefined;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    const text = Buffer.from(bytes.subarray(start, end)).toString();
    const id = text.split(',')[column] ?? '';
    first ??= id;
    if (id !== first && text.trim() !== '') return start;
    start = end + 1;
  }
  return -1;
}

/** Scans rows whose runs go into a table. */
function createPassScanner(header: Header, table: RunTable, depth: Depth): RowScanner {
  const settingOf = (cells: readonly string[]): RunSetting | null => {
    const first: TableRow = { kind: 'row', header, cells, line: 0, fault: null };
    try {
      const { status, reason, check, claim, labels, recordedUnder, totals } = runOfFirstRow(first, NOWHERE);
      return { status, reason, check, claim, labels, recordedUnder, totals };
    } catch (error) {
      if (error instanceof RecordError) return null;
      throw error;
    }
  };
  const codeForTool = (tool: string): number => table.codeForTool(decodeText(tool));
  return new RowScanner({ codeForTool, settingOf, millisOf: Date.parse }, kindsOf(header), depth);
}

/** What is wrong is told by the slow reader alone. */
const NOWHERE: Place = { file: '', line: null };

/** The header of a table, and how many bytes and lines it takes with all that stands before it. */
interface Head {
  readonly header: Header;
  readonly length: number;
  readonly lines: number;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NEWLINE = 0x0a;

/** `null` where it has to be read by the slow reader, or is not all there. */
function plainHead(source: Source): Head | null {
  const { head } = source;
  let start = BYTE_ORDER_MARK.every((byte, index) => head[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  let lines = 1;
  for (let end = head.indexOf(NEWLINE, start); end !== -1; end = head.indexOf(NEWLINE, start)) {
    const line = head.subarray(start, end);
    const text = Buffer.from(line).toString().replace(/\r$/, '');
    start = end + 1;
    if (text !== '') {
      const header = /["\r]/.test(text) || !isUtf8(line) ? null : plainHeader(source, text, lines);
      return header === null ? null : { header, length: start, lines };
    }
    lines++;
  }
  return null;
}

function plainHeader(source: Source, text: string, line: number): Header | null {
  if (separatorProblem(source, REQUIRED) !== null) return null;
  const row = { kind: 'row', cells: text.split(','), line, lineCount: 1, isUtf8: true } as const;
  const header = headerOrProblem(source, row, REQUIRED);
  return 'kind' in header ? null : header;
}

/** What each column holds. */
function kindsOf(header: Header): number[] {
  const kinds = header.names.map((): number => KIND.other);
  for (const [name, place] of header.at) kinds[place] = KINDS.get(name) ?? KIND.other;
  for (const [place] of [...header.labels, ...header.recordedUnder]) kinds[place] = KIND.shared;
  return kinds;
}
