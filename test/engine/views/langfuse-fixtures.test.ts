import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { langfuse } from '../../../src/formats/spans/langfuse.js';
import { hasChdb, NEEDS_CHDB, PATIENCE, warehouseOf } from './chdb.js';
import { LANGFUSE_TABLES, observationRow, scoreRow, traceRow } from './langfuse-tables.js';
import { type PassRow, type RunShape, readShapes, shapesOfRows } from './shape.js';

const FIXTURES = join(import.meta.dirname, '../../formats/fixtures/langfuse');

/** Fixtures that Langfuse's tables cannot hold as they are, and why. */
const LEFT_OUT: { readonly [name: string]: string } = {
  'bad-records': 'no tables hold records that cannot be read',
  'cut-document': 'no tables hold half a file',
  'cut-list': 'no tables hold half a file',
  'blob-storage-export': 'the same observations in snake case',
  clocks: 'the tables keep milliseconds',
  'api-page': 'traces of which the observations are not there',
  'observations-and-scores': 'labels of an observation that has no trace',
  'older-api-trace': 'usage under names from before there were these tables',
  'observation-lines': 'labels of an observation that has no trace',
  'observation-list': 'labels of an observation that has no trace',
  'exported-twice': 'labels of an observation that has no trace',
  'scores-trusted': 'an option of the command line',
  'idle-gap': 'an option of the command line',
  'sub-agent-ignore': 'an option of the command line',
  'sub-agent-separate': 'an option of the command line',
};

type Fields = { readonly [name: string]: unknown };

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Tells the ids of one fixture from those of all others. */
const own = (name: string, id: unknown): string => `${name}/${String(id)}`;

function rowsOf(name: string, text: string): { [table: string]: Fields[] } {
  const rows: { [table: string]: Fields[] } = { traces: [], observations: [], scores: [] };
  for (const value of valuesOf(text)) {
    const trace = (value.trace ?? value) as Fields;
    const id = trace.id ?? listOf(value.observations)[0]?.traceId;
    const key = own(name, id);
    if (trace.id !== undefined) rows.traces?.push(traceRow({ ...trace, id: key }));
    for (const each of listOf(value.observations ?? trace.observations)) {
      const [self, parent] = [each.id, each.parentObservationId].map((inner) => own(key, inner));
      const more = { id: self, trace_id: key, parent_observation_id: each.parentObservationId == null ? null : parent };
      rows.observations?.push({ ...observationRow(each, key), ...more });
    }
    const scores = [...listOf(trace.scores), ...(trace === value ? [] : listOf(value.scores))];
    rows.scores?.push(...scores.map((score, index) => scoreRow({ ...score, id: null }, key, index)));
  }
  return rows;
}

/** The traces of a document, a list, a page or lines. */
function valuesOf(text: string): Fields[] {
  try {
    const whole = JSON.parse(text) as Fields | Fields[];
    return (Array.isArray(whole) ? whole : [whole]).flatMap((each) =>
      listOf(each.data).concat(each.data ? [] : [each]),
    );
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line) as Fields);
  }
}

const byId = (a: RunShape, b: RunShape): number => (a.id < b.id ? -1 : 1);

describe.skipIf(!hasChdb)(`the view over Langfuse's tables (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(LANGFUSE_TABLES, 'langfuse-view.sql');

  it('finds in the tables what the reader finds in the export, for the fixtures of the reader', async () => {
    const read: RunShape[] = [];
    for (const name of readdirSync(FIXTURES).filter((each) => LEFT_OUT[each] === undefined)) {
      const file = readdirSync(join(FIXTURES, name)).find((each) => !/^(?:expected|options)\.json$/.test(each));
      const text = readFileSync(join(FIXTURES, name, file as string), 'utf8');
      for (const [table, rows] of Object.entries(rowsOf(name, text))) warehouse.insert(table, rows);
      read.push(...(await readShapes(langfuse, text)).map((run) => ({ ...run, id: own(name, run.id) })));
    }
    const rows = warehouse.select<PassRow>('SELECT * FROM capfit_langfuse ORDER BY run_order, pass');
    expect(read.length).toBeGreaterThan(50);
    expect(shapesOfRows(rows).sort(byId)).toEqual(read.sort(byId));
  });
});
