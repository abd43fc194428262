import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRICS } from '../../src/model/limits.js';
import { createRunTable } from '../../src/model/table.js';
import { simulate } from '../../src/replay/simulate.js';
import { prepareSweep, sweep, sweepGrid } from '../../src/replay/sweep.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { passes, policy, run } from '../builders.js';
import { capsOf, figuresOf, gridRecords, policyAt, populations, runsOf, withoutCaps } from './grids.js';

describe('a sweep equals the replay of every policy', () => {
  test('of a list', () => {
    const seen = { stops: 0, falseStops: 0, rules: 0, censored: 0, approximate: 0, perhaps: 0 };
    fc.assert(
      fc.property(
        runRecords,
        fc.array(policyRecords, { minLength: 1, maxLength: 6 }),
        populations,
        (records, fields, population) => {
          const runs = runsOf(records);
          const policies = fields.map((each) => policy(each));
          const swept = sweep(prepareSweep(runs, [], population), policies);
          for (const [index, each] of policies.entries()) {
            const report = simulate(runs, each, population);
            const answer = swept.at(index);
            expect(withoutCaps(answer)).toEqual(figuresOf(report));
            expect(swept.verified).toBe(report.verified);
            for (const metric of METRICS) {
              expect(swept.recorded[metric]?.spend).toBe(report.spend[metric]?.recorded);
            }
            if (answer.stops > 0) seen.stops++;
            if (answer.false_stops.count > 0) seen.falseStops++;
            if (each.rules.some(({ name }) => (answer.by_reason?.[name] ?? 0) > 0)) seen.rules++;
            if (answer.censored > 0) seen.censored++;
            if (answer.approximate) seen.approximate++;
            if (answer.bounds !== null && answer.bounds.false_stops[0] !== answer.bounds.false_stops[1]) seen.perhaps++;
          }
        },
      ),
      { seed: 42, numRuns: 1_000 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  }, 60_000);

  test('of a grid', () => {
    const seen = { policies: 0, stops: 0, falseStops: 0, censored: 0, approximate: 0 };
    fc.assert(
      fc.property(runRecords, policyRecords, gridRecords, populations, (records, base, grid, population) => {
        const runs = runsOf(records);
        const swept = sweepGrid(prepareSweep(runs, [], population), policy(base), capsOf(grid));
        for (const answer of swept) {
          const { by_reason: byReason, ...figures } = withoutCaps(answer);
          const { by_reason, ...expected } = figuresOf(simulate(runs, policyAt(base, answer.caps), population));
          expect(figures).toEqual(expected);
          if (byReason !== null) expect(byReason).toEqual(by_reason);
          seen.policies++;
          if (answer.stops > 0) seen.stops++;
          if (answer.false_stops.count > 0) seen.falseStops++;
          if (answer.censored > 0) seen.censored++;
          if (answer.approximate) seen.approximate++;
        }
      }),
      { seed: 43, numRuns: 200 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  }, 60_000);

  test('where sums outgrow the whole numbers that doubles hold', () => {
    const most = 2 ** 53 - 1;
    const large = (tokens: number): object => ({ input_tokens: tokens, output_tokens: 0 });
    const runs = [1, 2, 3, 4].map((line) => run({ passes: [large(most - 3), large(2), large(1)] }, line));
    const grid = sweepGrid(prepareSweep(runs), policy({}), { passes: [1, 2, null], tokens: [most - 2, null] });
    const policies = [...grid].map(({ caps }) => policyAt({ capfit: 'policy/v1', caps: {} }, caps));
    const expected = policies.map((each) => figuresOf(simulate(runs, each)).spend);
    expect([...grid].map(({ spend }) => spend)).toEqual(expected);
    expect([...sweep(prepareSweep(runs), policies)].map(({ spend }) => spend)).toEqual(expected);
  });

  test('of no run at all', () => {
    const swept = sweepGrid(prepareSweep([]), policy({}), { passes: [3, null] });
    expect([...swept].map(withoutCaps)).toEqual(
      [policy({ caps: { passes: 3 } }), policy({})].map((each) => ({
        ...figuresOf(simulate([], each)),
        by_reason: null,
      })),
    );
  });
});

test('a grid comes ascending, none last, the last limit fastest, and keeps what is not swept', () => {
  const base = policy({ caps: { passes: 9, tokens: 700 }, rules: [{ rule: 'idle', count: 9 }] });
  const swept = sweepGrid(prepareSweep([run({ passes: passes(4) })]), base, { usd: [2e9, null], passes: [3, 2, 3] });
  expect([...swept].map(({ caps }) => caps)).toEqual([
    { passes: 2, tokens: 700, usd: 2 },
    { passes: 2, tokens: 700, usd: null },
    { passes: 3, tokens: 700, usd: 2 },
    { passes: 3, tokens: 700, usd: null },
  ]);
});

test('runs are prepared once, in a table or not, and asked again and again', () => {
  const runs = [run({ passes: passes(4) }), run({ passes: passes(9), status: 'stopped_budget', check: 'failed' }, 2)];
  const table = createRunTable();
  for (const each of runs) table.add(each);
  const prepared = prepareSweep(table);
  const policies = [policy({ caps: { passes: 3 } }), policy({ caps: { tokens: 900 } })];
  const once = [...sweep(prepared, policies)];
  expect([...sweep(prepared, policies)]).toEqual(once);
  expect([...sweep(prepareSweep(runs), policies)]).toEqual(once);
  expect(once.map(({ stops, by_reason }) => [stops, by_reason])).toEqual([
    [2, { passes: 2 }],
    [0, { tokens: 0 }],
  ]);
});
