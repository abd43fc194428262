import type { Scenario } from './scenario.js';
import { looksUp, NOTHING_CLAIMED, rules, says, verified } from './turns.js';

const STOPPED = { ...NOTHING_CLAIMED, status: 'stopped_budget' } as const;
const DONE = { check: { passed: true, output: '3 passed' } } as const;

/** Ceilings: asked before every model call, reached when the counter is at the cap or above. */
export const CAPS: readonly Scenario[] = [
  {
    id: 'passes',
    title: 'never stops; at most 3 passes',
    policy: rules({ caps: { passes: 3 } }),
    script: [looksUp(1, {}, { work: { pages: 1 } })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'passes', passes: 3, tokens: 3_000, partial_work: { pages: 1 }, tool_runs: 3 },
  },
  {
    id: 'passes_last',
    title: 'finishes in the last pass it has',
    policy: rules({ caps: { passes: 2 }, check: 'npm test' }),
    script: [looksUp(1), says({ answer: 'done' }, DONE)],
    expect: { ...verified('done', '3 passed'), passes: 2, tokens: 2_000 },
  },
  {
    id: 'tokens',
    title: 'crosses 60,000 tokens; the pass is billed whole',
    policy: rules({ caps: { passes: 12, tokens: 60_000 } }),
    script: [
      looksUp(1, { usage: { input_tokens: 24_000, output_tokens: 1_000 } }),
      looksUp(2, { usage: { input_tokens: 29_500, output_tokens: 500 } }),
      looksUp(3, { usage: { input_tokens: 5_700, output_tokens: 304 } }, { work: 'three pages read' }),
    ],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'tokens', passes: 3, tokens: 61_004, partial_work: 'three pages read' },
  },
  {
    id: 'tokens_at_end',
    title: 'crosses the token cap in the pass it ends in',
    policy: rules({ caps: { tokens: 60_000 }, check: 'npm test' }),
    script: [
      looksUp(1, { usage: { input_tokens: 54_000, output_tokens: 1_000 } }),
      says({ answer: 'done', usage: { input_tokens: 5_700, output_tokens: 304 } }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 2, tokens: 61_004 },
  },
  {
    id: 'tokens_unknown',
    title: 'the provider does not say the tokens',
    policy: rules({ caps: { tokens: 1_000 }, check: 'npm test' }),
    script: [looksUp(1), says({ answer: 'done', usage: null }, DONE)].map((turn) => ({
      ...turn,
      model: { ...turn.model, usage: null },
    })),
    expect: { ...verified('done', '3 passed'), passes: 2, tokens: null },
  },
  {
    id: 'seconds',
    title: 'never stops; at most 60 seconds',
    policy: rules({ caps: { seconds: 60 } }),
    script: [looksUp(1, { seconds: 25 })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'seconds', passes: 3, tokens: 3_000, seconds: 75 },
  },
  {
    id: 'usd',
    title: 'never stops; at most $0.50',
    policy: rules({ caps: { usd: 0.5 } }),
    script: [looksUp(1, { usd: 0.2 })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'usd', passes: 3, tokens: 3_000, usd: 0.6 },
  },
  {
    id: 'usd_exact',
    title: 'ten dimes are a dollar, whatever a float says',
    policy: rules({ caps: { usd: 1 } }),
    script: [looksUp(1, { usd: 0.1 })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'usd', passes: 10, tokens: 10_000, usd: 1 },
  },
  {
    id: 'usd_unknown',
    title: 'one pass does not say its cost',
    policy: rules({ caps: { usd: 0.5 }, check: 'npm test' }),
    script: [
      looksUp(1, { usd: 0.2 }),
      looksUp(2),
      looksUp(3, { usd: 0.2 }),
      looksUp(4, { usd: 0.2 }),
      says({ answer: 'done', usd: 0.2 }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 5, tokens: 5_000, usd: null },
  },
  {
    id: 'steps',
    title: 'never stops; at most 6 steps, three a pass',
    policy: rules({ caps: { steps: 6 } }),
    script: [looksUp(1)],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'steps', passes: 2, tokens: 2_000, steps: 6, tool_runs: 2 },
  },
  {
    id: 'steps_at_dispatch',
    title: '8 steps, asked at dispatch: third tool not run',
    policy: rules({ caps: { steps: 8 }, steps_at: 'dispatch' }),
    script: [looksUp(1)],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'steps', passes: 3, tokens: 3_000, steps: 8, tool_runs: 2 },
  },
  {
    id: 'order_default',
    title: 'passes and tokens reached at once',
    policy: rules({ caps: { tokens: 2_000, passes: 2 } }),
    script: [looksUp(1)],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'passes', passes: 2, tokens: 2_000 },
  },
  {
    id: 'order_named',
    title: 'the same where the policy asks tokens first',
    policy: rules({ caps: { passes: 2, tokens: 2_000 }, order: ['tokens', 'passes'] }),
    script: [looksUp(1)],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'tokens', passes: 2, tokens: 2_000 },
  },
  {
    id: 'wrap_up',
    title: 'stopped, then one call to sum up',
    policy: rules({ caps: { passes: 2 }, wrap_up: true, check: 'npm test' }),
    script: [looksUp(1)],
    repeat_last_turn: true,
    wrap_up: { text: 'Two pages read; the order is not refunded.', usage: { input_tokens: 2_500, output_tokens: 60 } },
    expect: {
      ...STOPPED,
      reason: 'passes',
      passes: 2,
      tokens: 2_000,
      wrap_up: { text: 'Two pages read; the order is not refunded.', verified: false, tokens: 2_560 },
    },
  },
];
