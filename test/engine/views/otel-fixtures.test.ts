import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otlp } from '../../../src/formats/spans/otlp.js';
import type { Json } from '../../../src/model/json.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, warehouseOf } from './chdb.js';
import { OTEL_TABLES, rowsOfExport } from './otel-tables.js';
import { type PassRow, type RunShape, readShapes, shapesOfRows } from './shape.js';

const FIXTURES = join(import.meta.dirname, '../../formats/fixtures/otlp');

/** Fixtures that the exporter's table cannot hold as they are, and why. */
const LEFT_OUT: { readonly [name: string]: string } = {
  'bad-lines': 'no table holds records that cannot be read',
  truncated: 'no table holds half a file',
};

const byId = (a: RunShape, b: RunShape): number => (a.id < b.id ? -1 : 1);

function valuesOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Json);
  }
}

describe.skipIf(!hasChdb)(`the view over the exporter's table (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(OTEL_TABLES, 'otel-view.sql');

  it('finds in the table what the reader finds in OTLP, for the fixtures of the reader', async () => {
    const read: RunShape[] = [];
    for (const name of readdirSync(FIXTURES).filter((each) => LEFT_OUT[each] === undefined)) {
      const file = readdirSync(join(FIXTURES, name)).find((each) => !/^(?:expected|options)\.json$/.test(each));
      const text = readFileSync(join(FIXTURES, name, file as string), 'utf8');
      warehouse.insert('otel_traces', rowsOfExport(valuesOf(text), `${name}/`));
      read.push(...(await readShapes(otlp, text)).map((run) => ({ ...run, id: `${name}/${run.id}` })));
    }
    const rows = warehouse.select<PassRow>('SELECT * FROM capfit_otel ORDER BY run_order, pass');
    expect(read.length).toBeGreaterThan(25);
    expect(shapesOfRows(rows).sort(byId)).toEqual(read.sort(byId));
  });
});
