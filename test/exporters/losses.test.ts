import { describe, expect, test } from 'vitest';
import { exportPolicy } from '../../src/exporters/export-policy.js';
import { EXPORTERS, findExporter } from '../../src/exporters/index.js';
import { lossesOf } from '../../src/exporters/losses.js';
import { policy } from '../builders.js';
import { FULL_FIELDS, POLICIES } from './policies.js';

describe('lossesOf(policy, says)', () => {
  test('a target that says nothing loses every part, each with what to do', () => {
    expect(lossesOf(POLICIES.full, {})).toEqual({
      differs: [],
      cannot: [
        'caps.passes 26: no setting counts model calls; use capfit/guard',
        'caps.tokens 460000: no setting counts tokens; use capfit/guard',
        'caps.seconds 270.5: no setting holds the time of a run; use capfit/guard',
        'caps.usd 1.5: no setting counts money; use capfit/guard',
        'caps.steps 64, judged before each tool call too: no setting counts emitted steps; use capfit/guard',
        'rule "repeats" (repeat call x 3; exempt: "get_build_status"): no such rule; use capfit/guard',
        'rule "plain" (repeat call x 4): no such rule; use capfit/guard',
        'rule "alternation" (repeat request x 3; blocks of 2 to 3): no such rule; use capfit/guard',
        'rule "again" (repeat request x 4; anywhere in the run; before the tool is run): no such rule; use capfit/guard',
        'rule "lately" (repeat result x 3; within 8 calls): no such rule; use capfit/guard',
        'rule "stale" (stale x 4): no such rule; use capfit/guard',
        'rule "errors" (errors x 5): no such rule; use capfit/guard',
        'rule "idle" (idle x 2): no such rule; use capfit/guard',
        'timeouts.model_call 60 s: set it on your model client',
        'timeouts.tool 30 s: set it inside your tools: no stop of a loop ends a tool that hangs',
        'wrap_up true: no last call sums up after a stop; make it yourself',
        'halt_on "permission_denied", "guardrail": no setting says which errors end a run; raise them where they happen',
        'check "pytest tests/test_refund.py": it is not run for you; run it on the result before a run counts as done',
      ],
    });
  });

  test('what a policy does not ask for is not lost', () => {
    expect(lossesOf(POLICIES.empty, {})).toEqual({ differs: [], cannot: [] });
  });

  test.each([
    [{}, ['passes', 'tokens'], []],
    [
      { order: ['tokens', 'passes'] },
      ['passes', 'tokens'],
      ['order tokens, passes: where two limits are reached at once, the framework asks passes, tokens'],
    ],
    [{ order: ['tokens', 'passes'] }, 'any', []],
    [
      {},
      undefined,
      ['order passes, tokens: the framework does not say which limit comes first where two are reached at once'],
    ],
    [{ order: ['tokens', 'passes'], caps: { passes: 5 } }, ['passes', 'tokens'], []],
  ] as const)('order of %j, asked as %j', (fields, order, cannot) => {
    const caps = { passes: 5, tokens: 100 };
    const says = { caps: { passes: 'exactly', tokens: 'exactly' }, ...(order === undefined ? {} : { order }) } as const;
    expect(lossesOf(policy({ caps, ...fields }), says)).toEqual({ differs: [], cannot });
  });

  test.each([
    [{ wrap_up: true }, 'always', [], []],
    [
      { wrap_up: false, caps: { passes: 5 } },
      'always',
      ['wrap_up false: one more model call is made after the stop all the same'],
      [],
    ],
    [{ wrap_up: false }, 'always', [], []],
    [{ wrap_up: true }, 'as asked', [], []],
    [{ wrap_up: false, caps: { passes: 5 } }, 'as asked', [], []],
  ] as const)('%j where a last call is made %s', (fields, wrapUp, differs, cannot) => {
    expect(lossesOf(policy(fields), { wrapUp, caps: { passes: 'exactly' } })).toEqual({ differs, cannot });
  });
});

