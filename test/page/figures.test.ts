import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRICS } from '../../src/model/limits.js';
import { figuresUnder } from '../../src/page/figures.js';
import { createReplayer } from '../../src/page/replayer.js';
import { simulate } from '../../src/replay/simulate.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';
import { recordsOf, tableOf } from './pages.js';

const populations = fc.record({ claimed: fc.boolean(), finishedOnly: fc.boolean() });

describe('the figures of a page', () => {
  test('are those of a replay, whatever the runs and the policy, again and again', () => {
    fc.assert(
      fc.property(
        runRecords,
        fc.array(policyRecords, { minLength: 1, maxLength: 3 }),
        populations,
        fc.constantFrom(...METRICS),
        (records, fields, population, metric) => {
          const replayer = createReplayer(tableOf(records));
          for (const each of fields.map((record) => policy(record))) {
            const { replay } = figuresUnder(replayer, each, { population, label: 'kind', metric });
            expect(replay).toEqual(simulate(tableOf(records), each, population));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('tell the spend of every run for which it is known, once, and every stop', () => {
    fc.assert(
      fc.property(runRecords, policyRecords, fc.constantFrom(...METRICS), (records, fields, metric) => {
        const replayer = createReplayer(tableOf(records));
        const asked = { population: { claimed: false, finishedOnly: false }, label: 'task', metric };
        const { replay, spend, cut, stops } = figuresUnder(replayer, policy(fields), asked);
        const split = simulate(tableOf(records), policy(fields), { by: ['task'] });
        const sums = { runs: 0, recorded: 0, replayed: 0 };
        for (const { runs, recorded, replayed } of spend) {
          sums.runs += runs;
          sums.recorded += recorded;
          sums.replayed += replayed;
        }
        const known = replay.spend[metric];
        if (known !== null) {
          expect(sums.runs).toBe(known.known_runs);
          expect(sums.recorded).toBeCloseTo(known.recorded, 6);
          expect(sums.replayed).toBeCloseTo(known.replayed, 6);
        }
        const good = cut.filter(({ isGood }) => isGood);
        expect(cut.slice(0, good.length)).toEqual(good);
        expect(good.map(({ id, reason, afterPasses }) => ({ id, reason, after_passes: afterPasses }))).toEqual(
          replay.false_stops.runs,
        );
        const splits = Object.fromEntries(
          Object.entries(split.by_reason)
            .filter(([, { count }]) => count > 0)
            .map(([reason, { by_label }]) => [reason, by_label.task]),
        );
        expect(Object.fromEntries([...stops].map(([reason, values]) => [reason, Object.fromEntries(values)]))).toEqual(
          splits,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('say what became of the spend, run kind by run kind', () => {
    const looping = Array.from({ length: 4 }, () => ({
      ...{ input_tokens: 90, output_tokens: 10, seconds: 0.5 },
      calls: [{ tool: 'look', args: {}, result: 'same', error: false }],
    }));
    const failed = { check: 'failed' };
    const records = [
      ...recordsOf([2, 6]),
      { id: 'stuck', status: 'stopped_budget', reason: 'passes', ...failed, passes: looping },
      ...recordsOf([5], { id: 'wander', status: 'stopped_budget', reason: 'passes', ...failed }),
      ...recordsOf([3], { id: 'halt', status: 'halted_error', reason: 'boom', ...failed }),
      ...recordsOf([3], { id: 'open', status: 'running', check: 'none' }),
      ...recordsOf([3], { id: 'said', status: 'done_claimed', check: 'none' }),
      {
        id: 'total',
        status: 'stopped_budget',
        reason: 'passes',
        ...failed,
        passes: null,
        totals: { passes: 2, tokens: 7 },
      },
    ];
    const { spend } = figuresUnder(createReplayer(tableOf(records)), policy({ caps: { passes: 3 } }), {
      population: { claimed: false, finishedOnly: false },
      label: null,
      metric: 'tokens',
    });
    expect(spend).toEqual([
      { fate: 'good, finished', runs: 1, recorded: 200, replayed: 200 },
      { fate: 'good, cut', runs: 1, recorded: 600, replayed: 300 },
      { fate: 'claimed', runs: 1, recorded: 300, replayed: 300 },
      { fate: 'stuck', runs: 1, recorded: 400, replayed: 300 },
      { fate: 'wandering', runs: 1, recorded: 500, replayed: 300 },
      { fate: 'stopped, passes unknown', runs: 1, recorded: 7, replayed: 7 },
      { fate: 'halted', runs: 1, recorded: 300, replayed: 300 },
      { fate: 'never closed', runs: 1, recorded: 300, replayed: 300 },
    ]);
  });
});
