import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParquet, readParquetFigures } from '../../src/engine/parquet-read.js';
import { writeParquet } from '../../src/engine/parquet-write.js';
import { digestOf } from '../../src/formats/csv/digest.js';
import { runOfRecord } from '../../src/formats/record.js';
import { figuresOf, type RunFigures } from '../../src/model/figures.js';
import type { Json } from '../../src/model/json.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../../src/model/status.js';
import { createRunTable, type RunTable } from '../../src/model/table.js';
import { hasClient, makeFile, makeRun, NEEDS_CLIENT, readWhole, scratch } from './client.js';

const SEED = { seed: 42, numRuns: 30 };

const hostile = fc.constantFrom(
  ...["'", '"', '\\', ',', '\n', '\0', '\u202e', '.', 'a', 'A', '😀', 'é', '\ufffd', '{', 'label.'],
);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: hostile }), fc.constantFrom('search', 'poll'));
const word = text.filter((each) => each !== '');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 4 });
const content = fc
  .oneof(fc.constantFrom<unknown>({ a: 1, b: 2 }, { b: 2, a: 1 }, '1', 1, ''), fc.jsonValue(), text)
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);
/** Four of them still sum exactly. */
const atoms = fc.oneof(fc.nat(3000), fc.integer({ min: 0, max: 2 ** 51 - 1 }));

const call = fc.record(
  { tool: word, args: content, args_digest: word, result: content, result_digest: word, error: fc.boolean() },
  { requiredKeys: ['tool'] },
);
const pass = fc.record({
  input_tokens: maybe(atoms),
  output_tokens: maybe(atoms),
  cache_read_tokens: maybe(atoms),
  cache_write_tokens: maybe(atoms),
  seconds: maybe(atoms.map((micros) => micros / 1e6)),
  usd: maybe(atoms.map((nanos) => nanos / 1e9)),
  steps: maybe(fc.nat(9)),
  model: maybe(word),
  calls: fc.array(call, { maxLength: 3 }),
});
const totals = fc.record({
  passes: maybe(fc.nat(70)),
  tokens: maybe(atoms),
  seconds: maybe(atoms.map((micros) => micros / 1e6)),
  usd: maybe(atoms.map((nanos) => nanos / 1e9)),
});
const ending = fc
  .tuple(fc.constantFrom(...STATUSES), fc.constantFrom(...CHECKS))
  .filter(([status, check]) => statusCheckConflict(status, check) === null);
