import type { Row } from '../ask/dialect.js';
import { EngineError } from '../duckdb.js';

type Kind = 'number' | 'text' | 'texts' | 'numbers';

/** What a column must be read as, and how the pass table has it. */
interface Column {
  readonly kind: Kind;
  readonly type: string;
}

const column = (kind: Kind, type: string): Column => ({ kind, type });
const known = column('number', 'Nullable(Int64)');
const text = column('text', 'String');
const texts = column('texts', 'Array(String)');

/** The columns of sql/clickhouse/pass-table.sql that questions ask for. */
export const PASS_COLUMNS: ReadonlyMap<string, Column> = new Map([
  ['run_order', column('number', 'UInt64')],
  ['run_id', text],
  ['status', text],
  ['verdict', text],
  ['claim', text],
  ['reason', text],
  ['labels.name', texts],
  ['labels.value', texts],
  ['recorded_under_passes', known],
  ['recorded_under_tokens', known],
  ['recorded_under_microseconds', known],
  ['recorded_under_nanodollars', known],
  ['recorded_under_steps', known],
  ['total_passes', known],
  ['total_tokens', known],
  ['total_microseconds', known],
  ['total_nanodollars', known],
  ['passes_recorded', column('number', 'UInt8')],
  ['pass', column('number', 'UInt32')],
  ['input_tokens', known],
  ['output_tokens', known],
  ['microseconds', known],
  ['nanodollars', known],
  ['steps', known],
  ['calls.tool', texts],
  ['calls.arguments', texts],
  ['calls.result', texts],
  ['calls.failed', column('numbers', 'Array(Int8)')],
]);

/** Whole numbers of any width; what has places would be cut silently. */
const NUMBER = /^(U?Int(8|16|32|64)|Bool)$/;
const TEXT = /^(String|FixedString\(.*\)|Enum(8|16)\(.*\)|UUID)$/;

const FITS: Readonly<Record<Kind, (type: string) => boolean>> = {
  number: (type) => NUMBER.test(bare(type)),
  text: (type) => TEXT.test(bare(type)),
  texts: (type) => bare(elementOf(type)) === 'String' && !type.includes('Nullable'),
  numbers: (type) => NUMBER.test(elementOf(type)),
};

/** The type without what a server wraps around it: NULL is read as "not known" everywhere. */
function bare(type: string): string {
  return type.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1');
}

function elementOf(type: string): string {
  return /^Array\((.*)\)$/.exec(type)?.[1] ?? '';
}

/**
 * Tells all columns at once that a table lacks or that are of another kind.
 *
 * @param described rows of DESCRIBE: name and type first
 * @throws EngineError
 */
export function checkColumns(table: string, described: readonly Row[]): void {
  const types = new Map(described.map(([name, type]) => [name ?? '', type ?? '']));
  const lacking: string[] = [];
  const other: string[] = [];
  for (const [name, { kind, type }] of PASS_COLUMNS) {
    const found = types.get(name);
    if (found === undefined) lacking.push(`${name} ${type}`);
    else if (!FITS[kind](found)) other.push(`${name} is ${found}, not ${type}`);
  }
  if (lacking.length === 0 && other.length === 0) return;
  const parts = [...(lacking.length === 0 ? [] : [`no ${lacking.join(', ')}`]), ...other];
  throw new EngineError(`${table} is no pass table: ${parts.join('; ')}`, TABLE_HINT);
}

/** What a table must be. */
export const TABLE_HINT = 'the table or view must have the columns of sql/clickhouse/pass-table.sql';
