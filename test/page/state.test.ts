import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capIn,
  countIn,
  fragmentOf,
  keyOf,
  misreadIn,
  policyFor,
  recordFor,
  type State,
  stateIn,
  stateOf,
  stateText,
} from '../../src/page/state.js';
import type { PolicyRecord } from '../../src/policy/policy-record.js';
import { pagePolicy } from '../../src/report/page-data.js';
import { policyRecords } from '../arbitraries.js';
import { policy } from '../builders.js';

const BASE = {
  capfit: 'policy/v1',
  name: 'support',
  caps: { passes: 26, tokens: 460_000, steps: 90 },
  rules: [
    { rule: 'stale', count: 4 },
    { rule: 'repeat', key: 'request', count: 3, exempt: ['poll'] },
    { rule: 'repeat', name: 'other', count: 9 },
  ],
  halt_on: ['guardrail'],
  measured: { runs: 400 },
} as const satisfies PolicyRecord;

const NOTHING: State = { caps: { passes: null, tokens: null, seconds: null, usd: null }, repeat: null };

const caps = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 1e9 }));
const amounts = fc.oneof(
  caps,
  fc.integer({ min: 1, max: 1e9 }).map((micros) => micros / 1e6),
);
const states: fc.Arbitrary<State> = fc.record({
  caps: fc.record({
    passes: caps,
    tokens: caps,
    seconds: amounts,
    usd: amounts.filter((amount) => amount === null || amount < 1e6),
  }),
  repeat: fc.oneof(fc.constant(null), fc.integer({ min: 2, max: 9_999 })),
});

describe('what the controls say', () => {
  test('is what the policy says, of the first repeat rule', () => {
    expect(stateOf(BASE)).toEqual({ caps: { passes: 26, tokens: 460_000, seconds: null, usd: null }, repeat: 3 });
    expect(stateOf({ capfit: 'policy/v1' })).toEqual(NOTHING);
    expect([keyOf(BASE), keyOf({ capfit: 'policy/v1' })]).toEqual(['request', 'call']);
  });

  test('left alone is the policy of the file', () => {
    fc.assert(
      fc.property(policyRecords, (fields) => {
        const read = policy(fields);
        const record = pagePolicy(read);
        expect(policyFor(record, stateOf(record))).toEqual({ ...read, measured: null });
      }),
    );
  });

  test('changes caps and that one count, and nothing else', () => {
    const { measured: _, ...rest } = BASE;
    const tried: State = { caps: { ...NOTHING.caps, passes: 9, usd: 0.25 }, repeat: 5 };
    const [stale, repeat, other] = BASE.rules;
    expect(recordFor(BASE, tried)).toEqual({
      ...rest,
      caps: { passes: 9, usd: 0.25, steps: 90 },
      rules: [stale, { ...repeat, count: 5 }, other],
    });
  });

  test('takes the rule away, and brings one where there is none', () => {
    const [stale, , other] = BASE.rules;
    expect(recordFor(BASE, NOTHING).rules).toEqual([stale, other]);
    const added = recordFor({ capfit: 'policy/v1', rules: [stale] }, { ...NOTHING, repeat: 4 });
    expect(added.rules).toEqual([stale, { rule: 'repeat', key: 'call', count: 4 }]);
  });

  test('is told in words', () => {
    expect(stateText(NOTHING)).toBe('no cap');
    expect(stateText({ caps: { passes: 1, tokens: 20_000, seconds: 1.5, usd: 2 }, repeat: 3 })).toBe(
      '1 pass, 20,000 tokens, 1.5 s, $2.00, 3 repeats',
    );
  });
});

describe('the fragment of an address', () => {
  test('says all that the controls say', () => {
    expect(fragmentOf({ caps: { passes: 20, tokens: null, seconds: 0.5, usd: null }, repeat: 3 })).toBe(
      'passes=20&tokens=none&seconds=0.5&usd=none&repeat=3',
    );
    fc.assert(
      fc.property(states, states, (state, otherwise) => {
        expect(stateIn(`#${fragmentOf(state)}`, otherwise)).toEqual(state);
      }),
    );
  });

  test('that says little or nonsense leaves the rest as it is', () => {
    const otherwise: State = { caps: { passes: 26, tokens: 100, seconds: null, usd: null }, repeat: 3 };
    expect(misreadIn('#passes=-3&tokens=20&repeat=1&__proto__=1')).toEqual(['passes', 'repeat']);
    expect([misreadIn('#cap=1'), misreadIn('#passes=30&tokens=none'), misreadIn('')]).toEqual([[], null, null]);
    expect(stateIn('', otherwise)).toEqual(otherwise);
    expect(stateIn('#sizes', otherwise)).toEqual(otherwise);
    expect(stateIn('#passes=-3&tokens=many&seconds=NaN&repeat=1&__proto__=1', otherwise)).toEqual(otherwise);
    expect(stateIn('#passes=30', otherwise)).toEqual({ ...otherwise, caps: { ...otherwise.caps, passes: 30 } });
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void stateIn(text, otherwise)));
  });
});

describe('what somebody types', () => {
  test.each([
    ['passes', '26', 26],
    ['passes', '2.5', undefined],
    ['passes', '0', undefined],
    ['passes', '-1', undefined],
    ['passes', '1e999', undefined],
    ['tokens', '460,000', 460_000],
    ['tokens', '460_000', 460_000],
    ['tokens', '4e5', 400_000],
    ['seconds', '0.25', 0.25],
    ['seconds', '0.0000001', undefined],
    ['usd', '0.000000001', 0.000000001],
    ['usd', '$1', undefined],
    ['usd', '', null],
    ['usd', 'none', null],
    ['usd', null, undefined],
  ] as const)('of %s, %j, is the cap %j', (metric, text, cap) => {
    expect(capIn(metric, text)).toBe(cap);
  });

  test.each([
    ['3', 3],
    ['2', 2],
    ['1', undefined],
    ['3.5', undefined],
    ['99999', undefined],
    ['none', null],
    [null, undefined],
  ] as const)('as a count, %j, is %j', (text, count) => {
    expect(countIn(text)).toBe(count);
  });
});
