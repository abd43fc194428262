import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DrillResult, type DrillVerdict, judgeDrill } from '../../../src/guard/drill/judge.js';
import type { Scenario } from '../../../src/guard/drill/scenario.js';
import { SCENARIOS } from '../../../src/guard/drill/scenarios.js';
import { ExactNumber, type Json } from '../../../src/model/json.js';
import { rightResult } from './right.js';

const RIGHT = SCENARIOS.map(rightResult);

/** The faults by scenario, of those that did not pass. */
function wrongIn({ scenarios }: DrillVerdict): { [scenario: string]: readonly string[] } {
  const wrong = scenarios.filter(({ verdict }) => verdict !== 'passed');
  return Object.fromEntries(
    wrong.map(({ scenario, verdict, faults }) => [scenario, [verdict, ...faults.map((each) => each.message)]]),
  );
}

function judged(id: string, result: Partial<DrillResult>): DrillVerdict {
  return judgeDrill(
    SCENARIOS,
    RIGHT.map((each) => (each.scenario === id ? { ...each, ...result } : each)),
  );
}

function reported(id: string, fields: { [field: string]: Json | undefined }): DrillVerdict {
  const { report } = RIGHT.find(({ scenario }) => scenario === id)!;
  const changed = Object.entries({ ...report, ...fields }).filter(([, value]) => value !== undefined);
  return judged(id, { report: Object.fromEntries(changed) as Json });
}

describe('right results', () => {
  test('pass, in any order', () => {
    expect(judgeDrill(SCENARIOS, [...RIGHT].reverse())).toEqual({
      schema: 'capfit/drill-verdict@1',
      passed: true,
      counts: { passed: SCENARIOS.length, failed: 0, missing: 0, repeated: 0 },
      scenarios: SCENARIOS.map(({ id, title }) => ({ scenario: id, title, verdict: 'passed', faults: [] })),
      unknown: [],
    });
  });

  test('pass where nothing is known and a figure is not asked for', () => {
    expect(
      wrongIn(reported('process_dies', { passes: null, tokens: null, seconds: null, transcript_id: null })),
    ).toEqual({});
    expect(
      wrongIn(reported('verified', { seconds: 0, transcript_id: null, partial_work: { any: ['thing'] } })),
    ).toEqual({});
    expect(wrongIn(reported('check_never_passes', { answer: 'draft' }))).toEqual({});
  });

  test('pass where a float is off by its last digit only', () => {
    expect(wrongIn(reported('usd', { usd: 0.2 + 0.2 + 0.2 }))).toEqual({});
    expect(wrongIn(reported('usd', { usd: new ExactNumber('0.60000000000000000001') }))).toEqual({});
    expect(wrongIn(reported('usd', { usd: 0.600000001 }))).toEqual({
      usd: ['failed', 'usd is 0.600000001, must be 0.6'],
    });
    expect(wrongIn(reported('seconds', { seconds: 75.0000001 }))).toEqual({});
    expect(wrongIn(reported('seconds', { seconds: 75.000001 }))).toEqual({
      seconds: ['failed', 'seconds is 75.000001, must be 75'],
    });
  });

  test('pass with more in the report than is asked for, the wrap-up included', () => {
    const { wrap_up } = rightResult(SCENARIOS.find(({ id }) => id === 'wrap_up')!).report;
    expect(wrongIn(reported('wrap_up', { wrap_up: { ...(wrap_up as object), model: 'm-1' }, more: 1 }))).toEqual({});
  });

  test('pass whatever the order of keys inside an answer, but not the order of a list', () => {
    const [first] = SCENARIOS as [Scenario];
    const scenario = { ...first, expect: { ...first.expect, answer: { a: [1, { b: 2, c: null }], d: 'x' } } };
    const passes = (answer: Json): boolean => {
      const report = { ...(RIGHT[0]?.report as { [field: string]: Json }), answer };
      return judgeDrill([scenario], [{ scenario: first.id, report }]).passed;
    };
    expect(passes({ d: 'x', a: [1, { c: null, b: 2 }] })).toBe(true);
    expect(passes({ d: 'x', a: [{ c: null, b: 2 }, 1] })).toBe(false);
    expect(passes({ d: 'x', a: [1, { c: null, b: 2 }, 3] })).toBe(false);
    expect(passes({ d: 'x', a: [1, { c: null }] })).toBe(false);
    expect(passes({ d: 'x', a: [1, { b: 2, e: null }] })).toBe(false);
    expect(passes({ d: 'x', a: { 0: 1, 1: { b: 2, c: null } } })).toBe(false);
  });
});