const record = fc.tuple(
  ending,
  fc.record({
    reason: maybe(text),
    claim: maybe(fc.constantFrom(...CLAIMS)),
    blocker: maybe(content),
    evidence: maybe(content),
    labels: fc.dictionary(text, text, { maxKeys: 3 }),
    started_at: maybe(
      fc.constantFrom('2026-03-01T09:00:00Z', '2026-03-01T09:00:00.125Z', '2026-03-01T09:00:00.123456+02:00', '2026'),
    ),
    recorded_under: fc.dictionary(text, fc.double({ min: 1e-9, max: 1e30, noNaN: true }), { maxKeys: 2 }),
    passes: fc.oneof(
      { weight: 5, arbitrary: fc.array(pass, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    totals: maybe(totals),
  }),
);
const runs: fc.Arbitrary<Run[]> = fc
  .uniqueArray(word, { minLength: 1, maxLength: 5 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) => record.map(([[status, check], rest]) => ({ id, status, check, ...rest }) as unknown as Json)),
    ),
  )
  .map((records) => records.map((each) => runOfRecord(each, { file: 'made', line: 1 })));

/** What a table keeps of a run: digests in place of contents, and no totals where none is known. */
function kept(run: Run, file: string): Run {
  const digest = (own: Json | undefined, recorded: string | null) => (own === undefined ? recorded : digestOf(own));
  const isKnown = Object.values(run.totals ?? {}).some((total) => total !== null);
  return {
    ...run,
    totals: isKnown ? run.totals : null,
    extra: null,
    origin: { file, line: null },
    passes:
      run.passes?.map((each) => ({
        ...each,
        calls: each.calls.map((one) => ({
          ...one,
          args: undefined,
          argsDigest: digest(one.args, one.argsDigest),
          result: undefined,
          resultDigest: digest(one.result, one.resultDigest),
        })),
      })) ?? null,
  };
}

/** What a file gives by the scan and, behind it, run by run. */
async function scanned(path: string): Promise<{ table: RunTable; problems: Problem[]; byScan: number }> {
  const table = createRunTable();
  const problems: Problem[] = [];
  let byScan = 0;
  await readParquet(path, makeRun, {
    codeForTool: (tool) => table.codeForTool(tool),
    take(facts, draft) {
      byScan++;
      table.addDraft(facts, draft);
    },
    takeItem(item) {
      if ('kind' in item) problems.push(item);
      else table.add(item);
    },
  });
  return { table, problems, byScan };
}

function tableOf(items: readonly (Run | Problem)[]): RunTable {
  const table = createRunTable();
  for (const item of items) if (!('kind' in item)) table.add(item);
  return table;
}

/** What percentiles and groups are taken from. */
function figuresFor({ status, check, claim, isZeroPass, labels, whole, id }: RunFigures) {
  return { status, check, claim, isZeroPass, labels: [...labels], whole: { ...whole }, id };
}

async function figuresIn(path: string) {
  const figures: unknown[] = [];
  await readParquetFigures(path, makeRun, (item) => figures.push('place' in item ? item : figuresFor(item)));
  return figures;
}

describe.skipIf(!hasClient)(`a Parquet file (${NEEDS_CLIENT})`, () => {
  const at = scratch();

  it('gives back the runs that were written', async () => {
    const path = at('written.parquet');
    await fc.assert(
      fc.asyncProperty(runs, async (made) => {
        expect(await writeParquet(path, made, digestOf)).toBe(made.length);
        expect(await readWhole(path)).toEqual(made.map((run) => kept(run, path)));
      }),
      SEED,
    );
  }, 120_000);

  it('gives a table and figures the same runs as one by one', async () => {
    const path = at('table.parquet');
    await fc.assert(
      fc.asyncProperty(runs, async (made) => {
        await writeParquet(path, made, digestOf);
        const whole = await readWhole(path);
        const { table, problems } = await scanned(path);
        expect(problems).toEqual([]);
        expect([...table]).toEqual([...tableOf(whole)]);
        expect(await figuresIn(path)).toEqual(whole.map((run) => figuresFor(figuresOf(run as Run))));
      }),
      SEED,
    );
  }, 120_000);
});

type Cell = string | number | boolean | null;
type Row = { readonly [column: string]: Cell };

/** Rows in perfect order: those of a run together, a row for every call, passes numbered from 1. */
const tidyRows: fc.Arbitrary<Row[]> = fc
  .array(fc.array(fc.nat(2), { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((callsOfRuns) => callsOfRuns.flatMap((calls, run) => rowsOfRun(`run-${run}`, calls)));

function rowsOfRun(id: string, calls: readonly number[]): Row[] {
  const own = { run_id: id, status: 'done_verified', check: 'passed', started_at: '2026-03-01T09:00:00Z' };
  const noCall = { tool: null, args_digest: null, result_digest: null, error: null };
  const none = { input_tokens: null, output_tokens: null, cache_read_tokens: null, seconds: null, steps: null };
  if (calls.length === 0) return [{ ...own, pass: null, ...none, ...noCall }];
  return calls.flatMap((count, at): Row[] => {
    const figures = { input_tokens: 5 + at, output_tokens: 7, cache_read_tokens: 1, seconds: 0.1, steps: null };
    const row = { ...own, pass: at + 1, ...figures };
    if (count === 0) return [{ ...row, ...noCall }];
    return Array.from({ length: count }, (_, call) => ({
      ...row,
      tool: ['search', 'poll'][call % 2] as string,
      args_digest: 'x',
      result_digest: call === 0 ? 'x' : null,
      error: call === 0,
    }));
  });
}

/** What may be wrong with a cell, or merely uncommon. */
const change = fc.constantFrom<readonly [column: string, cell: Cell]>(
  ...(['run-0', 'other', '', null].map((cell) => ['run_id', cell]) as [string, Cell][]),
  ...(['running', 'done'].map((cell) => ['status', cell]) as [string, Cell][]),
  ...(['none', null].map((cell) => ['check', cell]) as [string, Cell][]),
  ...([null, 0, 1, 2, 9, -1].map((cell) => ['pass', cell]) as [string, Cell][]),
  ...([6, -1, null, 2 ** 53].map((cell) => ['input_tokens', cell]) as [string, Cell][]),
  ...([null, 7.5].map((cell) => ['output_tokens', cell]) as [string, Cell][]),
  ...([-1, null, 2].map((cell) => ['cache_read_tokens', cell]) as [string, Cell][]),
  ...([0.0000005, 0.0000015, 4e9, -1, null].map((cell) => ['seconds', cell]) as [string, Cell][]),
  ...([3, 1.5].map((cell) => ['steps', cell]) as [string, Cell][]),
  ...(['search', null, ''].map((cell) => ['tool', cell]) as [string, Cell][]),
  ...([null, 'y', ''].map((cell) => ['args_digest', cell]) as [string, Cell][]),
  ...([null, true].map((cell) => ['error', cell]) as [string, Cell][]),
  ...(['today', '2026-03-01T09:00:00.5+01:00', '2026-02-30T09:00:00Z', null].map((cell) => ['started_at', cell]) as [
    string,
    Cell,
  ][]),
);

/** Rows as somebody's pipeline may have left them: all in order, or a cell changed, or a row moved or lost. */
const rows: fc.Arbitrary<Row[]> = fc
  .tuple(
    tidyRows,
    fc.array(fc.tuple(fc.nat(20), change), { maxLength: 2 }),
    fc.option(fc.tuple(fc.nat(20), fc.nat(20))),
  )
  .map(([tidy, changes, move]) => {
    const made = [...tidy];
    for (const [at, [column, cell]] of changes) {
      const place = at % made.length;
      made[place] = { ...(made[place] as Row), [column]: cell };
    }
    if (move === null || made.length === 1) return made;
    const [moved] = made.splice(move[0] % made.length, 1);
    if (move[1] % 3 > 0) made.splice(move[1] % made.length, 0, moved as Row);
    return made;
  });

const TYPES: { readonly [column: string]: string } = {
  pass: 'INTEGER',
  input_tokens: 'BIGINT',
  output_tokens: 'DOUBLE',
  cache_read_tokens: 'SMALLINT',
  seconds: 'DOUBLE',
  steps: 'DOUBLE',
  error: 'BOOLEAN',
};

function valuesSql(made: readonly Row[]): string {
  const names = Object.keys(made[0] as Row);
  const value = (each: Row, name: string): string => {
    const cell = each[name] ?? null;
    const literal = typeof cell === 'string' ? `'${cell}'` : String(cell);
    return `${literal}::${TYPES[name] ?? 'VARCHAR'}`;
  };
  const lines = made.map((each) => `(${names.map((name) => value(each, name)).join(', ')})`);
  return `SELECT * FROM (VALUES ${lines.join(', ')}) AS t(${names.map((name) => `"${name}"`).join(', ')})`;
}

describe.skipIf(!hasClient)(`the scan of a file (${NEEDS_CLIENT})`, () => {
  const at = scratch();

  it('gives the same runs and problems as the careful reader, whatever the rows', async () => {
    const path = at('rows.parquet');
    let byScan = 0;
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        await makeFile(path, valuesSql(made));
        const whole = await readWhole(path);
        const scan = await scanned(path);
        byScan += scan.byScan;
        expect(scan.problems).toEqual(whole.filter((item) => 'kind' in item));
        expect([...scan.table]).toEqual([...tableOf(whole)]);
      }),
      { seed: 7, numRuns: 70 },
    );
    expect(byScan).toBeGreaterThan(40);
  }, 120_000);
});
