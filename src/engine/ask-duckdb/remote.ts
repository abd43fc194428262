import { type Database, EngineError, sqlText } from '../duckdb.js';
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
export async function filesAt(pattern: string, database: Database): Promise<string[]> {
  if (!/[*?[]/.test(pattern) || /^https?:/i.test(pattern)) return [pattern];
  const files: string[] = [];
  try {
    for await (const chunk of database.chunks(`SELECT file FROM glob(${sqlText(pattern)}) ORDER BY file`)) {
      for (const file of chunk.texts(0)) if (file !== null) files.push(file);
    }
    return files;
  } catch (error) {
    throw error instanceof EngineError ? askedOf(error) : error;
  }
}
