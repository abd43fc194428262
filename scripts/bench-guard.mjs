// What the guard adds to a pass of a live loop: one ask, one charge, one tool call asked for and observed.
// Usage: npm run bench:guard. Prints the median of nine rounds of 100,000 passes, in microseconds a pass.
import { createGuard } from 'capfit/guard';

const PASSES = 100_000;
const ROUNDS = 9;
const POLICY = {
  capfit: 'policy/v1',
  caps: { passes: 1e9, tokens: 1e12, seconds: 1e6, usd: 1e5, steps: 1e9 },
  rules: [
    { rule: 'repeat', count: 3 },
    { rule: 'repeat', name: 'requests', key: 'request', count: 4, when: 'before_dispatch' },
    { rule: 'stale', count: 1_000_000 },
    { rule: 'errors', count: 3 },
    { rule: 'idle', count: 3 },
  ],
};

/** A run never ends here, so that every pass is asked: stale results are let be, and no request is like the last. */
function round() {
  const guard = createGuard(POLICY);
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

round();
const measured = Array.from({ length: ROUNDS }, round).sort((a, b) => a - b);
const shown = measured.map((micros) => micros.toFixed(2));
console.log(
  `guard: ${shown[(ROUNDS - 1) / 2]} microseconds a pass (median of ${ROUNDS}; ${shown[0]} to ${shown.at(-1)})`,
);
