import type { Database } from './duckdb.js';
import type { PlainSql } from './plain-sql.js';

/** The tools of a file by their hashes. */
export interface Tools {
  codeOf(low: number, high: number): number;
  /** Whether this is the hash of what is not known: a tool, arguments or a result. */
  isUnknown(low: number, high: number): boolean;
}

/** @param codeForTool the code under which a tool is kept */
export async function readTools(
  database: Database,
  sql: PlainSql,
  codeForTool: (tool: string) => number,
): Promise<Tools> {
  const codes = new Map<number, Map<number, number>>();
  let unknown: readonly [number, number] = [0, 0];
  for await (const chunk of database.chunks(sql.tools)) {
    const hashes = chunk.halves(0);
    for (const [row, tool] of chunk.texts(1).entries()) {
      const [low, high] = [hashes[row * 2] as number, hashes[row * 2 + 1] as number];
      if (tool === null) {
        unknown = [low, high];
        continue;
      }
      const ofHigh = codes.get(high) ?? new Map<number, number>();
      codes.set(high, ofHigh.set(low, codeForTool(tool)));
    }
  }
  const [low, high] = unknown;
  return {
    codeOf: (one, other) => codes.get(other)?.get(one) as number,
    isUnknown: (one, other) => one === low && other === high,
  };
}