const settingsOf = (id: string, fields: object) => exportPolicy(findExporter(id)!, policy(fields)).settings;

describe('units', () => {
  test.each([
    ['openai-agents-py', 7, { max_turns: 7 }],
    ['openai-agents-js', 7, { maxTurns: 7 }],
    ['langgraph', 7, { recursionLimit: 14 }],
    ['langchain', 7, { runLimit: 7, exitBehavior: 'error', recursionLimit: 29 }],
    ['vercel-ai', 7, { stopWhen: { steps: 7 } }],
    ['mastra', 7, { maxSteps: 7 }],
    ['autogen', 7, { max_tool_iterations: 1, reflect_on_tool_use: false, max_turns: 7 }],
    ['crewai', 7, { max_iter: 7 }],
    ['pydantic-ai', 7, { request_limit: 7 }],
    ['smolagents', 7, { max_steps: 7, return_full_result: true }],
    ['claude-agent-sdk', 7, { max_turns: 7 }],
    ['google-adk', 7, { max_llm_calls: 7 }],
    ['strands', 7, { limits: { turns: 7 } }],
    ['mini-swe-agent', 7, { agent: { step_limit: 7, cost_limit: 0 } }],
    ['swe-agent', 7, { per_instance_call_limit: 7, per_instance_cost_limit: 0 }],
    ['openhands', 7, { max_iteration_per_run: 7 }],
    ['inspect', 7, { turn_limit: 7 }],
    ['gemini-cli', 7, { model: { maxSessionTurns: 7 } }],
  ])('%s: %d passes', (id, passes, settings) => {
    expect(settingsOf(id, { caps: { passes } })).toEqual(settings);
  });

  test.each([
    ['openai-agents-py', { max_turns: null }],
    ['openai-agents-js', { maxTurns: null }],
    ['langgraph', { recursionLimit: Number.MAX_SAFE_INTEGER }],
    ['langchain', { recursionLimit: Number.MAX_SAFE_INTEGER }],
    ['vercel-ai', { stopWhen: {} }],
    ['mastra', { stopWhen: {} }],
    ['autogen', { max_tool_iterations: 1, reflect_on_tool_use: false }],
    ['crewai', { max_iter: 1_000_000_000 }],
    ['pydantic-ai', { request_limit: null }],
    ['smolagents', { max_steps: 1_000_000_000, return_full_result: true }],
    ['claude-agent-sdk', {}],
    ['google-adk', { max_llm_calls: -1 }],
    ['strands', {}],
    ['mini-swe-agent', { agent: { step_limit: 0, cost_limit: 0 } }],
    ['swe-agent', { per_instance_cost_limit: 0 }],
    ['openhands', { max_iteration_per_run: 1_000_000_000 }],
    ['inspect', {}],
    ['gemini-cli', {}],
  ])('%s: no cap is no cap, whatever the default', (id, settings) => {
    expect(settingsOf(id, {})).toEqual(settings);
  });

  test.each([
    ['crewai', 'max_execution_time', 1, 'caps.seconds 0.0005 s is written as 1: whole seconds, rounded up'],
    ['inspect', 'time_limit', 1, 'caps.seconds 0.0005 s is written as 1: whole seconds, rounded up'],
  ])('%s: a part of a second is rounded up, never to zero', (id, name, value, note) => {
    const { settings, differs } = exportPolicy(findExporter(id)!, policy({ caps: { seconds: 0.0005 } }));
    expect([settings[name], differs.includes(note)]).toEqual([value, true]);
  });

  test('small amounts of money are written without an exponent', () => {
    const { text } = exportPolicy(findExporter('mini-swe-agent')!, policy({ caps: { usd: 1e-9 } }));
    expect(text).toContain('cost_limit: 0.000000001\n');
  });

  test.each(['openai-agents-js', 'langgraph', 'langchain', 'strands'])(
    '%s: a cap on seconds that no timer holds is left out and told',
    (id) => {
      const held = exportPolicy(findExporter(id)!, policy({ caps: { seconds: 2147483.647 } }));
      const lost = exportPolicy(findExporter(id)!, policy({ caps: { seconds: 2147483.648 } }));
      expect([held.settings.signalMillis, held.cannotExpress]).toEqual([2147483647, []]);
      expect([lost.settings.signalMillis, lost.cannotExpress]).toEqual([
        undefined,
        ['caps.seconds 2147483.648: longer than a timer of Node holds (24.8 days), so it is left out'],
      ]);
    },
  );

  test.each(['openai-agents-js', 'langgraph', 'langchain', 'strands'])(
    '%s: what is left out is not also said to differ',
    (id) => {
      const { differs, cannotExpress } = exportPolicy(findExporter(id)!, policy({ caps: { seconds: 2592000 } }));
      expect([...differs, ...cannotExpress].filter((line) => line.startsWith('caps.seconds'))).toEqual([
        'caps.seconds 2592000: longer than a timer of Node holds (24.8 days), so it is left out',
      ]);
    },
  );

  test('openai-agents-js: a timeout of a tool that no timer holds is left out and told', () => {
    const js = findExporter('openai-agents-js')!;
    const held = exportPolicy(js, policy({ timeouts: { tool: 2147483.647 } }));
    const lost = exportPolicy(js, policy({ timeouts: { tool: 2147483.648 } }));
    expect([held.settings.toolTimeoutMs, held.cannotExpress]).toEqual([2147483647, []]);
    expect([lost.settings.toolTimeoutMs, lost.text.includes('timeoutMs:'), lost.cannotExpress]).toEqual([
      undefined,
      false,
      ['timeouts.tool 2147483.648 s: longer than a timer of Node holds (24.8 days), so it is left out'],
    ]);
  });

  test('openhands: a plain repeat of calls becomes a threshold of its detector, the smallest of several', () => {
    const rules = [
      { rule: 'repeat', count: 5, name: 'late' },
      { rule: 'repeat', count: 3 },
      { rule: 'repeat', count: 11, name: 'too far' },
      { rule: 'repeat', count: 2, name: 'polls', exempt: ['poll'] },
      { rule: 'repeat', count: 2, name: 'requests', key: 'request' },
    ];
    const { settings, cannotExpress } = exportPolicy(findExporter('openhands')!, policy({ rules }));
    expect(settings.stuck_detection_thresholds).toEqual({ action_observation: 3 });
    expect(cannotExpress).toEqual([
      'rule "too far" (repeat call x 11): no such rule; use capfit/guard',
      'rule "polls" (repeat call x 2; exempt: "poll"): no such rule; use capfit/guard',
      'rule "requests" (repeat request x 2): no such rule; use capfit/guard',
    ]);
  });

  test('gemini-cli: a cap above the turns of a prompt never fires there', () => {
    const told = (passes: number) => exportPolicy(findExporter('gemini-cli')!, policy({ caps: { passes } })).differs;
    expect([told(101)[1], told(100).length]).toEqual([
      'caps.passes 101: above the 100 turns of a prompt, which end it first',
      told(101).length - 1,
    ]);
  });
});

describe('billed calls', () => {
  test.each(EXPORTERS.map((each) => [each.id, each] as const))(
    '%s: N, N + 1, or a word that it is not known',
    (_id, exporter) => {
      const { billedCalls } = exportPolicy(exporter, policy({ caps: { passes: 7 } }));
      const calls = { N: 7, 'N + 1': 8, 'not known': null }[billedCalls.rule];
      expect(billedCalls.calls).toBe(calls);
      expect(exportPolicy(exporter, policy({ caps: { tokens: 5 } })).billedCalls.calls).toBeNull();
      if (billedCalls.rule !== 'N') expect(billedCalls.note).not.toBe('');
    },
  );

  test('a cap that is set never becomes 0', () => {
    for (const exporter of EXPORTERS) {
      const { settings } = exportPolicy(exporter, policy({ ...FULL_FIELDS, wrap_up: false }));
      expect(JSON.stringify(settings)).not.toMatch(/:0[,}]/);
    }
  });
});
