import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN_REPEAT, type Policy, type Rule } from '../../src/policy/policy.js';
import { simulate } from '../../src/replay/simulate.js';
import { prepareSweep, type SweepAnswer, sweepGrid } from '../../src/replay/sweep.js';
import { sweptRepeat, withRepeat } from '../../src/replay/sweep-repeat.js';
import { type PolicyRecord, policyRecords, runRecords } from '../arbitraries.js';
import { passes, policy, run } from '../builders.js';
import { capsOf, figuresOf, gridRecords, policyAt, populations, repeatCounts, runsOf, withoutCaps } from './grids.js';

/** The policy of a row, written out: its first repeat rule, or the usual one behind the others, with that count. */
function policyOf(base: PolicyRecord, { caps, repeat }: SweepAnswer): Policy {
  const whole = policyAt(base, caps);
  const rules: Rule[] = [];
  let isFound = false;
  for (const rule of whole.rules) {
    if (rule.rule !== 'repeat' || isFound) {
      rules.push(rule);
      continue;
    }
    isFound = true;
    if (typeof repeat === 'number') rules.push({ ...rule, count: repeat });
  }
  if (!isFound && typeof repeat === 'number') rules.push({ ...PLAIN_REPEAT, name: 'repeats', count: repeat });
  return { ...whole, rules };
}

test('a grid of caps and counts equals the replay of every policy in it', () => {
  const seen = { policies: 0, stops: 0, falseStops: 0, censored: 0, approximate: 0, none: 0, own: 0, usual: 0 };
  fc.assert(
    fc.property(
      runRecords,
      policyRecords,
      gridRecords,
      repeatCounts,
      populations,
      (records, base, grid, counts, population) => {
        const runs = runsOf(records);
        const swept = sweepGrid(prepareSweep(runs, [], population), policy(base), capsOf(grid), counts);
        const isOwn = base.rules?.some(({ rule }) => rule === 'repeat') ?? false;
        const byCaps = sweepGrid(prepareSweep(runs), policy(base), capsOf(grid)).length;
        expect(swept.length).toBe(byCaps * new Set(counts).size);
        for (const [index, answer] of [...swept].entries()) {
          const { by_reason: byReason, repeat, ...figures } = withoutCaps(answer);
          const { by_reason, ...expected } = figuresOf(simulate(runs, policyOf(base, answer), population));
          expect(figures).toEqual(expected);
          expect(swept.falseStops(index)).toBe(expected.false_stops.count);
          if (byReason !== null) expect(byReason).toEqual(by_reason);
          seen.policies++;
          if (answer.stops > 0) seen.stops++;
          if (answer.false_stops.count > 0) seen.falseStops++;
          if (answer.censored > 0) seen.censored++;
          if (answer.approximate) seen.approximate++;
          if (repeat === null) seen.none++;
          else if (isOwn) seen.own++;
          else seen.usual++;
        }
      },
    ),
    { seed: 45, numRuns: 150 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
}, 60_000);

describe('counts', () => {
  const calls = (count: number): object => ({
    passes: passes(count, { calls: [{ tool: 'poll', args: 1, result: 2 }] }),
  });
  const runs = [run(calls(2)), run(calls(4), 2), run({ ...calls(9), status: 'halted_error', check: 'failed' }, 3)];

  test('change slowest, ascending and each once, none last', () => {
    const swept = sweepGrid(prepareSweep(runs), policy({}), { passes: [5, null] }, [null, 4, 3, 4]);
    expect([...swept].map(({ caps, repeat, stops, false_stops }) => [caps, repeat, stops, false_stops.count])).toEqual([
      [{ passes: 5 }, 3, 2, 1],
      [{ passes: null }, 3, 2, 1],
      [{ passes: 5 }, 4, 1, 0],
      [{ passes: null }, 4, 1, 0],
      [{ passes: 5 }, null, 1, 0],
      [{ passes: null }, null, 0, 0],
    ]);
  });

  test('are tried without any cap, too', () => {
    const swept = sweepGrid(prepareSweep(runs), policy({ caps: { passes: 7 } }), {}, [2]);
    expect([...swept].map(({ caps, repeat, stops }) => [caps, repeat, stops])).toEqual([[{ passes: 7 }, 2, 2]]);
  });

  test('are not told where none is tried', () => {
    expect('repeat' in sweepGrid(prepareSweep(runs), policy({}), { passes: [5] }).at(0)).toBe(false);
  });

  test('keep the place and the settings of the rule that they are of', () => {
    const rules = [
      { rule: 'idle', count: 9 },
      { rule: 'repeat', key: 'request', count: 3, exempt: ['poll'] },
      { rule: 'stale', count: 4 },
    ];
    const base = policy({ rules });
    expect(sweptRepeat(base)).toBe(base.rules[1]);
    expect(withRepeat(base, 7).rules).toEqual([base.rules[0], { ...base.rules[1], count: 7 }, base.rules[2]]);
    expect(withRepeat(base, null).rules).toEqual([base.rules[0], base.rules[2]]);
    const none = policy({ rules: [rules[0]] });
    expect(withRepeat(none, 2).rules).toEqual([none.rules[0], { ...PLAIN_REPEAT, count: 2 }]);
    expect(withRepeat(none, null).rules).toEqual(none.rules);
  });
});