describe('wrong results', () => {
  test.each<[string, string, { [field: string]: Json | undefined }, string[]]>([
    [
      'a claim sold as verified',
      'claimed',
      { status: 'done_verified' },
      ['status is "done_verified", must be "done_claimed"'],
    ],
    ['a stop without its reason', 'tokens', { reason: null }, ['reason is null, must be "tokens"']],
    [
      'a reason of another program',
      'repeat',
      { reason: 'no_progress' },
      ['reason is "no_progress", must be "repeats"'],
    ],
    ['a reason where there is none', 'verified', { reason: 'stop' }, ['reason is "stop", must be null']],
    ['an overshoot that is hidden', 'tokens', { tokens: 60_000 }, ['tokens is 60000, must be 61004']],
    ['unknown tokens told as none', 'tokens_unknown', { tokens: 0 }, ['tokens is 0, must be null']],
    ['tokens of the wrap-up on top', 'wrap_up', { tokens: 4_560 }, ['tokens is 4560, must be 2000']],
    [
      'an unlabelled wrap-up',
      'wrap_up',
      { wrap_up: { text: 'Two pages read; the order is not refunded.', tokens: 2_560 } },
      ['wrap_up.verified is missing, must be false'],
    ],
    [
      'no wrap-up',
      'wrap_up',
      { wrap_up: null },
      ['wrap_up is null, must be {"text":"Two pages read; the order is not refunded.","verified":false,"tokens":2560}'],
    ],
    [
      'the wrap-up as the answer',
      'wrap_up',
      { answer: 'Two pages read; the order is not refunded.' },
      ['answer is "Two pages read; the order is not refunded.", must be null'],
    ],
    [
      'a missing field',
      'verified',
      { seconds: undefined },
      ['seconds is missing, must be a number of seconds, or null where it is not known'],
    ],
    ['a field without content that is left out', 'passes', { answer: undefined }, ['answer is missing, must be null']],
    [
      'no transcript',
      'idle',
      { transcript_id: undefined },
      ['transcript_id is missing, must be a text, or null where there is none'],
    ],
    [
      'an empty transcript id',
      'idle',
      { transcript_id: '' },
      ['transcript_id is "", must be a text, or null where there is none'],
    ],
    [
      'no partial work',
      'idle',
      { partial_work: undefined },
      ['partial_work is missing, must be there, and null where there is none'],
    ],
    [
      'a negative time',
      'idle',
      { seconds: -1 },
      ['seconds is -1, must be a number of seconds, or null where it is not known'],
    ],
    [
      'half a pass',
      'process_dies',
      { passes: 0.5 },
      ['passes is 0.5, must be a whole number, or null where it is not known'],
    ],
    [
      'tokens as a text',
      'process_dies',
      { tokens: '7' },
      ['tokens is "7", must be a whole number, or null where it is not known'],
    ],
    ['a long value, cut', 'idle', { answer: 'x'.repeat(200) }, [`answer is "${'x'.repeat(78)}…, must be null`]],
    [
      'several at once',
      'halt_error',
      { status: 'running', partial_work: undefined },
      ['status is "running", must be "halted_error"', 'partial_work is missing, must be ["order 17 found"]'],
    ],
  ])('%s', (_what, id, fields, messages) => {
    expect(wrongIn(reported(id, fields))).toEqual({ [id]: ['failed', ...messages] });
  });

  test('a fault tells field, kind and both values', () => {
    const { scenarios } = reported('tokens', { tokens: 60_000, seconds: undefined });
    expect(scenarios.find(({ scenario }) => scenario === 'tokens')?.faults).toEqual([
      { field: 'tokens', fault: 'wrong', expected: 61_004, found: 60_000, message: 'tokens is 60000, must be 61004' },
      {
        field: 'seconds',
        fault: 'missing',
        message: 'seconds is missing, must be a number of seconds, or null where it is not known',
      },
    ]);
  });

  test('tool runs stand beside the report', () => {
    expect(wrongIn(judged('repeat_at_dispatch', { tool_runs: 3 }))).toEqual({
      repeat_at_dispatch: ['failed', 'tool_runs is 3, must be 2'],
    });
    expect(wrongIn(judged('repeat_at_dispatch', { tool_runs: undefined }))).toEqual({
      repeat_at_dispatch: ['failed', 'tool_runs is missing, must be 2'],
    });
    expect(wrongIn(judged('verified', { tool_runs: 99 }))).toEqual({});
  });

  test.each([
    [undefined, 'report is missing, must be the envelope that the caller got'],
    [null, 'report is null, must be the envelope that the caller got'],
    [[], 'report is [], must be the envelope that the caller got'],
    ['done', 'report is "done", must be the envelope that the caller got'],
    [
      new ExactNumber('12345678901234567890'),
      'report is 12345678901234567890, must be the envelope that the caller got',
    ],
  ])('%j is no report', (report, message) => {
    expect(wrongIn(judged('verified', { report }))).toEqual({ verified: ['failed', message] });
  });

  test('a field that an object has by birth is not there', () => {
    const { scenarios } = judgeDrill(
      [{ ...SCENARIOS[0]!, expect: { ...SCENARIOS[0]!.expect, ...({ valueOf: 1 } as object) } as Scenario['expect'] }],
      [RIGHT[0]!],
    );
    expect(scenarios[0]?.faults.map(({ message }) => message)).toEqual(['valueOf is missing, must be 1']);
  });
});

