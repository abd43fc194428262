import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParquet } from '../../src/engine/parquet-read.js';
import { writeParquet } from '../../src/engine/parquet-write.js';
import { digestOf } from '../../src/formats/csv/digest.js';
import { runOfRecord } from '../../src/formats/record.js';
import type { Depth } from '../../src/model/depth.js';
import { figuresIn, type RunFigures } from '../../src/model/figures.js';
import type { Json } from '../../src/model/json.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../../src/model/status.js';
import { createRunTable, type RunTable } from '../../src/model/table.js';
import { hasClient, makeFile, makeRun, NEEDS_CLIENT, readWhole, scratch } from './client.js';
import { rows, valuesSql } from './made-rows.js';

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
async function scanned(path: string, depth: Depth): Promise<{ table: RunTable; problems: Problem[]; byScan: number }> {
  const table = createRunTable(depth);
  const problems: Problem[] = [];
  let byScan = 0;
  await readParquet(
    path,
    makeRun,
    {
      codeForTool: (tool) => table.codeForTool(tool),
      batch(batch) {
        byScan += batch.runs;
        table.addBatch(batch);
      },
      takeItem(item) {
        if ('kind' in item) problems.push(item);
        else table.add(item);
      },
    },
    depth,
  );
  return { table, problems, byScan };
}

function tableOf(items: readonly (Run | Problem)[]): RunTable {
  const table = createRunTable();
  for (const item of items) if (!('kind' in item)) table.add(item);
  return table;
}

/** What is asked of runs at a depth. */
const SEEN: Readonly<Record<Depth, (table: RunTable) => unknown[]>> = {
  figures: (table) => Array.from(figuresIn(table), figuresFor),
  passes: (table) => Array.from(table, withoutContents),
  calls: (table) => [...table],
};

/** What percentiles and groups are taken from. */
function figuresFor({ status, check, claim, isZeroPass, labels, whole, id }: RunFigures) {
  return { status, check, claim, isZeroPass, labels: [...labels], whole: { ...whole }, id };
}

function withoutContents(run: Run): Run {
  const unknown = { args: undefined, argsDigest: null, result: undefined, resultDigest: null, error: null };
  const passes = run.passes?.map((each) => ({ ...each, calls: each.calls.map((one) => ({ ...one, ...unknown })) }));
  return { ...run, passes: passes ?? null };
}

const DEPTHS = Object.keys(SEEN) as Depth[];

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

  it('gives a table the same runs as one by one, at every depth', async () => {
    const path = at('table.parquet');
    await fc.assert(
      fc.asyncProperty(runs, fc.constantFrom(...DEPTHS), async (made, depth) => {
        await writeParquet(path, made, digestOf);
        const whole = await readWhole(path);
        const { table, problems } = await scanned(path, depth);
        expect(problems).toEqual([]);
        expect(SEEN[depth](table)).toEqual(SEEN[depth](tableOf(whole)));
      }),
      { ...SEED, numRuns: 60 },
    );
  }, 120_000);
});

describe.skipIf(!hasClient)(`the scan of a file (${NEEDS_CLIENT})`, () => {
  const at = scratch();

  it('gives the same runs and problems as the careful reader, whatever the rows', async () => {
    const path = at('rows.parquet');
    let byScan = 0;
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        await makeFile(path, valuesSql(made));
        const whole = await readWhole(path);
        const faults = whole.filter((item) => 'kind' in item);
        for (const depth of DEPTHS) {
          const scan = await scanned(path, depth);
          byScan += scan.byScan;
          // What lies deeper than asked is not looked over.
          if (depth === 'calls') expect(scan.problems).toEqual(faults);
          else for (const problem of scan.problems) expect(faults).toContainEqual(problem);
          if (scan.problems.length < faults.length) continue;
          expect(SEEN[depth](scan.table)).toEqual(SEEN[depth](tableOf(whole)));
        }
      }),
      { seed: 7, numRuns: 60 },
    );
    expect(byScan).toBeGreaterThan(120);
  }, 120_000);
});
