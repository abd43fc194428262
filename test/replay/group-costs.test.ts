import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../../src/calibrate/options.js';
import { isInPopulation } from '../../src/calibrate/population.js';
import { runOfRecord } from '../../src/formats/record.js';
import { toAtoms } from '../../src/model/atoms.js';
import type { Json } from '../../src/model/json.js';
import { METRICS } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { EMPTY_POLICY } from '../../src/policy/policy.js';
import { groupCosts } from '../../src/replay/group-costs.js';
import type { GroupCosts, GroupOutcome } from '../../src/replay/group-result.js';
import { simulate } from '../../src/replay/simulate.js';
import { runRecords } from '../arbitraries.js';
import { passes, run } from '../builders.js';

function costsOf(runs: readonly Run[], options: Partial<DeriveOptions> = {}): GroupCosts {
  const resolved = { ...DERIVE_DEFAULTS, by: ['task'], ...options };
  return groupCosts(runs, derive(runs, resolved), resolved);
}

/** Runs of a task, of 1 to `count` passes times `scale`. */
function task(name: string, count: number, scale: number, fields: object = {}): Run[] {
  return Array.from({ length: count }, (_, i) =>
    run({ id: `${name}-${i}`, labels: { task: name }, passes: passes((i + 1) * scale), ...fields }),
  );
}

/** 400 short ones, 20 long ones: the caps of all are those of the short ones. */
const MIXED = [
  ...task('short', 400, 1).map((each, i) => ({ ...each, passes: (each.passes ?? []).slice(0, 1 + (i % 10)) })),
  ...task('long', 20, 5),
];
const P95 = { p: { num: 95n, den: 100n } };

describe('one policy for all', () => {
  const costs = costsOf(MIXED, P95);

  test('costs the smaller group its long runs, which caps of its own would spare', () => {
    expect(costs.weighed).toBe('tokens');
    expect(
      costs.groups.map(({ labels, verified, pooled, own, extra_false_stops, more_to_claim }) => ({
        labels,
        verified,
        pooled: pooled.false_stops.count,
        own: own.false_stops.count,
        extra_false_stops,
        more_to_claim,
      })),
    ).toEqual([
      { labels: { task: 'short' }, verified: 400, pooled: 0, own: 0, extra_false_stops: 0, more_to_claim: 0 },
      { labels: { task: 'long' }, verified: 20, pooled: 18, own: 0, extra_false_stops: 18, more_to_claim: 39 },
    ]);
    expect(costs.verdict).toBe(
      'One policy for all costs 18 more false stops in task=long than its own would (18 against 0 of 20).',
    );
    expect(costs.notes).toEqual([
      expect.stringMatching(/^A group's own caps are judged on the runs that they were taken from/),
      'Too few successes for caps of their own to bear out the accepted rate with 95 % confidence: task=long (needs 39 more).',
      'A policy for one group alone: for instance --where task=short.',
    ]);
    expect(costs.groups[1]?.pooled).toMatchObject({
      caps: { passes: 12, usd: null },
      false_stops: { rate: 0.9, ci95: [expect.closeTo(0.683, 3), expect.closeTo(0.9877, 3)], at_most: null },
    });
  });

  test('costs the cheaper group spend on its failures', () => {
    const stuck = task('short', 1, 900, { status: 'stopped_budget', check: 'failed', reason: 'passes' });
    const { verdict, groups } = costsOf([...MIXED, ...task('long', 400, 1), ...stuck], P95);
    expect(groups[0]?.extra_spend).toBeGreaterThan(0.05);
    expect(verdict).toMatch(/It spends \d[\d.]* % more tokens in task=short than its own caps would\.$/);
  });

  test('groups too small are named with what they need', () => {
    const { groups, left_out } = costsOf([...MIXED, ...task('new', 3, 2)], P95);
    expect(groups.map(({ labels }) => labels)).toEqual([{ task: 'short' }, { task: 'long' }]);
    expect(left_out).toEqual([
      {
        labels: { task: 'new' },
        verified: 3,
        more_to_compare: 7,
        more_to_claim: 56,
        reason:
          '3 verified successes; 7 more to be compared at all, 56 more before caps of its own could bear out the accepted rate',
      },
    ]);
  });

  test.each([
    ['no run', [], 'No group has 10 successes, so none can have caps of its own.'],
    [
      'one group',
      task('short', 12, 1),
      'Only one group is large enough for caps of its own, so there is nothing to weigh.',
    ],
    [
      'small groups',
      [...task('a', 2, 1), ...task('b', 1, 1)],
      'No group has 10 successes, so none can have caps of its own.',
    ],
    [
      'alike',
      [...task('a', 40, 1), ...task('b', 40, 1)],
      'One policy for all makes no more false stops in any group than its own caps would.',
    ],
  ])('%s: said in words', (_, runs, verdict) => {
    expect(costsOf(runs).verdict).toBe(verdict);
  });
});

test('where a cap cannot judge a group, whether it stops more is not told', () => {
  const half = task('a', 20, 1).map((_, i) =>
    run({ id: `a${i}`, labels: { task: 'a' }, passes: null, totals: { passes: 5, tokens: 100 + i } }, i + 1),
  );
  const costs = costsOf([...half, ...task('b', 20, 1)], { ...P95, padding: { num: 1n, den: 1n } });
  expect(costs.verdict).toMatch(
    /Whether one policy for all makes more false stops than a group's own caps cannot be told for task=a \(0 to 20 against 0 of 20\)\.$/,
  );
  expect(costs.verdict).not.toMatch(/no more false stops in any group/);
});

test('each group under each caps equals a replay of its runs alone, from a table or not', () => {
  let groups = 0;
  const inAtoms = (caps: GroupOutcome['caps']) =>
    Object.fromEntries(
      METRICS.flatMap((metric) => (caps[metric] === null ? [] : [[metric, toAtoms(metric, caps[metric])]])),
    );
  fc.assert(
    fc.property(fc.array(runRecords, { minLength: 14, maxLength: 16 }), fc.boolean(), (lists, claimed) => {
      const runs = lists
        .flat()
        .map((each, i) => runOfRecord({ ...each, id: `r-${i}` } as Json, { file: 'a', line: i + 1 }));
      const options = {
        ...DERIVE_DEFAULTS,
        by: ['kind'],
        claimed,
        p: { num: 8n, den: 10n },
        padding: { num: 1n, den: 1n },
      };
      const derived = derive(runs, options);
      const costs = groupCosts(runs, derived, options);
      const table = createRunTable();
      for (const each of runs) table.add(each);
      expect(groupCosts(table, derived, options)).toEqual(costs);
      for (const { labels, runs: count, verified, pooled, own } of costs.groups) {
        const its = runs.filter((each) => (each.labels.get('kind') ?? null) === labels.kind);
        expect([count, verified]).toEqual([its.length, its.filter((each) => isInPopulation(each, options)).length]);
        expect(inAtoms(pooled.caps)).toEqual(derived.caps);
        for (const outcome of [pooled, own]) {
          const report = simulate(its, { ...EMPTY_POLICY, caps: inAtoms(outcome.caps) }, { claimed });
          const { runs: _, ...figures } = report.false_stops;
          expect(outcome.false_stops).toMatchObject(figures);
          expect(outcome.spend).toEqual(report.spend);
        }
        groups++;
      }
    }),
    { seed: 42, numRuns: 25 },
  );
  expect(groups).toBeGreaterThan(50);
});
