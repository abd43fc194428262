import { type Database, EngineError, openDatabase, sqlFile, sqlText } from '../duckdb.js';
import { askedOf } from './faults.js';

/** Whether a path is an address that DuckDB reads from by an extension. */
export function isRemote(path: string): boolean {
  return /^(?:https?|s3|s3a|s3n|gs|gcs|r2|az|azure|abfss?|hf):\/\//i.test(path);
}

/**
 * The files that an address with wildcards stands for, by name; an address without any is its own.
 *
 * @throws EngineError
 */
export async function filesAt(pattern: string, database: Database | null = null): Promise<string[]> {
  if (!/[*?[]/.test(pattern) || /^https?:/i.test(pattern)) return [pattern];
  const own = database ?? (await openDatabase());
  const files: string[] = [];
  try {
    for await (const chunk of own.chunks(`SELECT file FROM glob(${sqlText(pattern)}) ORDER BY file`)) {
      for (const file of chunk.texts(0)) if (file !== null) files.push(file);
    }
    return files;
  } catch (error) {
    throw error instanceof EngineError ? askedOf(error) : error;
  } finally {
    if (database === null) own.close();
  }
}

/** The longest line that is read; the database holds several of them at a time. */
const LONGEST_LINE = 64 * 2 ** 20;
/** Stands in no line that is JSON or CSV; the database asks for something that parts columns. */
const NO_DELIMITER = '\u0001';

/**
 * The lines of a text file as DuckDB reads it, plain or packed with gzip or zstd, as its name says. Empty lines are left
 * out.
 *
 * @throws EngineError
 */
export async function* linesAt(path: string): AsyncGenerator<string> {
  const options = [
    "columns = {'line': 'VARCHAR'}, auto_detect = false, header = false",
    `delim = ${sqlText(NO_DELIMITER)}, quote = '', escape = '', comment = ''`,
    `max_line_size = ${LONGEST_LINE}, parallel = false`,
  ];
  const database = await openDatabase();
  try {
    const sql = `SELECT line FROM read_csv(${sqlFile(path)}, ${options.join(', ')})`;
    for await (const chunk of database.chunks(sql)) {
      for (const line of chunk.texts(0)) if (line !== null) yield line;
    }
  } catch (error) {
    throw error instanceof EngineError ? askedOf(error) : error;
  } finally {
    database.close();
  }
}
