import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import { parseDecimal } from '../../src/model/decimal.js';
import type { Json } from '../../src/model/json.js';
import type { Policy } from '../../src/policy/policy.js';
import { replayRun } from '../../src/replay/replay.js';
import { type Edit, edited, relationOf, scaled } from '../../src/replay/whatif-edit.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';

const rule = (fields: object): object => ({ rule: 'repeat', ...fields });
const made = policy({
  name: 'p',
  caps: { passes: 20, seconds: 0.3 },
  rules: [rule({ count: 3 }), { rule: 'stale' }],
  measured: { runs: 9 },
});
const edit = (fields: Partial<Edit>): Edit => ({ caps: {}, addRules: [], removeRules: [], ...fields });

describe('edited(policy, edit)', () => {
  test('sets caps, takes them away, and changes nothing else but what was measured', () => {
    expect(edited(made, edit({ caps: { passes: 12, seconds: null, tokens: 500, usd: null } }))).toEqual({
      ...made,
      caps: { passes: 12, tokens: 500 },
      measured: null,
    });
  });

  test('a rule can be exchanged under its own name', () => {
    const [other] = policy({ rules: [rule({ count: 9 })] }).rules;
    const result = edited(made, edit({ removeRules: ['repeats'], addRules: other === undefined ? [] : [other] }));
    expect(result.rules.map(({ name, count }) => [name, count])).toEqual([
      ['stale', 3],
      ['repeats', 9],
    ]);
  });

  test('refuses a rule that is not there, and a name that is taken', () => {
    expect(() => edited(made, edit({ removeRules: ['idle'] }))).toThrow('no rule is named idle');
    expect(() => edited(made, edit({ addRules: made.rules.slice(0, 1) }))).toThrow('two rules are named repeats');
  });
});

describe('scaled(policy, factor)', () => {
  const by = (factor: string, caps: object): Policy['caps'] =>
    scaled(policy({ caps }), parseDecimal(factor) as { num: bigint; den: bigint }).caps;

  test.each([
    ['1.1', { passes: 10 }, { passes: 11 }],
    ['0.8', { passes: 7, tokens: 460_000, steps: 1 }, { passes: 6, tokens: 368_000, steps: 1 }],
    ['0.7', { seconds: 0.3, usd: 0.1 }, { seconds: 210_000, usd: 70_000_000 }],
    ['0.0000001', { passes: 100, seconds: 1 }, { passes: 1, seconds: 1 }],
    ['1', { usd: 0.000000001 }, { usd: 1 }],
    ['3', {}, {}],
  ])('times %s, exact and rounded up', (factor, caps, expected) => {
    expect(by(factor, caps)).toEqual(expected);
  });

  test('refuses what grows beyond exact numbers', () => {
    expect(() => by('1000', { tokens: Number.MAX_SAFE_INTEGER })).toThrow('the tokens cap grows beyond exact numbers');
  });
});

describe('relationOf(today, candidate)', () => {
  test.each([
    [{ caps: { passes: 20 } }, { caps: { passes: 20 } }, 'same'],
    [{ caps: { passes: 20 } }, { name: 'q', caps: { passes: 20 }, order: ['tokens'] }, 'same'],
    [{ caps: { passes: 20 } }, { caps: { passes: 19 } }, 'stricter'],
    [{ caps: { passes: 20 } }, { caps: { passes: 20, usd: 1 } }, 'stricter'],
    [{ caps: { passes: 20 } }, { caps: { passes: 21 } }, 'looser'],
    [{ caps: { passes: 20 } }, {}, 'looser'],
    [{ caps: { passes: 20, tokens: 9 } }, { caps: { passes: 10, tokens: 10 } }, 'mixed'],
    [{}, { rules: [{ rule: 'idle' }] }, 'stricter'],
    [{ rules: [rule({ count: 4 })] }, { rules: [rule({ count: 3, name: 'other' })] }, 'stricter'],
    [{ rules: [rule({})] }, { rules: [rule({ exempt: ['poll'] })] }, 'mixed'],
    [{ rules: [rule({ key: 'request' })] }, { rules: [rule({ key: 'request', when: 'before_dispatch' })] }, 'stricter'],
    [{ caps: { steps: 9 } }, { caps: { steps: 9 }, steps_at: 'dispatch' }, 'stricter'],
    [{}, { steps_at: 'dispatch' }, 'same'],
  ])('%j and %j: %s', (today, candidate, relation) => {
    expect(relationOf(policy(today), policy(candidate))).toBe(relation);
    const opposite: { [word: string]: string } = { stricter: 'looser', looser: 'stricter' };
    expect(relationOf(policy(candidate), policy(today))).toBe(opposite[relation] ?? relation);
  });

  test('holds on any runs: the stricter policy stops each no later', () => {
    const seen = { same: 0, stricter: 0, looser: 0, mixed: 0 };
    const tighter = fc.record({ passes: fc.integer({ min: 0, max: 2 }), tokens: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(
        runRecords,
        policyRecords,
        policyRecords,
        tighter,
        fc.boolean(),
        (records, first, other, less, isNear) => {
          // Two policies at random are seldom one stricter than the other.
          const near = {
            ...first,
            caps: Object.fromEntries(
              Object.entries(first.caps).map(([limit, cap]) => [
                limit,
                limit === 'passes' || limit === 'tokens' ? Math.max(1, cap - less[limit]) : cap,
              ]),
            ),
            rules: [...(first.rules ?? []), { rule: 'idle', name: 'more' }],
          };
          const [one, two] = [policy(first), policy(isNear ? near : other)];
          const relation = relationOf(one, two);
          seen[relation]++;
          for (const [line, record] of records.entries()) {
            const run = runOfRecord(record as unknown as Json, { file: 'a', line: line + 1 });
            const [before, after] = [one, two].map(
              (each) => replayRun(run, each).stop?.afterPasses ?? Number.POSITIVE_INFINITY,
            ) as [number, number];
            if (relation === 'same') expect(after).toBe(before);
            if (relation === 'stricter') expect(after).toBeLessThanOrEqual(before);
            if (relation === 'looser') expect(after).toBeGreaterThanOrEqual(before);
          }
        },
      ),
      { seed: 42, numRuns: 800 },
    );
    expect(seen.stricter).toBeGreaterThan(150);
    expect(seen.mixed).toBeGreaterThan(150);
  });
});
