import fc from 'fast-check';
import { runOfRecord } from '../../src/formats/record.js';
import { toAtoms } from '../../src/model/atoms.js';
import type { Json } from '../../src/model/json.js';
import type { LimitName, Metric } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import type { Policy } from '../../src/policy/policy.js';
import type { ReplayReport } from '../../src/replay/result.js';
import type { GridCaps, SweepAnswer, SweepResult } from '../../src/replay/sweep.js';
import type { Extent } from '../../src/replay/sweep-extent.js';
import { type PolicyRecord, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';

export function runsOf(records: readonly object[]): Run[] {
  return records.map((record, index) => runOfRecord(record as Json, { file: 'a', line: index + 1 }));
}

/** The figures of a replay that a sweep answers. */
export function figuresOf(report: ReplayReport): Omit<SweepAnswer, 'caps'> {
  return {
    false_stops: { count: report.false_stops.count, rate: report.false_stops.rate },
    stops: Object.values(report.by_reason).reduce((sum, { count }) => sum + count, 0),
    by_reason: Object.fromEntries(Object.entries(report.by_reason).map(([reason, { count }]) => [reason, count])),
    spend: report.spend,
    censored: report.censored,
    approximate: report.approximate,
    bounds: report.bounds,
  };
}

export function withoutCaps({ caps: _, ...figures }: SweepAnswer): Omit<SweepAnswer, 'caps'> {
  return figures;
}

export const populations = fc.record({ claimed: fc.boolean(), finishedOnly: fc.boolean() });

/** Caps of a grid in units, as policies have them. */
export const gridRecords = fc.record(
  {
    passes: fc.array(fc.option(fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 4 }),
    tokens: fc.array(fc.option(fc.integer({ min: 1, max: 250 })), { minLength: 1, maxLength: 4 }),
    seconds: fc.array(fc.option(fc.constantFrom(0.1, 0.3, 0.5, 1, 2.5, 6, 0.000001)), { minLength: 1, maxLength: 3 }),
    usd: fc.array(fc.option(fc.constantFrom(0.1, 0.3, 0.000000001, 1, 2.4)), { minLength: 1, maxLength: 3 }),
    steps: fc.array(fc.option(fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);

export function capsOf(grid: { readonly [limit in LimitName]?: readonly (number | null)[] }): GridCaps {
  return Object.fromEntries(
    Object.entries(grid).map(([limit, caps]) => [
      limit,
      caps.map((cap) => (cap === null ? null : toAtoms(limit as LimitName, cap))),
    ]),
  );
}

/** The policy that a row of a grid stands for. */
export function policyAt(base: PolicyRecord, caps: SweepAnswer['caps']): Policy {
  const kept = Object.entries(caps).filter(([, cap]) => cap !== null);
  return policy({ ...base, caps: Object.fromEntries(kept) });
}

/** Counts of a repeat rule to try. */
export const repeatCounts = fc.array(fc.option(fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 4 });

/** Many runs of a few kinds, so that caps give up a good run here and there. */
export const manyRuns = fc.array(runRecords, { minLength: 1, maxLength: 3 }).map((lists) => runsOf(lists.flat()));

const amount = fc.integer({ min: 0, max: 30 });
const toldPass = fc.record({
  input_tokens: amount,
  output_tokens: amount,
  seconds: fc.constantFrom(0, 0.1, 0.3, 1, 2.5),
  usd: fc.constantFrom(0, 0.1, 0.25, 1),
  calls: fc.array(fc.constantFrom({ tool: 'poll', args: 7, result: 'pending' }, { tool: 'read', args: 1, result: 2 }), {
    maxLength: 2,
  }),
});
const toldEnding = fc.constantFrom(
  ...[
    { status: 'done_verified', check: 'passed' },
    { status: 'done_verified', check: 'passed' },
  ],
  { status: 'halted_error', check: 'failed', reason: 'provider_error' },
);

/** Runs whose record leaves nothing open: every figure is known, and none was stopped while recording. */
export const toldRuns = fc
  .array(fc.tuple(toldEnding, fc.array(toldPass, { minLength: 1, maxLength: 9 })), { minLength: 2, maxLength: 25 })
  .map((list) => runsOf(list.map(([ending, passes], index) => ({ id: `t${index}`, ...ending, passes }))));

/** Figures of a sweep that were never swept: false stops and spend of each policy, in atoms. */
export function madeUp(
  metric: Metric,
  policies: readonly (readonly [falseStops: number, spend: bigint])[],
  extents: readonly Extent[] = policies.map(([stops, spend]) => ({
    falseStops: [stops, stops],
    spend: [spend, spend],
  })),
): SweepResult {
  const at = (policy: number): readonly [number, bigint] => policies[policy] as readonly [number, bigint];
  return {
    length: policies.length,
    population: 'verified',
    runs: 100,
    verified: 100,
    recorded: { passes: null, tokens: null, seconds: null, usd: null, [metric]: { spend: 1, known_runs: 100 } },
    falseStops: (policy) => at(policy)[0],
    replayed: (_, policy) => at(policy)[1],
    extentOf: (_, policy) => extents[policy] as Extent,
    countedExtentOf: (_, policy) => extents[policy] as Extent,
    at: () => {
      throw new Error('not swept');
    },
    [Symbol.iterator]: () => [][Symbol.iterator](),
  };
}
