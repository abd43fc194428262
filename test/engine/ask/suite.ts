import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { derive } from '../../../src/calibrate/derive.js';
import type { DeriveOptions } from '../../../src/calibrate/options.js';
import { DERIVE_DEFAULTS } from '../../../src/calibrate/options.js';
import type { PopulationOptions } from '../../../src/calibrate/population.js';
import type { RunCondition } from '../../../src/calibrate/questions.js';
import type { Link } from '../../../src/engine/ask/dialect.js';
import { questionsOf } from '../../../src/engine/ask/questions.js';
import type { Run } from '../../../src/model/run.js';
import type { Policy } from '../../../src/policy/policy.js';
import { deriveAsked } from '../../../src/replay/asked-derive.js';
import { beatenCapsAsked, replayAsked } from '../../../src/replay/asked-replay.js';
import { isUncountable, sweepAsked } from '../../../src/replay/asked-sweep.js';
import { beatenCapsOf } from '../../../src/replay/calibrate.js';
import { deriveReplayed } from '../../../src/replay/derive-replayed.js';
import { diagnoseRecorded } from '../../../src/replay/diagnosis-recorded.js';
import { mixedTasksIn, repeatsInSuccesses } from '../../../src/replay/evidence.js';
import { hidden } from '../../../src/replay/hidden.js';
import { simulate } from '../../../src/replay/simulate.js';
import { type GridCaps, prepareSweep, sweepGrid } from '../../../src/replay/sweep.js';
import { policyRecords, type RunRecord, runRecords } from '../../arbitraries.js';
import { policy as policyOf } from '../../builders.js';
import { capsOf, gridRecords, populations, runsOf } from '../../replay/grids.js';

/** Opens a database that holds these runs, in their order. */
export type OpenLink = (runs: readonly Run[]) => Promise<Link>;

/** One thing to ask of some runs. */
export interface Case {
  readonly runs: readonly Run[];
  readonly policies: readonly Policy[];
  readonly population: PopulationOptions;
  readonly by: readonly string[];
  readonly derive: Partial<DeriveOptions>;
  readonly grid: GridCaps;
}

const HOSTILE = [
  "it's",
  'a"b`c\\',
  "'; DROP TABLE runs; --",
  '\u0001\n\t\r',
  '🦜 größe',
  '%s {x:String} $1 ?',
  '\\N',
  'NULL',
  'é',
  'e\u0301',
  '-- /* x */',
] as const;

const hostile = fc.constantFrom(...HOSTILE);

const decorated = fc.record(
  {
    labels: fc.dictionary(
      fc.constantFrom('kind', "o'label", '🦜', 'task'),
      fc.oneof(hostile, fc.constantFrom('x', 'y')),
      {
        maxKeys: 3,
      },
    ),
    recorded_under: fc.record(
      {
        passes: fc.integer({ min: 1, max: 12 }),
        tokens: fc.integer({ min: 1, max: 300 }),
        seconds: fc.constantFrom(0.5, 2.5, 10),
        usd: fc.constantFrom(0.1, 2.4),
        steps: fc.integer({ min: 1, max: 30 }),
      },
      { requiredKeys: [] },
    ),
    id: hostile,
  },
  { requiredKeys: [] },
);

/** Runs with ids, labels and tools of strangers. */
const strangeRuns: fc.Arbitrary<Run[]> = fc
  .tuple(runRecords, fc.array(decorated, { minLength: 12, maxLength: 12 }))
  .map(([records, more]) =>
    runsOf(
      records.map((record, index): RunRecord => {
        const { id, labels, ...rest } = more[index] ?? {};
        const own = (record.labels ?? {}) as object;
        return { ...record, ...rest, id: `${id ?? 'run'} ${index}`, labels: { ...own, ...labels } };
      }),
    ),
  );

