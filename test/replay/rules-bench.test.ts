import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import { fromAtoms } from '../../src/model/atoms.js';
import type { Json } from '../../src/model/json.js';
import { METRICS, type Metric } from '../../src/model/limits.js';
import { isVerifiedSuccess, passCount } from '../../src/model/measure.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { EMPTY_POLICY, exempting, PLAIN_REPEAT, type Policy, type Rule } from '../../src/policy/policy.js';
import { findPreset } from '../../src/policy/presets.js';
import { replayRun } from '../../src/replay/replay.js';
import { benchRules } from '../../src/replay/rules-bench.js';
import type { RuleFigures, Saved } from '../../src/replay/rules-result.js';
import { PLAIN_RULES } from '../../src/replay/rules-sweep.js';
import { simulate } from '../../src/replay/simulate.js';
import { median } from '../../src/stats/summary.js';
import { generateRuns } from '../../src/synth/generate.js';
import { findProfile } from '../../src/synth/profiles.js';
import { runRecords } from '../arbitraries.js';
import { run } from '../builders.js';

const COUNTS = [1, 2, 3, 5];

/** The bench's figures, taken from the replay instead. */
function replayed(runs: readonly Run[], rules: readonly Rule[]): RuleFigures {
  const policy: Policy = { ...EMPTY_POLICY, rules };
  const { false_stops, by_reason } = simulate(runs, policy);
  const stops = Object.values(by_reason).reduce((sum, { count }) => sum + count, 0);
  const caught = runs.filter((each) => !isVerifiedSuccess(each)).map((each) => replayRun(each, policy).stop);
  return {
    false_stops: { count: false_stops.count, rate: false_stops.rate, ci95: false_stops.ci95 },
    caught: stops - false_stops.count,
    median_catch: median(caught.flatMap((stop) => (stop === null ? [] : [stop.afterPasses]))),
    saved: Object.fromEntries(
      METRICS.map((metric) => [metric, savedIn(runs, policy, metric)]),
    ) as unknown as RuleFigures['saved'],
    not_judged: runs.filter((each) => replayRun(each, policy).notJudged.length > 0).length,
  };
}

/** A saving is known where the run's total is, and the counter at the stop is no bound. */
function savedIn(runs: readonly Run[], policy: Policy, metric: Metric): Saved | null {
  const told = runs.map((each) => {
    const { stop, end, endAtLeast } = replayRun(each, policy);
    const whole = replayRun(each, EMPTY_POLICY).end[metric];
    const left = endAtLeast[metric] === end[metric] ? end[metric] : null;
    return {
      isStopped: stop !== null,
      whole: whole ?? 0,
      saving: whole === null || left === null ? null : whole - left,
      tells: whole !== null && (metric === 'passes' || passCount(each) !== 0),
    };
  });
  const known = told.filter(({ saving }) => saving !== null);
  const stopped = told.filter(({ isStopped }) => isStopped);
  const unknown = stopped.filter(({ saving }) => saving === null).length;
  const isTold = told.some(({ tells }) => tells);
  if (!isTold || (unknown > 0 && unknown === stopped.length)) return null;
  const amount = known.reduce((sum, { saving }) => sum + (saving as number), 0);
  const recorded = known.reduce((sum, { whole }) => sum + whole, 0);
  return {
    amount: fromAtoms(metric, amount),
    share: recorded === 0 ? null : amount / recorded,
    known_runs: known.length,
    unknown_stops: unknown,
  };
}

/** Amounts are differences of doubles in the one and exact sums in the other. */
function rounded(figures: RuleFigures): unknown {
  return JSON.parse(
    JSON.stringify(figures, (key, value) => (key === 'amount' ? Math.round((value as number) * 1e9) / 1e9 : value)),
  );
}

