import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../src/formats/policy/policy-file.js';
import { runOfRecord } from '../../src/formats/record.js';
import type { Json } from '../../src/model/json.js';
import type { Policy } from '../../src/policy/policy.js';
import { replayRun } from '../../src/replay/replay.js';
import {
  type PolicyRecord,
  policyRecords,
  type RuleRecord,
  type RunRecord,
  ruleRecords,
  runRecords,
} from '../arbitraries.js';
import { policy } from '../builders.js';

const CASES = { seed: 42, numRuns: 2000 };
const one = runRecords.map((records) => records[0] as RunRecord);

/** After how many passes the run is stopped; never: beyond all. */
function stopOf(record: RunRecord, fields: object): number {
  const run = runOfRecord(record as unknown as Json, { file: 'runs.jsonl', line: 1 });
  return replayRun(run, policy(fields)).stop?.afterPasses ?? Number.POSITIVE_INFINITY;
}

/** The policy with rules that may be told by other names, so that one more never meets its own. */
function withRules(record: PolicyRecord, rules: readonly RuleRecord[]): object {
  return { ...record, rules: rules.map((rule, i) => ({ ...rule, name: `rule-${i}` })) };
}

const rulesOf = (record: PolicyRecord): RuleRecord[] => (record.rules ?? []) as RuleRecord[];

describe('laws of stopping', () => {
  test('tightening a cap never un-stops a run, nor stops it later', () => {
    const limits = fc.constantFrom('passes', 'tokens', 'seconds', 'usd', 'steps');
    fc.assert(
      fc.property(one, policyRecords, limits, fc.constantFrom(1, 2, 3, 10), (run, record, limit, by) => {
        const cap = record.caps[limit];
        if (cap === undefined) return;
        const whole = limit !== 'seconds' && limit !== 'usd';
        const tighter = whole ? Math.max(1, Math.floor(cap / by)) : Math.max(cap / by, limit === 'usd' ? 1e-9 : 1e-6);
        const caps = { ...record.caps, [limit]: tighter };
        expect(stopOf(run, { ...record, caps })).toBeLessThanOrEqual(stopOf(run, record));
      }),
      CASES,
    );
  });

  test('one more limit never moves a stop later', () => {
    fc.assert(
      fc.property(one, policyRecords, policyRecords, (run, record, other) => {
        const caps = { ...other.caps, ...record.caps };
        expect(stopOf(run, { ...record, caps })).toBeLessThanOrEqual(stopOf(run, record));
      }),
      CASES,
    );
  });

  test('one more rule never moves a stop later, wherever it stands in the list', () => {
    fc.assert(
      fc.property(one, policyRecords, ruleRecords, fc.nat(3), (run, record, rule, at) => {
        const rules = rulesOf(record);
        const more = [...rules.slice(0, at), rule, ...rules.slice(at)];
        expect(stopOf(run, withRules(record, more))).toBeLessThanOrEqual(stopOf(run, withRules(record, rules)));
      }),
      CASES,
    );
  });

  test('a rule that asks for one more never fires before it', () => {
    fc.assert(
      fc.property(one, ruleRecords, (run, rule) => {
        const more = { ...rule, count: rule.count + 1 };
        // A window must hold as many events as are asked for.
        const wide = typeof rule.window === 'number' ? Math.max(rule.window, more.count) : undefined;
        const at = (each: object): number =>
          stopOf(run, { rules: [wide === undefined ? each : { ...each, window: wide }] });
        expect(at(more)).toBeGreaterThanOrEqual(at(rule));
      }),
      CASES,
    );
  });

  test('for a repeat anywhere in the run, one more exempt tool never creates a stop', () => {
    const anywhere = ruleRecords.filter(({ scope }) => scope === 'run');
    fc.assert(
      fc.property(one, anywhere, fc.constantFrom('search', 'read', 'poll'), (run, rule, tool) => {
        const exempt = [...((rule.exempt ?? []) as string[]), tool];
        expect(stopOf(run, { rules: [{ ...rule, exempt }] })).toBeGreaterThanOrEqual(stopOf(run, { rules: [rule] }));
      }),
      CASES,
    );
  });

  test('for one in a row it can: A, poll, A, poll, A', () => {
    const call = (tool: string): object => ({ calls: [{ tool, args: 1, result: 1 }] });
    const run = { id: 'a', status: 'running', passes: [...'ApApA'].map(call).concat({}) } as unknown as RunRecord;
    const rule = { rule: 'repeat', count: 3 };
    expect([stopOf(run, { rules: [rule] }), stopOf(run, { rules: [{ ...rule, exempt: ['p'] }] })]).toEqual([
      Number.POSITIVE_INFINITY,
      5,
    ]);
  });
});

describe('key order and layout of JSON change nothing', () => {
  test('in what calls carry', () => {
    fc.assert(
      fc.property(one, policyRecords, (run, record) => {
        expect(stopOf(disguised(run), record)).toBe(stopOf(run, record));
      }),
      CASES,
    );
  });

  test('in the policy', () => {
    const read = (text: string): Policy | null => readPolicy(text, 'p.json').policy;
    fc.assert(
      fc.property(policyRecords, (record) => {
        expect(read(JSON.stringify(turned(record), null, 3))).toEqual(read(JSON.stringify(record)));
      }),
      { ...CASES, numRuns: 500 },
    );
  });
});

/** Contents of all calls with their keys in another order, or as a text that holds that JSON, laid out. */
function disguised(run: RunRecord): RunRecord {
  const content = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? `\n ${JSON.stringify(turned(value), null, 2)}` : value;
  const passes = (run.passes as { calls?: { args?: unknown; result?: unknown }[] }[] | null)?.map((pass) => ({
    ...pass,
    ...(pass.calls === undefined
      ? {}
      : {
          calls: pass.calls.map((call) => ({
            ...call,
            ...('args' in call ? { args: content(call.args) } : {}),
            ...('result' in call ? { result: content(call.result) } : {}),
          })),
        }),
  }));
  return { ...run, passes: passes ?? null };
}

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, turned(each)]),
  );
}

describe('a rule judged before a tool is run', () => {
  test('never stops later than the same rule at the boundary', () => {
    const early = ruleRecords.filter(({ when }) => when === 'before_dispatch');
    fc.assert(
      fc.property(one, early, (run, rule) => {
        const atBoundary = { ...rule, when: 'before_call' };
        expect(stopOf(run, { rules: [rule] })).toBeLessThanOrEqual(stopOf(run, { rules: [atBoundary] }));
      }),
      CASES,
    );
  });
});