export const cases: fc.Arbitrary<Case> = fc
  .record({
    runs: strangeRuns,
    policies: fc.array(policyRecords, { minLength: 1, maxLength: 3 }),
    population: populations,
    by: fc.constantFrom<string[]>([], [], ['kind'], ["o'label"], ['kind', '🦜']),
    p: fc.constantFrom({ num: 1n, den: 2n }, { num: 9n, den: 10n }, { num: 99n, den: 100n }),
    method: fc.constantFrom('nearest-rank' as const, 'linear' as const),
    partialUsd: fc.boolean(),
    grid: gridRecords.filter((grid) => Object.keys(grid).length > 0),
  })
  .map(({ runs, policies, population, by, p, method, partialUsd, grid }) => ({
    runs,
    policies: policies.map((record) => policyOf(record)),
    population,
    by,
    derive: { p, method, partialUsd },
    grid: capsOf(grid),
  }));

/** How many random cases are tried: few where each takes seconds, more where somebody asks for more (CAPFIT_CASES). */
export function numberOfCases(usual: number): number {
  return Number(process.env.CAPFIT_CASES ?? usual);
}

/** A set of runs of whom every figure is published, asked for groups as well. */
export function workedExample(): Case {
  const lines = readFileSync('datasets/worked-example/runs.jsonl', 'utf8').trim().split('\n');
  return {
    runs: runsOf(lines.map((line) => JSON.parse(line) as object)),
    policies: [
      policyOf({ caps: { passes: 26, tokens: 460_000, seconds: 270 }, rules: [{ rule: 'repeat', count: 3 }] }),
    ],
    population: { claimed: false, finishedOnly: false },
    by: ['kind'],
    derive: {},
    grid: capsOf({ passes: [10, 20, 30, null], tokens: [100_000, 400_000, null], seconds: [150, null] }),
  };
}

/** Answers in memory: the reference. */
export function inMemory({ runs, policies, population, by, derive: options, grid }: Case): object {
  const resolved: DeriveOptions = { ...DERIVE_DEFAULTS, ...options, ...population, by };
  const derived = deriveReplayed(runs, resolved);
  const hid = hidden(runs, derive(runs, resolved), resolved);
  const found = diagnoseRecorded({ derive: derived.report, hidden: hid, mixedTasks: mixedTasksIn(runs, population) });
  const prepared = prepareSweep(runs, [], population);
  return {
    derive: { ...derived.report, warnings: [...derived.report.warnings, ...found], hidden: hid },
    caps: derived.caps,
    replays: policies.map((policy) => {
      const replay = simulate(runs, policy, { ...population, by });
      const rule = policy.rules.find((each) => each.rule === 'repeat');
      return {
        replay,
        beaten: [...beatenCapsOf(runs, policy, replay)],
        repeated: rule === undefined ? [] : [...repeatsInSuccesses(runs, population, rule)],
      };
    }),
    sweep: [...sweepGrid(prepared, policyOf({}), grid)],
  };
}

/** The same asked of a database; a sweep that it cannot count takes the place of one that memory bounds. */
export async function asked(link: Link, of: Case, where: readonly RunCondition[] = []): Promise<object> {
  const { policies, population, by, derive: options, grid } = of;
  const questions = questionsOf(link, where);
  try {
    const { report, caps } = await deriveAsked(questions, { ...options, ...population, by });
    const replays: object[] = [];
    for (const policy of policies) {
      const replay = await replayAsked(questions, policy, { ...population, by });
      const rule = policy.rules.find((each) => each.rule === 'repeat');
      const tools = rule === undefined ? [] : await questions.repeatedTools(rule, population);
      replays.push({
        replay,
        beaten: [...(await beatenCapsAsked(questions, policy, replay))],
        repeated: tools.map(({ tool, runs }) => [tool, runs]),
      });
    }
    const sweep = await sweepAsked(questions, policyOf({}), grid, population);
    return { derive: report, caps, replays, sweep: isUncountable(sweep) ? sweep : [...sweep] };
  } finally {
    await questions.close();
  }
}

/** What both must say: JSON, with the sweep left out where the database says that it cannot count it. */
export function comparable(answer: object, other: object): string {
  const { sweep, ...rest } = answer as { sweep: unknown };
  const isLeftOut = [sweep, (other as { sweep: unknown }).sweep].some((each) => !Array.isArray(each));
  return JSON.stringify(isLeftOut ? rest : { sweep, ...rest }, null, 1);
}
