import { describe, expect, it } from 'vitest';
import { hasChdb, NEEDS_CHDB, PATIENCE, viewSql, warehouseOf } from './chdb.js';
import { LANGFUSE_TABLES } from './langfuse-tables.js';
import { OTEL_TABLES } from './otel-tables.js';

const VIEWS = ['capfit_langfuse', 'capfit_otel'];
const MOMENT = '2026-11-03 10:00:00';

interface Column {
  readonly name: string;
  readonly type: string;
}

describe.skipIf(!hasChdb)(`the views and the pass table (${NEEDS_CHDB})`, { timeout: PATIENCE }, () => {
  const warehouse = warehouseOf(
    [...LANGFUSE_TABLES, ...OTEL_TABLES],
    'langfuse-view.sql',
    'otel-view.sql',
    'pass-table.sql',
  );
  const columnsOf = (table: string): Column[] =>
    warehouse.select<Column>(`SELECT name, type FROM system.columns WHERE table = '${table}' ORDER BY position`);

  it.each(VIEWS)('%s has exactly its columns', (view) => {
    expect(columnsOf(view)).toEqual(columnsOf('capfit_passes'));
  });

  it('rows of the views can be kept in it as they are', () => {
    warehouse.insert('observations', [
      {
        id: 'g',
        trace_id: 'l',
        project_id: 'p',
        type: 'GENERATION',
        start_time: MOMENT,
        name: 'chat',
        event_ts: MOMENT,
      },
      {
        id: 't',
        trace_id: 'l',
        project_id: 'p',
        type: 'TOOL',
        start_time: MOMENT,
        name: 'look',
        event_ts: MOMENT,
        input: 'x',
      },
    ]);
    const SpanAttributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': '3' };
    warehouse.insert('otel_traces', [{ TraceId: 'o', SpanId: 's', Timestamp: MOMENT, Duration: 5000, SpanAttributes }]);
    for (const view of VIEWS) warehouse.run(`INSERT INTO capfit_passes SELECT * FROM ${view}`);
    const both = VIEWS.flatMap((view) => warehouse.select(`SELECT * FROM ${view}`));
    expect(both).toHaveLength(2);
    expect(warehouse.select('SELECT * FROM capfit_passes ORDER BY run_id')).toEqual(both);
  });
});

describe('the two views', () => {
  it('count by the same rules, word for word', () => {
    const rulesOf = (file: string): string =>
      /^-- From here on both views are alike[\s\S]*^runs AS\n\([\s\S]*?^\),$/m.exec(viewSql(file))?.[0] ?? file;
    expect(rulesOf('otel-view.sql')).toBe(rulesOf('langfuse-view.sql'));
  });
});
