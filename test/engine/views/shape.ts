import { DEFAULT_READING, type Format, isProblem } from '../../../src/formats/format.js';
import { canonical } from '../../../src/model/canonical.js';
import type { Json } from '../../../src/model/json.js';
import type { Run } from '../../../src/model/run.js';
import { itemsOf, sourceOf } from '../../formats/conformance.js';

/** One row of the pass table, as far as the views fill it. */
export interface PassRow {
  readonly run_order: number;
  readonly run_id: string;
  readonly status: string;
  readonly verdict: string;
  readonly claim: string;
  readonly reason: string;
  readonly started_at: string;
  readonly 'labels.name': readonly string[];
  readonly 'labels.value': readonly string[];
  readonly total_tokens: number | null;
  readonly passes_recorded: number;
  readonly pass: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly microseconds: number | null;
  readonly nanodollars: number | null;
  readonly 'calls.tool': readonly string[];
  readonly 'calls.arguments': readonly string[];
  readonly 'calls.result': readonly string[];
  readonly 'calls.failed': readonly number[];
}

interface CallShape {
  readonly tool: string;
  /** Which contents are alike: the number of the first one, `null` where none is recorded. */
  readonly args: number | null;
  readonly result: number | null;
  readonly failed: boolean | null;
}

/** What a run says, from whichever side. */
export interface RunShape {
  readonly id: string;
  readonly status: string;
  readonly verdict: string;
  readonly claim: string | null;
  readonly reason: string | null;
  readonly startedAt: string | null;
  readonly labels: { readonly [name: string]: string };
  readonly totalTokens: number | null;
  readonly passes:
    | readonly {
        readonly input: number | null;
        readonly output: number | null;
        readonly micros: number | null;
        readonly nanos: number | null;
        readonly calls: readonly CallShape[];
      }[]
    | null;
}

/** Numbers contents by their first appearance in a run. */
function numbering(): (content: string | null) => number | null {
  const seen = new Map<string, number>();
  return (content) => {
    if (content === null) return null;
    const number = seen.get(content) ?? seen.size + 1;
    seen.set(content, number);
    return number;
  };
}

const sorted = (labels: Iterable<readonly [string, string]>): { [name: string]: string } =>
  Object.fromEntries([...labels].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The run of a reader. */
export function shapeOfRun(run: Run): RunShape {
  const args = numbering();
  const results = numbering();
  const contentOf = (content: Json | undefined): string | null => (content === undefined ? null : canonical(content));
  return {
    id: run.id,
    status: run.status,
    verdict: run.check,
    claim: run.claim,
    reason: run.reason,
    startedAt: run.startedAt,
    labels: sorted(run.labels),
    totalTokens: run.totals?.tokens ?? null,
    passes:
      run.passes?.map(({ inputTokens, outputTokens, micros, nanos, calls }) => ({
        input: inputTokens,
        output: outputTokens,
        micros,
        nanos,
        calls: calls.map((call) => ({
          tool: call.tool,
          args: args(contentOf(call.args)),
          result: results(contentOf(call.result)),
          failed: call.error,
        })),
      })) ?? null,
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** The run of the rows of one run. */
function shapeOfRows(rows: readonly PassRow[]): RunShape {
  const [first] = rows as readonly [PassRow];
  const args = numbering();
  const results = numbering();
  const passes = rows
    .filter(({ pass }) => pass > 0)
    .map((row) => ({
      input: row.input_tokens,
      output: row.output_tokens,
      micros: row.microseconds,
      nanos: row.nanodollars,
      calls: row['calls.tool'].map((tool, index) => {
        const failed = row['calls.failed'][index] as number;
        return {
          tool,
          args: args(orNull(row['calls.arguments'][index] as string)),
          result: results(orNull(row['calls.result'][index] as string)),
          failed: failed === -1 ? null : failed === 1,
        };
      }),
    }));
  return {
    id: first.run_id,
    status: first.status,
    verdict: first.verdict,
    claim: orNull(first.claim),
    reason: orNull(first.reason),
    startedAt: orNull(first.started_at),
    labels: sorted(first['labels.name'].map((name, index) => [name, first['labels.value'][index] as string])),
    totalTokens: first.total_tokens,
    passes: first.passes_recorded === 1 ? passes : null,
  };
}

/** The runs of a view, in their order; rows come by run and pass. */
export function shapesOfRows(rows: readonly PassRow[]): RunShape[] {
  const runs = new Map<number, PassRow[]>();
  for (const row of rows) runs.set(row.run_order, [...(runs.get(row.run_order) ?? []), row]);
  return [...runs.values()].map(shapeOfRows);
}

/** The runs that a reader finds in a file, by start and id as the views give them. */
export async function readShapes(format: Format, text: string): Promise<RunShape[]> {
  const items = await itemsOf(format, sourceOf('input', Buffer.from(text)), DEFAULT_READING);
  const runs = items.filter((item): item is Run => !isProblem(item)).map(shapeOfRun);
  const keyOf = ({ startedAt, id }: RunShape): string => `${startedAt ?? ''} ${id}`;
  return runs.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
