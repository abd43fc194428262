import { policy } from '../builders.js';

/** A policy that asks for everything a policy file can ask for. */
export const FULL_FIELDS = {
  name: 'support / refund',
  caps: { passes: 26, tokens: 460000, seconds: 270.5, usd: 1.5, steps: 64 },
  order: ['tokens', 'passes', 'seconds', 'usd', 'steps', 'rules'],
  rules: [
    { rule: 'repeat', key: 'call', count: 3, exempt: ['get_build_status'] },
    { rule: 'repeat', name: 'plain', key: 'call', count: 4 },
    { rule: 'repeat', name: 'alternation', key: 'request', count: 3, period: 3, min_period: 2 },
    { rule: 'repeat', name: 'again', key: 'request', count: 4, scope: 'run', when: 'before_dispatch' },
    { rule: 'repeat', name: 'lately', key: 'result', count: 3, window: 8 },
    { rule: 'stale', count: 4 },
    { rule: 'errors', count: 5 },
    { rule: 'idle', count: 2 },
  ],
  steps_at: 'dispatch',
  timeouts: { model_call: 60, tool: 30 },
  wrap_up: true,
  halt_on: ['permission_denied', 'guardrail'],
  check: 'pytest tests/test_refund.py',
};

export const POLICIES = {
  full: policy(FULL_FIELDS),
  bare: policy({ name: 'bare', caps: { passes: 26 } }),
  empty: policy({}),
};

export const POLICY_NAMES = ['full', 'bare', 'empty'] as const;
