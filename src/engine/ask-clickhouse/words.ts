/*
 * Words of ClickHouse's SQL that more than one part writes. One text must run on servers from 2018 to today, so that
 * window functions, WITH and the younger array functions are out of reach.
 */

/** Bytes that would end a literal, or that a server reads as the end of the query. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '`': '\\`',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text as a literal. Halves of a character pair, which UTF-8 cannot hold, stand there as they do in rows: replaced. */
export function textSql(value: string): string {
  return `'${wellFormed(value).replace(/[\\'\0\b\f\n\r\t]/g, (sign) => ESCAPES[sign] as string)}'`;
}

/** A name as it is, whatever is in it. */
export function nameSql(name: string): string {
  return `\`${wellFormed(name).replace(/[\\`\0\b\f\n\r\t]/g, (sign) => ESCAPES[sign] as string)}\``;
}

/** `table` or `database.table` as two names. */
export function tableSql(table: string): string {
  const { database, name } = tableParts(table);
  return database === null ? nameSql(name) : `${nameSql(database)}.${nameSql(name)}`;
}

/** The first dot parts the names: a database's own name has none. */
export function tableParts(table: string): { readonly database: string | null; readonly name: string } {
  const dot = table.indexOf('.');
  return dot < 0 ? { database: null, name: table } : { database: table.slice(0, dot), name: table.slice(dot + 1) };
}

/** Halves of a character pair replaced, as an encoder to UTF-8 does it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** A number as a literal of 64 bits with a sign: large ones count as unsigned, which old servers mix with nothing. */
export function wholeSql(value: number): string {
  return `toInt64(${value})`;
}

/** Texts as an array to look a value up in. */
export function textsSql(values: readonly string[]): string {
  return `[${values.map(textSql).join(', ')}]`;
}

/** All elements of an array of arrays, one after the other. */
export function flatSql(arrays: string): string {
  return `arrayReduce('groupArrayArray', ${arrays})`;
}

/** Every element's one a few places before it, 0 where there is none. */
export function shiftedSql(array: string, by: string, zero: string): string {
  const padding = `arrayMap(z -> ${zero}, arraySlice(${array}, 1, ${by}))`;
  return `arraySlice(arrayConcat(${padding}, ${array}), 1, length(${array}))`;
}

/** Flags set where so many flags in a row are, this one the last: there the sum of flags has grown by as many. */
export function inRowSql(flags: string, inRow: string): string {
  const sums = `arrayCumSum(${flags})`;
  return `arrayMap((s, t) -> s - t = ${inRow}, ${sums}, ${shiftedSql(sums, inRow, 'toUInt64(0)')})`;
}