describe('benchRules(runs) gives the figures of the replay', () => {
  const records = runRecords.map((each) =>
    each.map((record, i) => runOfRecord(record as unknown as Json, { file: 'runs.jsonl', line: i + 1 })),
  );

  test('for every plain rule at every count, and every preset, whatever is exempt', () => {
    fc.assert(
      fc.property(records, fc.subarray(['search', 'poll']), (runs, exempt) => {
        const { presets, sweep } = benchRules(runs, { counts: COUNTS, exempt });
        for (const { preset, rules: _, stands_for: _s, leaves_out: _l, ...figures } of presets) {
          const rules = exempting(findPreset(preset)?.policy.rules ?? [], exempt);
          expect({ preset, ...(rounded(figures) as object) }).toEqual({
            preset,
            ...(rounded(replayed(runs, rules)) as object),
          });
        }
        for (const [index, { rule, counts }] of sweep.entries()) {
          const plain = PLAIN_RULES[index]?.rule as Rule;
          expect([rule, counts.map(({ count, ...figures }) => [count, rounded(figures)])]).toEqual([
            PLAIN_RULES[index]?.name,
            COUNTS.map((count) => [count, rounded(replayed(runs, exempting([{ ...plain, count }], exempt)))]),
          ]);
        }
      }),
      { seed: 42, numRuns: 150 },
    );
  });

  test('and exemptions end where their steps end, every figure being that of the rules so exempt', () => {
    const loud = records.map((runs) => runs.map((each) => ({ ...each, check: 'passed' as const })));
    fc.assert(
      fc.property(
        fc.tuple(loud, records).map((both) => both.flat()),
        (runs) => {
          const { before, steps, proposed, after, candidates } = benchRules(runs, {
            rules: [{ ...PLAIN_REPEAT, count: 2 }],
            counts: [2],
          }).exemptions;
          const under = (tools: readonly string[]): unknown =>
            rounded(replayed(runs, exempting([{ ...PLAIN_REPEAT, count: 2 }], tools)));
          expect([rounded(before), rounded(after)]).toEqual([under([]), under(proposed)]);
          for (const { tool, alone } of candidates) expect(rounded(alone)).toEqual(under([tool]));
          let now = before;
          for (const step of steps) {
            const saved = now.false_stops.count - step.after.false_stops.count;
            expect(saved).toBeGreaterThan(Math.max(0, now.caught - step.after.caught));
            now = step.after;
          }
        },
      ),
      { seed: 42, numRuns: 200 },
    );
  });

  test('of a table as of the runs put in', () => {
    const runs = [...generateRuns(findProfile('polling-support')!, { runs: 80, seed: 1 })];
    const table = createRunTable();
    for (const each of runs) table.add(each);
    expect(benchRules(table)).toEqual(benchRules(runs));
  });
});

const figures = ({ false_stops, caught, median_catch }: RuleFigures): unknown[] => [
  false_stops.count,
  caught,
  median_catch,
];
const atCount = (report: ReturnType<typeof benchRules>, rule: string, count: number): unknown[] =>
  figures(report.sweep.find((row) => row.rule === rule)!.counts.find((row) => row.count === count)!);

