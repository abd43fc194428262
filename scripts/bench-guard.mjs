// What the guard adds to a pass of a live loop: one ask, one charge, one tool call asked for and observed.
// Usage: npm run bench:guard. For two policies the median of nine rounds of 100,000 passes, in microseconds a pass.
import { createGuard } from 'capfit/guard';

const PASSES = 100_000;
const ROUNDS = 9;

/** Caps that are never reached, so that every pass is asked. */
const CAPS = { passes: 1e9, tokens: 1e12, seconds: 1e6, usd: 1e5 };
const POLICIES = {
  'four caps and a repeat rule': {
    capfit: 'policy/v1',
    caps: CAPS,
    rules: [{ rule: 'repeat', count: 3 }],
  },
  'five caps and a rule of every kind': {
    capfit: 'policy/v1',
    caps: { ...CAPS, steps: 1e9 },
    rules: [
      { rule: 'repeat', count: 3 },
      { rule: 'repeat', name: 'requests', key: 'request', count: 4, when: 'before_dispatch' },
      { rule: 'stale', count: 1_000_000 },
      { rule: 'errors', count: 3 },
      { rule: 'idle', count: 3 },
    ],
  },
};

/** A run never ends here: no request is like the last, and stale results are let be. */
function round(policy) {
  const guard = createGuard(policy);
  const start = performance.now();
  for (let pass = 0; pass < PASSES; pass++) {
    if (guard.beforeCall() !== null) throw new Error(guard.report().message);
    guard.charge({ inputTokens: 1840, outputTokens: 96, usd: 0.0042 });
    const call = { tool: 'search', args: { query: 'order', page: pass } };
    if (guard.beforeDispatch(call) !== null) throw new Error(guard.report().message);
    guard.observe(call, 'three hits: a, b and c', { error: false });
  }
  return ((performance.now() - start) * 1000) / PASSES;
}

for (const [name, policy] of Object.entries(POLICIES)) {
  round(policy);
  const measured = Array.from({ length: ROUNDS }, () => round(policy)).sort((a, b) => a - b);
  const [least, middle, most] = [0, (ROUNDS - 1) / 2, ROUNDS - 1].map((at) => measured[at].toFixed(2));
  console.log(`${name}: ${middle} microseconds a pass (median of ${ROUNDS}; ${least} to ${most})`);
}
