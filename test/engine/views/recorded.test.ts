import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { langfuse } from '../../../src/formats/spans/langfuse.js';
import { otlp } from '../../../src/formats/spans/otlp.js';
import type { Json } from '../../../src/model/json.js';
import { corpusFile, missingCorpus } from '../../formats/corpus-runs.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, warehouseOf } from './chdb.js';
import { type Export, LANGFUSE_TABLES, rowsOfExports } from './langfuse-tables.js';
import { OTEL_TABLES, rowsOfExport } from './otel-tables.js';
import { type PassRow, readShapes, shapesOfRows } from './shape.js';

const FOLDER = 'langfuse-framework-traces';
const FILES = missingCorpus(FOLDER)
  ? []
  : [
      ...readdirSync(corpusFile(FOLDER)).map((name) => `${FOLDER}/${name}`),
      ...['1', '2', '3'].map((number) => `otlp-json-agent-prism/langfuse-${number}.json`),
    ].filter((path) => path.endsWith('.json'));

const WHY = hasChdb ? 'skipped where the recordings are not there: they are private' : NEEDS_CHDB;
const warehouse = warehouseOf([...LANGFUSE_TABLES, ...OTEL_TABLES], 'langfuse-view.sql', 'otel-view.sql');
const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

describe.skipIf(!hasChdb || FILES.length === 0)(`recorded Langfuse traces (${WHY})`, { timeout: PATIENCE }, () => {
  it('count as the reader counts', async () => {
    const texts = FILES.map((path) => readFileSync(corpusFile(path), 'utf8'));
    const exports = texts.map((text) => JSON.parse(text) as Export);
    for (const [table, rows] of Object.entries(rowsOfExports(exports))) warehouse.insert(table, rows);
    const rows = warehouse.select<PassRow>('SELECT * FROM capfit_langfuse ORDER BY run_order, pass');
    const read = (await Promise.all(texts.map((text) => readShapes(langfuse, text)))).flat();
    expect(read).toHaveLength(FILES.length);
    expect(shapesOfRows(rows).sort(byId)).toEqual(read.sort(byId));
  });
});

const OTLP_FILES = missingCorpus('otlp-json-agent-prism')
  ? []
  : ['rag_earnings_agent', 'smol_deep_research_agent'].map((name) => `otlp-json-agent-prism/${name}.json`);

describe.skipIf(!hasChdb || OTLP_FILES.length === 0)(`recorded OTLP traces (${WHY})`, { timeout: PATIENCE }, () => {
  it('count as the reader counts', async () => {
    const texts = OTLP_FILES.map((path) => readFileSync(corpusFile(path), 'utf8'));
    for (const text of texts) warehouse.insert('otel_traces', rowsOfExport(JSON.parse(text) as Json));
    const rows = warehouse.select<PassRow>('SELECT * FROM capfit_otel ORDER BY run_order, pass');
    const read = (await Promise.all(texts.map((text) => readShapes(otlp, text)))).flat();
    expect(read).toHaveLength(OTLP_FILES.length);
    expect(shapesOfRows(rows).sort(byId)).toEqual(read.sort(byId));
  });
});
