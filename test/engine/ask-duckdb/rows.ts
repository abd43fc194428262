import type { Link } from '../../../src/engine/ask/dialect.js';

/** Rows by the names of their columns. */
export type NamedRow = { readonly [column: string]: string | null };

/** What a query answers, by names. The columns are asked for in this order. */
export async function rowsOf(link: Link, columns: readonly string[], sql: string, order = ''): Promise<NamedRow[]> {
  const rows: NamedRow[] = [];
  for await (const row of link.query(`SELECT ${columns.join(', ')} FROM (${sql})${order}`)) {
    rows.push(Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
  }
  return rows;
}

/** A figure as an answer gives it. */
export function figure(value: number | bigint | null): string | null {
  return value === null ? null : String(value);
}
