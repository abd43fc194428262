import { parseDecimal } from '../../model/decimal.js';
import { ExactNumber, type Json } from '../../model/json.js';
import { type LimitName, METRICS } from '../../model/limits.js';
import type { Problem } from '../../model/problem.js';
import { quote, readAmount } from '../fields.js';
import { problem, RecordError, type Source } from '../format.js';
import type { JsonObject } from '../lists.js';
import { nearest } from '../nearest.js';
import { type Cut, type Row, rowsOf } from './csv-rows.js';
import { decodeText, joinCells } from './csv-text.js';

/** What a header line says: where each column stands. */
export interface Header {
  readonly names: readonly string[];
  /** The place of each column that has a fixed name. */
  readonly at: ReadonlyMap<string, number>;
  /** The columns `label.NAME`, as place and NAME. */
  readonly labels: readonly (readonly [number, string])[];
  /** The columns `recorded_under.NAME`, as place and NAME. */
  readonly recordedUnder: readonly (readonly [number, string])[];
  /** The places of all columns that say something of the run. */
  readonly runPlaces: readonly number[];
}

/** A row under its header. */
export interface TableRow {
  readonly kind: 'row';
  readonly header: Header;
  readonly cells: readonly string[];
  readonly line: number;
  /** What makes the whole row unreadable, if anything does. */
  readonly fault: RecordError | null;
}

const RUN_COLUMNS: readonly string[] = [
  ...['run_id', 'status', 'check', 'claim', 'reason', 'started_at', 'blocker', 'evidence'],
  ...METRICS.map((metric) => `totals.${metric}`),
];

/** Every column of ours: one of them is never a misspelling of another, and none may stand twice. */
const OURS: readonly string[] = [
  ...RUN_COLUMNS,
  ...['pass', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'steps', 'model'],
  ...['tool', 'args_digest', 'result_digest', 'error'],
  ...METRICS,
];
const OTHER_SEPARATORS: readonly (readonly [string, string])[] = [
  [';', "';'"],
  ['\t', 'tabs'],
  ['|', "'|'"],
];

/**
 * The rows of a CSV source under its header, in batches. A header that cannot be used is one problem and ends the
 * table; a source without a header has no rows.
 */
export async function* tableOf(
  source: Source,
  required: readonly string[],
): AsyncGenerator<readonly (TableRow | Cut | Problem)[], void> {
  const separator = separatorProblem(source, required);
  if (separator !== null) return yield [separator];
  let header: Header | null = null;
  for await (const rows of rowsOf(source.bytes)) {
    const batch: (TableRow | Cut | Problem)[] = [];
    for (const row of rows) {
      if (row.kind === 'cut') {
        batch.push(row);
      } else if (header !== null) {
        batch.push({ kind: 'row', header, cells: row.cells, line: row.line, fault: faultOf(row, header) });
      } else {
        const made: Header | Problem = headerOrProblem(source, row, required);
        if ('kind' in made) return yield [made];
        header = made;
      }
    }
    yield batch;
  }
}

/** What the header's line says, or what is wrong with it. */
export function headerOrProblem(source: Source, row: Row, required: readonly string[]): Header | Problem {
  try {
    return headerOf(row, required);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return problem(source.name, row.line, joinCells(row.cells), error.message, error.hint);
  }
}

function headerOf(row: Row, required: readonly string[]): Header {
  const fault = faultOf(row, null);
  if (fault !== null) throw fault;
  const at = new Map<string, number>();
  const labels = new Map<string, number>();
  const recordedUnder = new Map<string, number>();
  row.cells.forEach((cell, place) => {
    const name = decodeText(cell).trimStart();
    const [group, key] = name.startsWith('label.')
      ? [labels, name.slice('label.'.length)]
      : name.startsWith('recorded_under.')
        ? [recordedUnder, name.slice('recorded_under.'.length)]
        : [at, name.trimEnd()];
    if (group.has(key) && (group !== at || OURS.includes(key))) {
      throw new RecordError(`column ${quote(name)} stands twice in the header`, 'remove or rename one of the two');
    }
    group.set(key, place);
  });
  requireColumns(row.cells, at, required);
  return {
    names: row.cells,
    at,
    labels: [...labels].map(([name, place]) => [place, name]),
    recordedUnder: [...recordedUnder].map(([name, place]) => [place, name]),
    runPlaces: [
      ...[...at].filter(([name]) => RUN_COLUMNS.includes(name)).map(([, place]) => place),
      ...labels.values(),
      ...recordedUnder.values(),
    ],
  };
}

