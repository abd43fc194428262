import type { Scenario } from './scenario.js';
import { calls, looksUp, NOTHING_CLAIMED, rules, says, verified } from './turns.js';

const CHECKED = rules({ caps: { passes: 8 }, check: 'npm test' });
const UNCHECKED = rules({ caps: { passes: 8 } });

/** The agent says it is done: what counts as an end, and what does not. */
export const ANSWERS: readonly Scenario[] = [
  {
    id: 'verified',
    title: 'answers, and the check passes',
    policy: CHECKED,
    script: [looksUp(1), says({ answer: 'order 17 is refunded' }, { check: { passed: true, output: '3 passed' } })],
    expect: { ...verified('order 17 is refunded', '3 passed'), passes: 2, tokens: 2_000 },
  },
  {
    id: 'claimed',
    title: 'answers where no check can look',
    policy: UNCHECKED,
    script: [looksUp(1), says({ answer: 'order 17 is refunded' })],
    expect: {
      ...NOTHING_CLAIMED,
      status: 'done_claimed',
      reason: null,
      claim: 'completed',
      answer: 'order 17 is refunded',
      passes: 2,
      tokens: 2_000,
    },
  },
  {
    id: 'check_fails_first',
    title: 'a check that fails is no exit',
    policy: CHECKED,
    script: [
      says({ answer: 'draft' }, { check: { passed: false, output: '1 failed' } }),
      says({ answer: 'final' }, { check: { passed: true, output: '3 passed' } }),
    ],
    expect: { ...verified('final', '3 passed'), passes: 2, tokens: 2_000 },
  },
  {
    id: 'check_never_passes',
    title: 'answers again and again, and the check fails',
    policy: rules({ caps: { passes: 3 }, check: 'npm test' }),
    script: [says({ answer: 'draft' }, { check: { passed: false, output: '1 failed' } })],
    repeat_last_turn: true,
    expect: {
      status: 'stopped_budget',
      reason: 'passes',
      check: 'failed',
      claim: 'completed',
      check_output: '1 failed',
      passes: 3,
      tokens: 3_000,
    },
  },
  {
    id: 'empty_answer',
    title: 'empty answers are no exit, checked or not',
    policy: CHECKED,
    script: [
      says({ answer: '' }, { check: { passed: true, output: 'no tests ran' } }),
      says({ answer: ' \n' }, { check: { passed: true, output: 'no tests ran' } }),
      says({ answer: 'order 17 is refunded' }, { check: { passed: true, output: '3 passed' } }),
    ],
    expect: { ...verified('order 17 is refunded', '3 passed'), passes: 3, tokens: 3_000 },
  },
  {
    id: 'malformed_answer',
    title: 'null and {} as answers are no exit',
    policy: UNCHECKED,
    script: [says({ answer: null }), says({ answer: {} }), says({ answer: { refunded: true } })],
    expect: {
      ...NOTHING_CLAIMED,
      status: 'done_claimed',
      reason: null,
      claim: 'completed',
      answer: { refunded: true },
      passes: 3,
      tokens: 3_000,
    },
  },
  {
    id: 'blocked',
    title: 'says it is blocked, with evidence',
    policy: CHECKED,
    script: [looksUp(1), says({ blocked: { needs: 'approval of a manager' } })],
    expect: {
      ...NOTHING_CLAIMED,
      status: 'done_claimed',
      reason: null,
      claim: 'blocked',
      evidence: { needs: 'approval of a manager' },
      passes: 2,
      tokens: 2_000,
    },
  },
  {
    id: 'impossible',
    title: 'says the task cannot be done, with evidence',
    policy: CHECKED,
    script: [looksUp(1), says({ impossible: 'there is no order 17' })],
    expect: {
      ...NOTHING_CLAIMED,
      status: 'done_claimed',
      reason: null,
      claim: 'impossible',
      evidence: 'there is no order 17',
      passes: 2,
      tokens: 2_000,
    },
  },
];

const HALTING = rules({ caps: { passes: 8 }, halt_on: ['permission_denied', 'provider_error'], check: 'npm test' });
const DONE = says({ answer: 'order 17 is refunded' }, { check: { passed: true, output: '3 passed' } });

/** Errors, and ends from outside. */
export const HALTS: readonly Scenario[] = [
  {
    id: 'halt_error',
    title: 'a tool error that is on the halt list',
    policy: HALTING,
    script: [
      looksUp(1, {}, { work: ['order 17 found'] }),
      calls('refund', { order: 17 }, { error: true, error_class: 'permission_denied', result: 'not allowed' }),
      DONE,
    ],
    expect: {
      ...NOTHING_CLAIMED,
      status: 'halted_error',
      reason: 'permission_denied',
      passes: 2,
      tokens: 2_000,
      partial_work: ['order 17 found'],
      tool_runs: 2,
    },
  },
  {
    id: 'other_error',
    title: 'a tool error not on it goes to the model',
    policy: HALTING,
    script: [calls('refund', { order: 71 }, { error: true, error_class: 'not_found', result: 'no such order' }), DONE],
    expect: { ...verified('order 17 is refunded', '3 passed'), passes: 2, tokens: 2_000, tool_runs: 1 },
  },
  {
    id: 'model_error',
    title: 'the model call fails with a halt-list error',
    policy: HALTING,
    script: [looksUp(1), says({ error_class: 'provider_error', usage: null }), DONE],
    expect: { ...NOTHING_CLAIMED, status: 'halted_error', reason: 'provider_error' },
  },
  {
    id: 'hanging_tool',
    title: 'a tool hangs: timed out, told to the model',
    policy: rules({ caps: { passes: 8 }, timeouts: { tool: 30 }, check: 'npm test' }),
    script: [calls('search', { page: 1 }, { hangs: true }), DONE],
    expect: { ...verified('order 17 is refunded', '3 passed'), passes: 2, tokens: 2_000, seconds: 34 },
  },
  {
    id: 'canceled',
    title: 'somebody stops the run from outside',
    policy: CHECKED,
    script: [looksUp(1, {}, { work: ['order 17 found'] }), looksUp(2, {}, { cancel: true }), DONE],
    expect: {
      ...NOTHING_CLAIMED,
      status: 'halted_error',
      reason: 'canceled',
      passes: 2,
      tokens: 2_000,
      partial_work: ['order 17 found'],
      tool_runs: 1,
    },
  },
  {
    id: 'process_dies',
    title: 'the process dies: the record stays open',
    policy: CHECKED,
    script: [looksUp(1), looksUp(2, {}, { dies: true }), DONE],
    expect: { ...NOTHING_CLAIMED, status: 'running', reason: null },
  },
];
