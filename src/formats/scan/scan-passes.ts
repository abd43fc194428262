import { isUtf8 } from 'node:buffer';
import type { Depth } from '../../model/depth.js';
import { METRICS } from '../../model/limits.js';
import type { Place } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import type { RunFacts } from '../../model/run-columns.js';
import type { RunTable } from '../../model/table.js';
import { REQUIRED, runOfFirstRow } from '../csv/csv-passes.js';
import { type Header, headerOrProblem, separatorProblem, type TableRow } from '../csv/csv-table.js';
import { decodeText } from '../csv/csv-text.js';
import { type PlainReader, RecordError, type Source } from '../format.js';
import { dayTimeMillis } from './day-time.js';
import { KIND, RowScanner } from './row-scanner.js';

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
export const plainPasses: PlainReader = { read: readPasses, runStart };

async function readPasses(source: Source, table: RunTable, depth: Depth): Promise<number | null> {
  const head = plainHead(source);
  if (head === null) return null;
  const isWhole = source.linesBefore === undefined;
  const linesBefore = source.linesBefore ?? head.lines;
  const { scanner } = new PassReader(source.name, head.header, linesBefore, table, depth);
  let toSkip = isWhole ? head.length : 0;
  for await (const chunk of source.bytes) {
    const rows = chunk.subarray(toSkip);
    toSkip -= chunk.length - rows.length;
    if (!scanner.push(rows)) return null;
  }
  return scanner.end() ? scanner.lines - (isWhole ? 0 : linesBefore) : null;
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

/** Takes the runs that a scanner finds. */
class PassReader {
  readonly scanner: RowScanner;
  /** What runs are whose shared cells are the same, by the number of those. */
  private readonly known: Run[] = [];

  constructor(
    private readonly file: string,
    private readonly header: Header,
    linesBefore: number,
    private readonly table: RunTable,
    depth: Depth,
  ) {
    this.scanner = new RowScanner(this, kindsOf(header), linesBefore, depth);
  }

  codeForTool(tool: string): number {
    return this.table.codeForTool(decodeText(tool));
  }

  endRun(): boolean {
    const { scanner } = this;
    const origin = { file: this.file, line: scanner.line };
    const run = this.run(origin);
    const { bytes, from, to } = scanner.startedAt;
    const startedMillis = from === to ? null : dayTimeMillis(bytes, from, to);
    if (run === null || Number.isNaN(startedMillis)) return false;
    const { status, reason, check, claim, labels, recordedUnder, totals } = run;
    const facts: RunFacts = {
      ...{ id: scanner.id, status, reason, check, claim, labels, recordedUnder, totals, startedMillis, origin },
    };
    this.table.addDraft(facts, scanner.draft);
    return true;
  }

  /** The run, or one like it but for id and time; `null` where it is a bad one. */
  private run(origin: Place): Run | null {
    const { shared, hasTotals } = this.scanner;
    const isShared = shared >= 0 && !hasTotals;
    const known = isShared ? this.known[shared] : undefined;
    if (known !== undefined) return known;
    const cells = this.scanner.cellsOfRun();
    const first: TableRow = { kind: 'row', header: this.header, cells, line: origin.line ?? 0, fault: null };
    try {
      const run = runOfFirstRow(first, origin);
      if (isShared) this.known[shared] = run;
      return run;
    } catch (error) {
      if (error instanceof RecordError) return null;
      throw error;
    }
  }
}

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
