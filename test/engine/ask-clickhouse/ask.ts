import type { Link } from '../../../src/engine/ask/dialect.js';

/** The answer to a SELECT of these columns from a relation, sorted by the given ones, each value as text or null. */
export async function ask(
  link: Link,
  select: string,
  columns: readonly string[],
  order: readonly string[] = ['ord'],
): Promise<Record<string, string | null>[]> {
  const rows: Record<string, string | null>[] = [];
  for await (const row of link.query(`SELECT ${columns.join(', ')} FROM (${select}) ORDER BY ${order.join(', ')}`))
    rows.push(Object.fromEntries(columns.map((column, index) => [column, row[index] as string | null])));
  return rows;
}

/** The same of what is expected. */
export function asText(
  rows: readonly { readonly [column: string]: number | string | null }[],
  columns: readonly string[],
): Record<string, string | null>[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column) => {
        const value = row[column];
        if (value === undefined) throw new Error(`no column ${column}`);
        return [column, value === null ? null : String(value)];
      }),
    ),
  );
}
