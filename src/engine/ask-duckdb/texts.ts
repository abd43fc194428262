import { sqlText } from '../duckdb.js';

/** A text as a literal. A query ends at its first NUL, so that those are put in by their number. */
export function textSql(value: string): string {
  const parts = value.split('\0').map(sqlText);
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' || chr(0) || ')})`;
}

/** A whole number as a literal, with all its digits. */
export function numberSql(value: number): string {
  return String(BigInt(value));
}

/** A relation under a name, whether it is a table, a query, or a subquery with or without a name. */
export function named(relation: string, name: string): string {
  const from = /^\s*(?:SELECT|WITH|FROM)\b/i.test(relation) ? `(${relation})` : relation;
  return `(SELECT * FROM ${from}) AS ${name}`;
}