describe('what the sweep counts', () => {
  const call = (tool: string, result: unknown = 'same'): object => ({
    calls: [{ tool, args: 1, result, error: false }],
  });
  const tokens = { input_tokens: 90, output_tokens: 10 };
  const of = (id: string, letters: string, ending: object = {}): Run =>
    run({ id, passes: [...letters].map((tool) => ({ ...tokens, ...(tool === '-' ? {} : call(tool)) })), ...ending });
  const lost = { status: 'stopped_budget', check: 'failed' };

  test('false stops, catches, the middle pass of these, and what was not spent', () => {
    const report = benchRules(
      [of('good', 'abcaaa-'), of('late', 'abcaaa'), of('stuck', 'bbbbbb', lost), of('stuck too', 'cabbbb', lost)],
      { counts: [3, 4, 9] },
    );
    const [three, four, nine] = report.sweep[0]!.counts;
    expect([three, four, nine].map((row) => figures(row as RuleFigures))).toEqual([
      [1, 2, 4],
      [0, 1, 4],
      [0, 0, null],
    ]);
    expect(three?.false_stops).toMatchObject({ rate: 0.5 });
    // good: 1 pass; stuck: 3 passes; stuck too: 1 pass. The streak of late ends with the run.
    expect(three?.saved.tokens).toEqual({ amount: 500, share: 5 / 25, known_runs: 4, unknown_stops: 0 });
    expect(three?.saved.usd).toBeNull();
  });

  test('counts are taken once each, in ascending order', () => {
    expect(benchRules([of('a', 'a')], { counts: [4, 2, 4] }).sweep[0]?.counts.map(({ count }) => count)).toEqual([
      2, 4,
    ]);
  });

  test('A,B,A,B walks past period 1 and is caught by period 2', () => {
    const runs = [...generateRuns(findProfile('alternating')!, { runs: 400, seed: 20260304 })];
    const report = benchRules(runs);
    const stuck = runs.filter(({ labels }) => labels.get('kind') === 'stuck').length;
    const [goodBefore, caughtBefore] = atCount(report, 'repeat call', 3);
    const [good, caught] = atCount(report, 'repeat call, period 2', 3);
    expect([stuck > 50, goodBefore, caughtBefore, good, caught]).toEqual([true, 0, 0, 0, stuck]);
  });

  test('says what could not be judged, and why', () => {
    const blind = run({ id: 'blind', passes: [{ calls: [{ tool: 'a', args: 1 }] }, {}] });
    const total = run({ id: 'total', passes: null, totals: { passes: 4 } });
    const report = benchRules([of('a', 'ab'), blind, total], { counts: [3] });
    const unjudged = Object.fromEntries(report.sweep.map(({ rule, counts }) => [rule, counts[0]?.not_judged]));
    expect(unjudged).toEqual({
      'repeat call': 2,
      'repeat request': 1,
      'repeat result': 2,
      'repeat call, period 2': 2,
      'repeat request, whole run': 1,
      stale: 2,
      errors: 2,
      idle: 1,
    });
    expect(report.warnings.map(({ code }) => code)).toEqual([
      'no_passes',
      ...Array.from({ length: 5 }, () => 'not_judged'),
    ]);
    expect(benchRules([total]).warnings.map(({ code }) => code)).toEqual(['no_passes', 'no_calls']);
    expect(benchRules([of('a', 'aaa-', lost)]).warnings.map(({ code }) => code)).toEqual(['no_verified']);
  });

  const totalOnly = (id: string, letters: string, tokens: number): Run =>
    run({
      id,
      passes: [...letters].map((tool) => call(tool)),
      totals: { passes: letters.length, tokens },
      ...lost,
    });

  test('a saving that the passes do not tell is unknown, never 0, and its run leaves the sum', () => {
    const told = [of('good', 'abc'), of('stuck', 'bbbb', lost)];
    const some = benchRules([...told, totalOnly('total', 'aaaaa', 900)], { counts: [3, 5] });
    expect(some.sweep[0]?.counts.map(({ saved }) => saved.tokens)).toEqual([
      { amount: 100, share: 1 / 7, known_runs: 2, unknown_stops: 1 },
      { amount: 0, share: 0, known_runs: 3, unknown_stops: 0 },
    ]);
    expect(some.warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        'saving_unknown',
        'up to 1 run that one rule stops does not tell the tokens used by then: what that saves is unknown and left out',
      ],
    ]);
    const none = benchRules([of('good', 'abc'), totalOnly('total', 'aaaaa', 900)], { counts: [3] });
    expect(none.sweep[0]?.counts[0]?.saved).toEqual({
      passes: { amount: 2, share: 2 / 8, known_runs: 2, unknown_stops: 0 },
      tokens: null,
      seconds: null,
      usd: null,
    });
  });

  test('presets are compared in a metric that all of them tell', () => {
    const good = of('good', 'abcd-');
    const stuck = of('stuck', 'aaaaaaaa', lost);
    expect(benchRules([good, stuck])).toMatchObject({ compared_by: 'tokens', best_preset: 'crewai' });
    expect(benchRules([good, totalOnly('total', 'aaaaaaaa', 900)])).toMatchObject({
      compared_by: 'passes',
      best_preset: 'crewai',
    });
    expect(benchRules([totalOnly('total', 'aaaaaaaa', 900)])).toMatchObject({
      compared_by: 'passes',
      best_preset: null,
    });
  });

  test('a rule that stopped the run has judged it, whatever some calls lacked', () => {
    const holed = run({
      id: 'holed',
      passes: [{ calls: [{ tool: 'a', args: 1, error: false }] }, ...[1, 2, 3, 4].map(() => call('a'))],
      ...lost,
    });
    expect(benchRules([holed], { counts: [3, 9] }).sweep[0]?.counts.map((row) => [row.caught, row.not_judged])).toEqual(
      [
        [1, 0],
        [0, 1],
      ],
    );
  });

  test('says where no arguments are recorded', () => {
    const bare = (id: string, letters: string): Run =>
      run({ id, passes: [...letters].map((tool) => ({ calls: [{ tool, result: 1, error: false }] })) });
    const digests = run({
      passes: ['x', 'y'].map((args_digest) => ({ calls: [{ tool: 'a', args_digest, result: 1, error: false }] })),
    });
    const { warnings } = benchRules([bare('a', 'aa'), bare('b', 'aba'), bare('once', 'ab'), digests, of('c', 'aa')]);
    expect(warnings.filter(({ code }) => code === 'arguments_missing')).toEqual([
      {
        code: 'arguments_missing',
        message:
          '2 of 5 runs call a tool again and record no arguments at all: there every call of a tool counts as the same request',
        hint: expect.stringContaining('args_digest'),
      },
    ]);
  });

  test('the best preset saves most within the accepted rate', () => {
    const runs = [of('good', 'aabcd-'), ...['s1', 's2'].map((id) => of(id, 'aaaaaaaa', lost))];
    expect(benchRules(runs).best_preset).not.toBe('crewai');
    expect(benchRules(runs, { acceptedRate: 1 }).best_preset).toBe('crewai');
    expect(benchRules([of('good', 'ab')]).best_preset).toBeNull();
  });
});

