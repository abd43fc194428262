import { LIMITS, METRICS } from '../../model/limits.js';
import { SUMMED_LIMITS } from '../ask/dialect.js';
import type { Bulk, BulkType } from './bulk.js';

/*
 * The tables that runs are staged in, each in the order of the recording: runs, their passes, and their calls. Codes of
 * requests and results tell calls of one run apart and mean nothing beyond it.
 */

type Columns = readonly (readonly [name: string, type: BulkType])[];

export const TABLES = {
  runs: [
    ['ord', 'BIGINT'],
    ['id', 'VARCHAR'],
    ['status', 'VARCHAR'],
    ['verdict', 'VARCHAR'],
    ['claim', 'VARCHAR'],
    ['reason', 'VARCHAR'],
    ['kept', 'BIGINT'],
    ...METRICS.map((metric) => [`stated_${metric}`, 'BIGINT'] as const),
    ...SUMMED_LIMITS.map((limit) => [`sum_${limit}`, 'BIGINT'] as const),
    ...LIMITS.map((limit) => [`under_${limit}`, 'BIGINT'] as const),
    ['streak', 'BIGINT'],
    ['lacks', 'BIGINT'],
  ],
  labels: [
    ['ord', 'BIGINT'],
    ['place', 'BIGINT'],
    ['label', 'VARCHAR'],
    ['value', 'VARCHAR'],
  ],
  /** Counters stand at what they are after the pass, NULL from the first pass on that lacks its part. */
  passes: [
    ['ord', 'BIGINT'],
    ['pass', 'INTEGER'],
    ...SUMMED_LIMITS.map((limit) => [limit, 'BIGINT'] as const),
    ['calls', 'INTEGER'],
  ],
  /** `streak`: how many calls up to this one are the same in a row; `has_args` and `failed`: 0 or 1. */
  calls: [
    ['ord', 'BIGINT'],
    ['pass', 'INTEGER'],
    ['call', 'INTEGER'],
    ['seq', 'INTEGER'],
    ['tool', 'INTEGER'],
    ['request', 'BIGINT'],
    ['has_args', 'INTEGER'],
    ['result', 'BIGINT'],
    ['failed', 'INTEGER'],
    ['streak', 'INTEGER'],
  ],
  tools: [
    ['code', 'INTEGER'],
    ['tool', 'VARCHAR'],
  ],
} as const satisfies Readonly<Record<string, Columns>>;

export type TableName = keyof typeof TABLES;

/** What appends to each table. */
export type Bulks = Readonly<Record<TableName, Bulk>>;

export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** The statement that makes a table. */
export function createSql(table: TableName): string {
  return `CREATE TABLE ${table} (${TABLES[table].map(([name, type]) => `${name} ${type}`).join(', ')})`;
}

/** The types of a table's columns. */
export function typesOf(table: TableName): BulkType[] {
  return TABLES[table].map(([, type]) => type);
}

/** The place of each column in its table. */
export function placesOf(table: TableName): ReadonlyMap<string, number> {
  return new Map(TABLES[table].map(([name], place) => [name, place]));
}