function requireColumns(cells: readonly string[], at: ReadonlyMap<string, number>, required: readonly string[]): void {
  const missing = required.filter((name) => !at.has(name));
  if (missing.length === 0) return;
  if (cells.some((cell) => cell.includes('\r'))) {
    throw new RecordError('lines end in a bare carriage return', 'save the file with line ends \\n or \\r\\n');
  }
  const others = cells.map((cell) => cell.trim()).filter((cell) => !OURS.includes(cell));
  const guesses = missing.map((name) => [name, nearest(name, others)] as const).filter(([, near]) => near !== null);
  const advice = guesses.map(([name, near]) => `is ${quote(near)} meant for ${name}?`).join(' ') || 'add it;';
  const found = cells.map((cell) => quote(cell)).join(', ');
  throw new RecordError(`no column ${missing.join(', ')}`, `${advice} the columns found are ${found}`);
}

/**
 * Another separator than the comma, as a problem at the header's line. Told from the head of the source, since quoted
 * names with semicolons between them are no CSV at all to the parser.
 */
export function separatorProblem(source: Source, required: readonly string[]): Problem | null {
  const [, blank = '', line = ''] = /^([\r\n]*)(.*)/.exec(new TextDecoder().decode(source.head)) ?? [];
  const found = (separator: string) => {
    const names = headerNames(line, separator);
    return required.filter((name) => names.includes(name)).length;
  };
  const other = OTHER_SEPARATORS.find(([separator]) => found(separator) > found(','));
  if (other === undefined) return null;
  const reason = `columns are separated by ${other[1]}, not by commas`;
  return problem(source.name, blank.split('\n').length, line, reason, 'export the table with commas');
}

/** The names in a header line, were it split at this separator; good enough to tell what a file is. */
export function headerNames(line: string, separator: string | RegExp): string[] {
  return line.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

/** What is wrong with a row as a row; `header` is `null` for the header itself. */
function faultOf(row: Row, header: Header | null): RecordError | null {
  if (!row.isUtf8) return new RecordError('the row is not UTF-8 text', 'save the file as UTF-8');
  if (row.lineCount > 1) {
    return new RecordError(
      `a quoted cell holds a line break: the row goes on to line ${row.line + row.lineCount - 1}`,
      'write the line break as \\u000a, or record the runs as JSON lines',
    );
  }
  if (header === null || row.cells.length === header.names.length) return null;
  return new RecordError(
    `the row has ${row.cells.length} cells, but the header has ${header.names.length}`,
    'leave a cell empty where a value is not known, and quote a text that holds a comma',
  );
}

/** A cell as it stands; a column or cell that is absent is an empty one. */
export function cellOf(row: TableRow, name: string): string {
  const place = row.header.at.get(name);
  return place === undefined ? '' : (row.cells[place] ?? '');
}

/** A text cell; an empty one is not known. */
export function textOf(row: TableRow, name: string): string | null {
  const cell = cellOf(row, name);
  return cell === '' ? null : decodeText(cell);
}

/**
 * Puts a cell that holds an amount into a record, under the name of its column and with every digit it has; an empty
 * one is not known, and left out.
 *
 * @throws RecordError naming the column when it holds anything else
 */
export function putAmount(record: { [column: string]: Json }, row: TableRow, column: string, limit: LimitName): void {
  const cell = cellOf(row, column);
  if (cell === '') return;
  record[column] = numberOf(cell);
  readAmount(record, column, limit);
}

/** The number that a cell holds, exactly; `null` for an empty cell, and the text of what is no decimal. */
function numberOf(cell: string): Json {
  const text = cell.trim();
  if (text === '') return null;
  // Up to fifteen digits a double prints back as the decimal it was made of.
  if (/^\d+(?:\.\d+)?$/.test(text) && text.length <= 15) return Number(text);
  return parseDecimal(text) === null ? text : new ExactNumber(text);
}

/** The fields of a run record that both kinds of table hold in the same columns, labels and provisional caps too. */
export function runFields(row: TableRow): { readonly [key: string]: Json; readonly labels: JsonObject } {
  return {
    id: textOf(row, 'run_id'),
    status: textOf(row, 'status'),
    reason: textOf(row, 'reason'),
    check: textOf(row, 'check'),
    claim: textOf(row, 'claim'),
    started_at: textOf(row, 'started_at'),
    labels: group(row, row.header.labels, decodeText),
    recorded_under: group(row, row.header.recordedUnder, (cell) => {
      // Caps are read as doubles in a run record too: they are compared, never summed.
      const value = numberOf(cell);
      return value instanceof ExactNumber ? Number(value.text) : value;
    }),
  };
}

/** The totals of the run record from columns whose names start so; `null` where none is known. */
export function totalsOf(row: TableRow, prefix: string): { [metric: string]: Json } | null {
  const figures: { [column: string]: Json } = {};
  for (const metric of METRICS) putAmount(figures, row, `${prefix}${metric}`, metric);
  const known = Object.entries(figures).map(([column, amount]) => [column.slice(prefix.length), amount] as const);
  return known.length === 0 ? null : Object.fromEntries(known);
}

function group(row: TableRow, columns: Header['labels'], read: (cell: string) => Json): JsonObject {
  const known = columns.filter(([place]) => (row.cells[place] ?? '') !== '');
  return Object.fromEntries(known.map(([place, name]) => [name, read(row.cells[place] ?? '')]));
}
