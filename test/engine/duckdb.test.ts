import { describe, expect, it, vi } from 'vitest';

describe("where DuckDB's Node client is not installed", () => {
  it('says how to install it', async () => {
    vi.doMock('node:module', () => ({
      createRequire: () => ({
        resolve: () => {
          throw Object.assign(new Error("Cannot find module '@duckdb/node-api'"), { code: 'MODULE_NOT_FOUND' });
        },
      }),
    }));
    const { openDatabase } = await import('../../src/engine/duckdb.js');
    await expect(openDatabase()).rejects.toMatchObject({
      message: "Parquet, and --engine duckdb, take DuckDB's Node client, which is not installed",
      hint: 'npm install @duckdb/node-api@1.5.6-r.1 (with -g where capfit itself is installed so)',
      isMissing: true,
    });
    vi.doUnmock('node:module');
  });
});
