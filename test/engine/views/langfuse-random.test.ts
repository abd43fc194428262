import { describe, expect, it } from 'vitest';
import { langfuse } from '../../../src/formats/spans/langfuse.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, warehouseOf } from './chdb.js';
import { randomExports } from './langfuse-random.js';
import { LANGFUSE_TABLES, rowsOfExports } from './langfuse-tables.js';
import { type PassRow, readShapes, shapesOfRows } from './shape.js';

describe.skipIf(!hasChdb)(`random Langfuse traces (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(LANGFUSE_TABLES, 'langfuse-view.sql');

  it('are the same runs in the tables and in the export', async () => {
    const exports = randomExports(500, 42);
    for (const [table, rows] of Object.entries(rowsOfExports(exports))) warehouse.insert(table, rows);
    const rows = warehouse.select<PassRow>('SELECT * FROM capfit_langfuse ORDER BY run_order, pass');
    const read = await readShapes(langfuse, exports.map((each) => JSON.stringify(each)).join('\n'));
    expect(read).toHaveLength(500);
    expect(shapesOfRows(rows)).toEqual(read);
  });
});
