import { describe, expect, it } from 'vitest';
import { otlp } from '../../../src/formats/spans/otlp.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, warehouseOf } from './chdb.js';
import { randomExports } from './otel-random.js';
import { OTEL_TABLES, rowsOfExport } from './otel-tables.js';
import { type PassRow, readShapes, shapesOfRows } from './shape.js';

describe.skipIf(!hasChdb)(`random OpenTelemetry traces (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(OTEL_TABLES, 'otel-view.sql');

  it('are the same runs in the table and in OTLP', async () => {
    const exports = randomExports(500, 42);
    warehouse.insert('otel_traces', rowsOfExport(exports));
    const rows = warehouse.select<PassRow>('SELECT * FROM capfit_otel ORDER BY run_order, pass');
    const read = await readShapes(otlp, exports.map((each) => JSON.stringify(each)).join('\n'));
    expect(read).toHaveLength(500);
    expect(shapesOfRows(rows)).toEqual(read);
  });
});
