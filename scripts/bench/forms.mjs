import { closeSync, openSync, readSync } from 'node:fs';
import { extname } from 'node:path';

/** `jsonl`, `csv` or `parquet`. */
export function formOf(file) {
  return extname(file).slice(1);
}

const TYPES = {
  pass: 'BIGINT',
  input_tokens: 'BIGINT',
  output_tokens: 'BIGINT',
  cache_read_tokens: 'BIGINT',
  cache_write_tokens: 'BIGINT',
  seconds: 'DOUBLE',
  usd: 'DOUBLE',
};
const LONGEST_HEADER = 65_536;

/** Names and SQL types of the columns of a CSV, by its first line. */
export function columnsOf(file) {
  const bytes = Buffer.alloc(LONGEST_HEADER);
  const opened = openSync(file, 'r');
  readSync(opened, bytes);
  closeSync(opened);
  const names = bytes.toString('utf8').split(/\r?\n/, 1)[0].split(',');
  return names.map((name) => [name, TYPES[name] ?? 'VARCHAR']);
}
