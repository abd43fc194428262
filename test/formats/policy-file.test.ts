import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolicy, writePolicyYaml } from '../../src/formats/policy/policy-file.js';
import { DEFAULT_ORDER, EMPTY_POLICY, PLAIN_REPEAT, type Policy } from '../../src/policy/policy.js';
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
  - {rule: repeat, name: swings, period: 4, min_period: 2}
  - {rule: repeat, name: again, key: request, scope: run, when: before_dispatch}
  - {rule: repeat, name: lately, window: 9}
  - {rule: stale, count: 4}
  - {rule: errors, exempt: [ping]}
  - {rule: idle, name: talk}
steps_at: dispatch
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
        { ...PLAIN_REPEAT, key: 'request', count: 4, exempt: ['get_build_status'] },
        { ...PLAIN_REPEAT, name: 'echoes', key: 'result' },
        { ...PLAIN_REPEAT, name: 'swings', period: 4, minPeriod: 2 },
        { ...PLAIN_REPEAT, name: 'again', key: 'request', scope: 'run', when: 'before_dispatch' },
        { ...PLAIN_REPEAT, name: 'lately', scope: 'window', window: 9 },
        { rule: 'stale', name: 'stale', count: 4, exempt: [], when: 'before_call' },
        { rule: 'errors', name: 'errors', count: 3, exempt: ['ping'], when: 'before_call' },
        { rule: 'idle', name: 'talk', count: 3, exempt: [], when: 'before_call' },
      ],
      stepsAt: 'dispatch',
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
      'capfit: policy/v1\nrules:\n  - {rule: loop}\n',
      '3: rules[0].rule: "loop" is not a rule | one of: repeat, stale, errors, idle',
    ],
    ['capfit: policy/v1\nrules:\n  - {count: 3}\n', '3: rules[0].rule: missing is not a rule'],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, scope: window}\n', '3: rules[0].scope is "window"'],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, windw: 9}\n',
      '3: unknown key rules[0].windw | did you mean window?',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: stale, window: 9}\n',
      '3: unknown key rules[0].window | known here: rule, name, count, when, exempt',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, when: before_dispatch}\n',
      '3: rules[0].when: before_dispatch cannot compare call | no result exists yet: say key: request',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, key: result, when: before_dispatch}\n',
      '3: rules[0].when: before_dispatch cannot compare result',
    ],
    [
      'capfit: policy/v1\nrules:\n  - rule: idle\n    when: before_dispatch\n',
      '4: rules[0].when: "before_dispatch" is for repeat only | leave it out, or use repeat with key: request',
    ],
    [
      'capfit: policy/v1\nrules:\n  - rule: repeat\n    scope: consecutive\n    window: 9\n',
      '5: rules[0].window: a window and scope: consecutive exclude each other | leave one of them out',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, window: 2}\n',
      '3: rules[0].window: 2 calls cannot hold 3 events | a window of count or more',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, period: 2, window: 9}\n',
      '3: rules[0].period: blocks are repeated in a row',
    ],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, period: 2, scope: run}\n',
      '3: rules[0].period: blocks are repeated in a row',
    ],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, period: 0}\n', '3: rules[0].period is 0'],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, period: 101}\n', '3: rules[0].period is 101'],
    ['capfit: policy/v1\nrules:\n  - {rule: repeat, min_period: 2}\n', '3: rules[0].min_period: it is above period 1'],
    [
      'capfit: policy/v1\nrules:\n  - {rule: repeat, period: 3, min_period: 4}\n',
      '3: rules[0].min_period: it is above period 3 | min_period is at most period',
    ],
    ['capfit: policy/v1\nrules:\n  - {rule: errors, count: 1.5}\n', '3: rules[0].count is 1.5'],
    [
      'capfit: policy/v1\nrules:\n  - {rule: errors}\n  - {rule: stale, name: errors}\n',
      '4: two rules are named "errors"',
    ],
    ['capfit: policy/v1\nsteps_at: call\n', '2: steps_at is "call"'],
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
