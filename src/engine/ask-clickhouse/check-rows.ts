import type { Row } from '../ask/dialect.js';
import { EngineError } from '../duckdb.js';
import { aliasesOf } from './layers.js';
import { DETAILS, type Details, FIRST_WRONG, quoted, ROW_FAULTS, type RowFault, RUN_COLUMNS } from './row-faults.js';
import { tableSql } from './words.js';

/** Faults told at once: of a table that is something else altogether there may be dozens. */
const MOST_TOLD = 3;

/**
 * A SELECT with one row a fault that occurs: its place in ROW_FAULTS, how many runs have it, the smallest of their ids,
 * and the details of that run. Rows are looked at where they lie, and each run is gathered once.
 *
 * @param table `table` or `database.table`
 */
export function rowFaultsSql(table: string): string {
  const columns = { ...RUN_COLUMNS, r_rows: `groupBitOr(${bitsSql('row')})` };
  const runs = `SELECT ${aliasesOf(columns).join(', ')} FROM ${tableSql(table)} GROUP BY run_id`;
  const placed = `SELECT *, ${FIRST_WRONG} AS r_at FROM (${runs})`;
  const details = DETAILS.map((name) => `argMin(toString(${name}), r_id)`);
  const faulty = `SELECT r_id, ${DETAILS.join(', ')}, bitOr(r_rows, ${bitsSql('run')}) AS r_bits FROM (${placed})`;
  const each = `SELECT *, arrayFilter(i -> bitTest(r_bits, i), range(${ROW_FAULTS.length})) AS r_faults FROM (${faulty}) WHERE r_bits != 0`;
  const named = `SELECT r_id, ${DETAILS.join(', ')}, r_fault FROM (${each}) ARRAY JOIN r_faults AS r_fault`;
  return `SELECT r_fault, count(), min(r_id), ${details.join(', ')} FROM (${named}) GROUP BY r_fault ORDER BY r_fault`;
}

/** The faults of a row or a run as the bits of one number, each at its place in ROW_FAULTS. */
function bitsSql(of: RowFault['of']): string {
  const bits = ROW_FAULTS.map((fault, place) =>
    fault.of === of ? `if(${fault.holds}, toUInt64(${2n ** BigInt(place)}), toUInt64(0))` : '',
  );
  return bits.filter((bit) => bit !== '').join(' + ');
}

/** What is said of each fault that occurs, and what to do. */
export interface ToldFault {
  readonly said: string;
  readonly hint: string;
}

/** @param found rows of `rowFaultsSql` */
export function toldFaults(table: string, found: readonly Row[]): ToldFault[] {
  return found.flatMap((row) => {
    const fault = ROW_FAULTS[Number(row[0])];
    return fault === undefined ? [] : [{ said: saidOf(fault, table, row), hint: fault.hint }];
  });
}

function saidOf(fault: RowFault, table: string, [, count, id, ...told]: Row): string {
  const details = Object.fromEntries(DETAILS.map((name, index) => [name, told[index] ?? ''])) as Details;
  const others = count === '1' ? '' : ` (${count} runs like that)`;
  return `run ${quoted(id ?? '')} ${fault.says(details)} in ${table}${others}`;
}

/**
 * Looks at all rows of the table once, so that nothing is answered of what cannot be.
 *
 * @throws EngineError
 */
export async function checkRows(query: (sql: string) => AsyncIterable<Row>, table: string): Promise<void> {
  const found: Row[] = [];
  for await (const row of query(rowFaultsSql(table))) found.push(row);
  const faults = toldFaults(table, found);
  const [first] = faults;
  if (first === undefined) return;
  const told = faults.slice(0, MOST_TOLD).map(({ said }) => said);
  const rest = faults.length - told.length;
  const more = rest === 0 ? [] : [`and ${rest} other fault${rest === 1 ? '' : 's'}`];
  throw new EngineError([...told, ...more].join('; '), first.hint);
}
