import { expect } from 'vitest';
import type { Link, Row } from '../../../src/engine/ask/dialect.js';
import { EngineError } from '../../../src/engine/duckdb.js';
import { PASSWORD } from './servers.js';

/** What is thrown, and rows that came before it. */
export async function faultOf(
  ask: () => Promise<Link>,
  sql?: string,
): Promise<{ message: string; hint: string; rows: Row[] }> {
  const rows: Row[] = [];
  try {
    const link = await ask();
    try {
      for await (const row of link.query(sql ?? 'SELECT 1')) rows.push(row);
    } finally {
      await link.close();
    }
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    const { message, hint } = error as EngineError;
    // Neither as it is nor in any form that an address has it in.
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'wrong-secret'])
      expect(message + hint).not.toContain(secret);
    return { message, hint, rows };
  }
  throw new Error('nothing was thrown');
}