describe('a set of results', () => {
  test('must hold every scenario once, and no other', () => {
    const [first, second, ...others] = RIGHT;
    const verdict = judgeDrill(SCENARIOS, [
      second!,
      second!,
      ...others,
      { ...first!, scenario: 'verifeid' },
      { ...first!, scenario: 'verifeid' },
    ]);
    expect(wrongIn(verdict)).toEqual({ verified: ['missing'], claimed: ['repeated'] });
    expect(verdict).toMatchObject({
      passed: false,
      counts: { passed: SCENARIOS.length - 2, failed: 0, missing: 1, repeated: 1 },
      unknown: ['verifeid'],
    });
  });

  test('fails for an unknown scenario alone, and for none at all', () => {
    expect(judgeDrill(SCENARIOS, [...RIGHT, { ...RIGHT[0]!, scenario: 'more' }])).toMatchObject({
      passed: false,
      counts: { passed: SCENARIOS.length },
      unknown: ['more'],
    });
    expect(judgeDrill(SCENARIOS, [])).toMatchObject({
      passed: false,
      counts: { passed: 0, missing: SCENARIOS.length },
    });
  });
});

/** One field of a right report, and a value that is wrong there. */
const WRAPPED = SCENARIOS.filter(({ wrap_up }) => wrap_up !== undefined);
const drawn = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...SCENARIOS) },
  { weight: 1, arbitrary: fc.constantFrom(...WRAPPED) },
);
const changes = drawn.chain((scenario) => {
  const { wrap_up, tool_runs, ...fields } = scenario.expect;
  const parts = Object.entries(wrap_up ?? {}).map(([part, value]) => [`wrap_up.${part}`, value as Json] as const);
  const runs = tool_runs === undefined ? [] : [['tool_runs', tool_runs] as const];
  const exact = fc
    .constantFrom(...(Object.entries(fields) as [string, Json][]), ...parts, ...runs)
    .chain(([field, right]) =>
      fc
        .oneof(
          fc.constant(undefined),
          near(right),
          fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json),
        )
        .filter((value) => differs(value, right))
        .map((value) => ({ scenario, field, value })),
    );
  const byKind = Object.entries(WRONG_KINDS).filter(([field]) => !(field in fields));
  if (byKind.length === 0) return exact;
  const kinds = fc
    .constantFrom(...byKind)
    .chain(([field, values]) => fc.constantFrom(...values).map((value) => ({ scenario, field, value })));
  return fc.oneof(exact, kinds);
});

const WRONG_KINDS: { readonly [field: string]: readonly (Json | undefined)[] } = {
  passes: [undefined, -1, 1.5, '3', true, [], {}, 2 ** 53],
  tokens: [undefined, -1, 1.5, '3', false, [], {}, 2 ** 53],
  seconds: [undefined, -0.1, '3', true, [], {}],
  transcript_id: [undefined, '', 3, true, [], {}],
  answer: [undefined],
  check_output: [undefined],
  partial_work: [undefined],
};

/** Values of the same kind, close by. */
function near(right: Json): fc.Arbitrary<Json> {
  if (typeof right === 'number') return fc.constantFrom(right + 1, right - 1, -right, String(right));
  if (typeof right === 'string') return fc.constantFrom(`${right} `, right.toUpperCase(), right.slice(1), [right]);
  return fc.constantFrom('null', false, true, 0, '', [], {}, null, 'none', [right]);
}

function differs(value: Json | undefined, right: Json): boolean {
  return !isDeepStrictEqual(value, right);
}

function withChange({ id }: Scenario, field: string, value: Json | undefined): DrillResult[] {
  return RIGHT.map((result) => {
    if (result.scenario !== id) return result;
    if (field === 'tool_runs') return { ...result, tool_runs: value };
    const report: { [field: string]: Json | undefined } = JSON.parse(JSON.stringify(result.report));
    const [outer = '', inner] = field.split('.');
    const holder = inner === undefined ? report : (report[outer] as typeof report);
    holder[inner ?? outer] = value;
    if (value === undefined) delete holder[inner ?? outer];
    return { ...result, report: report as Json };
  });
}

test('any single changed field of a right report is found, and nothing else', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(changes, ({ scenario, field, value }) => {
      const verdict = judgeDrill(SCENARIOS, withChange(scenario, field, value));
      const found = verdict.scenarios.flatMap((each) =>
        each.faults.map((fault) => [each.scenario, fault.field, fault.fault]),
      );
      expect(found).toEqual([[scenario.id, field, value === undefined ? 'missing' : 'wrong']]);
      expect(verdict).toMatchObject({ passed: false, counts: { failed: 1, missing: 0, repeated: 0 } });
      seen.add(field);
    }),
    { seed: 42, numRuns: 1_500 },
  );
  expect([...seen].sort()).toEqual([
    'answer',
    'check',
    'check_output',
    'claim',
    'evidence',
    'partial_work',
    'passes',
    'reason',
    'seconds',
    'status',
    'steps',
    'tokens',
    'tool_runs',
    'transcript_id',
    'usd',
    'wrap_up.text',
    'wrap_up.tokens',
    'wrap_up.verified',
  ]);
});
