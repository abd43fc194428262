import { createContentCodes } from './content-codes.js';
import type { Database } from './duckdb.js';
import type { PlainSql } from './plain-sql.js';

/** The tools of a file by their hashes. */
export interface Tools {
  codeOf(low: number, high: number): number;
  /** The hash of what is not known: a tool, arguments or a result. */
  readonly unknownLow: number;
  readonly unknownHigh: number;
}

/** @param codeForTool the code under which a tool is kept */
export async function readTools(
  database: Database,
  sql: PlainSql,
  codeForTool: (tool: string) => number,
): Promise<Tools> {
  const places = createContentCodes();
  const codes: number[] = [];
  let [unknownLow, unknownHigh] = [0, 0];
  for await (const chunk of database.chunks(sql.tools)) {
    const hashes = chunk.halves(0);
    for (const [row, tool] of chunk.texts(1).entries()) {
      const [low, high] = [hashes[row * 2] as number, hashes[row * 2 + 1] as number];
      if (tool === null) [unknownLow, unknownHigh] = [low, high];
      else codes[places.codeOf(low, high)] = codeForTool(tool);
    }
  }
  return { codeOf: (low, high) => codes[places.codeOf(low, high)] as number, unknownLow, unknownHigh };
}
