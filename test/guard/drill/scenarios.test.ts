import { describe, expect, test, vi } from 'vitest';
import { readPolicy } from '../../../src/formats/policy/policy-file.js';
import { judgeDrill } from '../../../src/guard/drill/judge.js';
import type { ScriptedModel } from '../../../src/guard/drill/scenario.js';
import { drillFile, SCENARIOS } from '../../../src/guard/drill/scenarios.js';
import { STATUSES } from '../../../src/model/status.js';
import type { PolicyRecord } from '../../../src/policy/policy-record.js';
import { play } from './play.js';

vi.mock('capfit/guard', () => import('../../../src/guard/index.js'));

const KINDS: readonly (keyof ScriptedModel)[] = [
  'text',
  'answer',
  'blocked',
  'impossible',
  'tool_calls',
  'error_class',
];
/** As wide as a cell of the table. */
const WIDEST_TITLE = 47;

describe('the scenarios', () => {
  test('are plain data with a name each', () => {
    expect(JSON.parse(JSON.stringify(drillFile()))).toEqual({ schema: 'capfit/drill@1', scenarios: SCENARIOS });
    expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
    expect(new Set(SCENARIOS.map(({ title }) => title)).size).toBe(SCENARIOS.length);
  });

  test('cover every exit', () => {
    expect(new Set(SCENARIOS.map(({ expect }) => expect.status))).toEqual(new Set(STATUSES));
    const reasons = new Set(SCENARIOS.map(({ expect }) => expect.reason));
    for (const reason of [
      'passes',
      'tokens',
      'seconds',
      'usd',
      'steps',
      'repeats',
      'stale',
      'errors',
      'idle',
      'canceled',
    ])
      expect(reasons).toContain(reason);
  });

  test.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))('%s is well-formed', (id, scenario) => {
    expect(id).toMatch(/^[a-z_]{1,18}$/);
    expect(scenario.title.length).toBeLessThanOrEqual(WIDEST_TITLE);
    expect(readPolicy(JSON.stringify(scenario.policy), id).problems).toBeNull();
    for (const { model, tools = [], check } of scenario.script) {
      expect(KINDS.filter((kind) => Object.hasOwn(model, kind))).toHaveLength(1);
      expect(tools).toHaveLength(model.tool_calls?.length ?? 0);
      // Whoever has a check may run it on every answer, so every answer has its verdict.
      const isChecked = scenario.policy.check !== undefined && Object.hasOwn(model, 'answer');
      expect(check !== undefined).toBe(isChecked);
    }
  });
});

describe('the example loop', () => {
  test('passes the drill', async () => {
    const results = [];
    for (const scenario of SCENARIOS) results.push(await play(scenario));
    const { passed, scenarios } = judgeDrill(SCENARIOS, results);
    expect(scenarios.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(passed).toBe(true);
  });

  const without = (policy: PolicyRecord, key: keyof PolicyRecord): PolicyRecord => {
    const { [key]: _gone, ...rest } = policy;
    return rest as PolicyRecord;
  };

  test.each<[string, string, (policy: PolicyRecord) => PolicyRecord, string[]]>([
    ['verified', 'no check is run', (policy) => without(policy, 'check'), ['status', 'check', 'check_output']],
    ['claimed', 'a check is asked for', (policy) => ({ ...policy, check: 'npm test' }), ['status', 'reason']],
    [
      'passes',
      'the cap is asked one pass late',
      (policy) => ({ ...policy, caps: { passes: 4 } }),
      ['passes', 'tokens', 'tool_runs'],
    ],
    [
      'passes_last',
      'the cap is held against the total',
      (policy) => ({ ...policy, caps: { passes: 1 } }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'tokens',
      'the cap is one token too high',
      (policy) => ({ ...policy, caps: { tokens: 61_005 } }),
      ['passes', 'tokens'],
    ],
    [
      'usd_exact',
      'the sum is a hair below the cap',
      (policy) => ({ ...policy, caps: { usd: 1.000000001 } }),
      ['passes', 'tokens', 'usd'],
    ],
    [
      'steps_at_dispatch',
      'steps are asked at boundaries only',
      (policy) => without(policy, 'steps_at'),
      ['steps', 'tool_runs'],
    ],
    ['order_named', 'the order is not obeyed', (policy) => without(policy, 'order'), ['reason']],
    ['wrap_up', 'nobody sums up', (policy) => without(policy, 'wrap_up'), ['wrap_up']],
    [
      'repeat',
      'the count leaves out the first',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat', count: 4 }] }),
      ['passes', 'tokens'],
    ],
    [
      'repeat_count',
      'the count is always three',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat' }] }),
      ['passes', 'tokens'],
    ],
    [
      'repeat_other_calls',
      'the result alone is looked at',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat', key: 'result' }] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'stale_reset',
      'two are enough',
      (policy) => ({ ...policy, rules: [{ rule: 'stale', count: 2 }] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'errors_reset',
      'two are enough',
      (policy) => ({ ...policy, rules: [{ rule: 'errors', count: 2 }] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'idle_reset',
      'two are enough',
      (policy) => ({ ...policy, rules: [{ rule: 'idle', count: 2 }] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'repeat_moving',
      'the result is not looked at',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat', key: 'request' }] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'polling_tool',
      'the exemption is not obeyed',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat' }] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'alternation',
      'only neighbours are compared',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat', name: 'alternating' }] }),
      ['passes', 'tokens'],
    ],
    [
      'repeat_at_dispatch',
      'the rule is asked too late',
      (policy) => ({ ...policy, rules: [{ rule: 'repeat', key: 'request' }] }),
      ['tool_runs'],
    ],
    [
      'halt_error',
      'nothing halts',
      (policy) => without(policy, 'halt_on'),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    [
      'other_error',
      'everything halts',
      (policy) => ({ ...policy, halt_on: ['not_found'] }),
      ['status', 'reason', 'check', 'claim', 'answer', 'check_output', 'passes', 'tokens'],
    ],
    ['hanging_tool', 'the time limit is another', (policy) => ({ ...policy, timeouts: { tool: 31 } }), ['seconds']],
  ])('fails %s where %s', async (id, _what, spoil, fields) => {
    const scenario = SCENARIOS.find((each) => each.id === id)!;
    const { scenarios } = judgeDrill([scenario], [await play(scenario, spoil(scenario.policy))]);
    expect(scenarios[0]?.faults.map(({ field }) => field)).toEqual(fields);
  });
});