describe('exemptions', () => {
  const made = (tools: string, ending: object = {}): Run =>
    run({
      passes: [...tools].map((tool) => ({ calls: [{ tool, args: 1, result: 1 }] })).concat({} as never),
      ...ending,
    });
  const bad = { status: 'running', check: 'none' };
  const of = (runs: readonly Run[]): unknown => {
    const { candidates, steps, before, after } = benchRules(runs).exemptions;
    return {
      candidates: candidates.map(({ tool, successes }) => [tool, successes]),
      steps: steps.map(({ tools }) => tools.join('+')),
      falseStops: [before.false_stops.count, after.false_stops.count],
      caught: [before.caught, after.caught],
    };
  };

  test('a polling tool of successes is proposed, the tool of stuck runs is not', () => {
    expect(of([made('appp'), made('bpppp'), made('aaab', bad), made('bbbb', bad)])).toEqual({
      candidates: [['p', 2]],
      steps: ['p'],
      falseStops: [2, 0],
      caught: [2, 2],
    });
  });

  test('the tool that saves most comes first', () => {
    expect(of([made('ppp'), made('qqq'), made('qqqq'), made('aqqq')])).toMatchObject({ steps: ['q', 'p'] });
  });

  test('no gain where as many catches are lost as successes saved', () => {
    expect(of([made('ppp'), made('ppp', bad)])).toMatchObject({
      candidates: [['p', 1]],
      steps: [],
      falseStops: [1, 1],
    });
    expect(of([made('ppp'), made('pppa'), made('ppp', bad)])).toMatchObject({ steps: ['p'], caught: [1, 0] });
  });

  test('tools that only together set a success free are proposed together', () => {
    expect(of([made('pppqqq')])).toEqual({
      candidates: [
        ['p', 1],
        ['q', 1],
      ],
      steps: ['p+q'],
      falseStops: [1, 0],
      caught: [0, 0],
    });
  });

  test('an exemption that joins the calls around it is followed up, or not made', () => {
    // Without p the three a come in a row, so p alone saves nothing.
    expect(of([made('apppapppa')])).toMatchObject({ steps: ['a+p'], falseStops: [1, 0] });
  });

  test('a streak that is complete in the last pass stops nothing, so its tool needs no exemption', () => {
    const ends = run({ passes: [...'pppqqq'].map((tool) => ({ calls: [{ tool, args: 1, result: 1 }] })) });
    expect(of([ends])).toMatchObject({ candidates: [['p', 1]], steps: ['p'], falseStops: [1, 0] });
  });

  test('nothing can be exempt from a rule that counts passes', () => {
    const silent = run({ passes: [{}, {}, {}, {}] });
    const idle = findPreset('openhands')!.policy.rules;
    const { candidates, steps, before } = benchRules([silent], { rules: idle }).exemptions;
    expect([candidates, steps, before.false_stops.count]).toEqual([[], [], 1]);
  });

  test('the polling profile: its status tool, and no other', () => {
    const runs = [...generateRuns(findProfile('polling-support')!, { runs: 400, seed: 20260303 })];
    expect(of(runs)).toMatchObject({ steps: ['get_job_status'], falseStops: [expect.any(Number), 0] });
  });
});
