import type { GroupLabels } from '../../calibrate/groups.js';
import { EngineError } from '../duckdb.js';
import type { Dialect, Link, Row } from './dialect.js';
import { all } from './words.js';

/** All rows of an answer. */
export async function rowsOf(link: Link, sql: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of link.query(sql)) rows.push(row);
  return rows;
}

/** A whole number of an answer. */
export function count(text: string | null | undefined): number {
  const value = text === null || text === undefined ? Number.NaN : Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new EngineError(
    `the database answers ${JSON.stringify(text ?? null)} where a whole number is due`,
    'are the figures of the runs below 2^53?',
  );
}

/** The values of the labels asked for, which stand first in a row. */
export function labelsOf(row: Row, by: readonly string[]): GroupLabels {
  return Object.fromEntries(by.map((name, index) => [name, row[index] ?? null]));
}

/** A word of the run record. */
export function wordOf<Word extends string>(
  words: readonly Word[],
  text: string | null | undefined,
  field: string,
): Word {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new EngineError(
    `${field} ${JSON.stringify(text ?? null)} is no word of the run record`,
    `in a pass table or view it must be one of ${words.join(', ')}`,
  );
}

/** The condition that a run is of a group. @param by the labels asked for, of which the group may name a part */
export function isOfGroup(dialect: Dialect, by: readonly string[], labels: GroupLabels): string {
  return all(
    by.flatMap((name, index) => {
      const value = labels[name];
      if (value === undefined) return [];
      return [value === null ? `l${index} IS NULL` : `l${index} IS NOT NULL AND l${index} = ${dialect.text(value)}`];
    }),
  );
}
