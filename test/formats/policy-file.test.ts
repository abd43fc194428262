import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolicy, writePolicyYaml } from '../../src/formats/policy/policy-file.js';
import { DEFAULT_ORDER, EMPTY_POLICY, type Policy } from '../../src/policy/policy.js';
import { policyRecords } from '../arbitraries.js';

function read(text: string): Policy {
  const { policy, problems } = readPolicy(text, 'p.yaml');
  expect(problems).toBeNull();
  return policy as Policy;
}

/** Line, reason and hint of each fault, in one text each. */
function faults(text: string): string[] {
  return (readPolicy(text, 'p.yaml').problems ?? []).map(
    ({ place, reason, hint }) => `${place.line}: ${reason} | ${hint}`,
  );
}

describe('readPolicy(text)', () => {
  test('reads every field, in atoms', () => {
    const text = `
capfit: policy/v1
name: support / refund
caps: {passes: 26, tokens: 460000, seconds: 270.5, usd: 0.3, steps: 64}
order: [rules, tokens]
rules:
  - {rule: repeat, key: request, count: 4, exempt: [get_build_status]}
  - {rule: repeat, name: echoes, key: result}
timeouts: {model_call: 60, tool: 0.5}
wrap_up: true
halt_on: [permission_denied]
check: pytest tests/test_refund.py
measured: {date: 2026-03-08, runs: 400, note: null}
`;
    expect(read(text)).toEqual({
      name: 'support / refund',
      caps: { passes: 26, tokens: 460_000, seconds: 270_500_000, usd: 300_000_000, steps: 64 },
      order: ['rules', 'tokens', 'passes', 'seconds', 'usd', 'steps'],
      rules: [
        { rule: 'repeat', name: 'repeats', key: 'request', count: 4, exempt: ['get_build_status'] },
        { rule: 'repeat', name: 'echoes', key: 'result', count: 3, exempt: [] },
      ],
      timeouts: { modelCall: 60_000_000, tool: 500_000 },
      wrapUp: true,
      haltOn: ['permission_denied'],
      check: 'pytest tests/test_refund.py',
      measured: { date: '2026-03-08', runs: 400, note: null },
    });
  });

  test('only the version is required; an empty policy stops nothing', () => {
    expect(read('capfit: policy/v1\n')).toEqual(EMPTY_POLICY);
    expect(read('{"capfit": "policy/v1"}')).toEqual(EMPTY_POLICY);
    expect(read('capfit: policy/v1\ncaps: {passes: }\n')).toEqual({ ...EMPTY_POLICY, order: DEFAULT_ORDER });
  });

  test.each([
    ['', 'holds no policy'],
    ['- a\n', 'holds no policy'],
    ['capfit: policy/v1\nmeasured:\n  __proto__: {a: 1}\n', '3: __proto__ is no name that can be given'],
    ['caps: {passes: 3}\n', '1: capfit is missing | the file must say "capfit: policy/v1"'],
    ['capfit: policy/v2\n', '1: capfit is "policy/v2"'],
    [
      'capfit: policy/v1\ncaps:\n  passes: 0\n',
      '3: caps.passes is 0 | a cap must be a whole number above 0; leave it out for no limit',
    ],
    ['capfit: policy/v1\ncaps:\n  tokens: 1\n  passes: 2.5\n', '4: caps.passes is 2.5'],
    ['capfit: policy/v1\ncaps:\n  passes: many\n', '3: caps.passes is "many"'],
    ['capfit: policy/v1\ncaps:\n  usd: -1\n', '3: caps.usd is -1 | a cap must be a number above 0'],
    ['capfit: policy/v1\ncaps:\n  seconds: .inf\n', '3: caps.seconds is'],
    [
      'capfit: policy/v1\ncaps:\n  seconds: 0.0000001\n',
      '3: caps.seconds is 1e-7 | the cap is below the smallest unit',
    ],
    ['capfit: policy/v1\ncaps:\n  passses: 3\n', '3: unknown key caps.passses | did you mean passes?'],
    ['capfit: policy/v1\n\nordr: [passes]\n', '3: unknown key ordr | did you mean order?'],
    ['capfit: policy/v1\norder: [passes, turns]\n', '2: order[1] is "turns"'],
    ['capfit: policy/v1\norder: [passes, tokens, passes]\n', '2: order names passes twice'],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat}\n  - {rule: repeat, count: 4}\n',
      '4: two rules are named "repeats", here and at line 3',
    ],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, name: tokens}\n', '3: a rule is named tokens, like a cap'],
    [
      'capfit: policy/v1\nrules:\n  - {rule: stale, count: 4}\n',
      '3: rules[0].rule: "stale" is not supported by this version',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, scope: run}\n',
      '3: rules[0].scope: "run" is not supported by this version',
    ],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, period: 2}\n', '3: rules[0].period: 2 is not supported'],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, when: before_dispatch}\n',
      '3: rules[0].when: "before_dispatch" is not supported',
    ],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, window: 9}\n', '3: unknown key rules[0].window'],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, count: 0}\n', '3: rules[0].count is 0'],
    ['capfit: policy/v1\ncaps: {passes: 3\nname: x\n', 'not YAML'],
    ['capfit: policy/v1\ncaps: {passes: 3}\ncaps: {passes: 4}\n', '3: not YAML: Map keys must be unique'],
    ['{"capfit": "policy/v1", "caps": {"passes": 0}}', '1: caps.passes is 0'],
  ])('%j: %s', (text, fault) => {
    expect(faults(text).join('\n')).toContain(fault);
  });

  test('tells every fault, not only the first', () => {
    expect(faults('capfit: policy/v1\ncaps: {passes: 0, tokens: -1, turns: 3}\nwrapup: true\n')).toHaveLength(4);
  });

  test('aliases that grow without bound are refused', () => {
    const bomb = `capfit: policy/v1\nmeasured:\n  a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, i) => `  ${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]\n`)
      .join('')}`;
    expect(faults(bomb).join()).toMatch(/alias/i);
  });
});

describe('writePolicyYaml(policy)', () => {
  test('is read back as the same policy, for any policy', () => {
    fc.assert(
      fc.property(policyRecords, (record) => {
        const policy = read(JSON.stringify(record));
        const again = read(writePolicyYaml(policy));
        // Entries of the order that nothing is set for are not written; they have nothing to say.
        const asked = ({ order, caps, rules }: Policy): string[] =>
          order.filter((entry) => (entry === 'rules' ? rules.length > 0 : caps[entry] !== undefined));
        expect({ ...again, order: asked(again) }).toEqual({ ...policy, order: asked(policy) });
      }),
      { seed: 42, numRuns: 300 },
    );
  });
});
