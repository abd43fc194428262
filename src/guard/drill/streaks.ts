import type { Scenario } from './scenario.js';
import { calls, NOTHING_CLAIMED, rules, says, verified } from './turns.js';

const STOPPED = { ...NOTHING_CLAIMED, status: 'stopped_budget' } as const;
const DONE = { check: { passed: true, output: '3 passed' } } as const;

/** Loops that stopped getting anywhere, and loops that only look so. */
export const STREAKS: readonly Scenario[] = [
  {
    id: 'repeat',
    title: 'the same call with the same result, 3 times',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'repeat', count: 3 }] }),
    script: [calls('search', { q: 'order 17', page: 1 }, { result: 'no hits' })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'repeats', passes: 3, tokens: 3_000 },
  },
  {
    id: 'repeat_count',
    title: 'the same where the policy says 4 times',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'repeat', count: 4 }] }),
    script: [calls('search', { q: 'order 17', page: 1 }, { result: 'no hits' })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'repeats', passes: 4, tokens: 4_000 },
  },
  {
    id: 'repeat_other_calls',
    title: 'the same result of other arguments and tools',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'repeat', count: 3 }], check: 'npm test' }),
    script: [
      calls('search', { page: 1 }, { result: 'no hits' }),
      calls('search', { page: 2 }, { result: 'no hits' }),
      calls('search', { page: 3 }, { result: 'no hits' }),
      calls('find', { page: 3 }, { result: 'no hits' }),
      calls('look_up', { page: 3 }, { result: 'no hits' }),
      says({ answer: 'done' }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 6, tokens: 6_000 },
  },
  {
    id: 'repeat_layout',
    title: 'the same calls, their JSON laid out otherwise',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'repeat', count: 3 }] }),
    script: [
      calls('search', { q: 'order 17', page: 1 }, { result: '{"hits": 0, "more": false}' }),
      calls('search', { page: 1, q: 'order 17' }, { result: '{"more":false,"hits":0}' }),
      calls('search', { q: 'order 17', page: 1 }, { result: { hits: 0, more: false } }),
    ],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'repeats', passes: 3, tokens: 3_000 },
  },
  {
    id: 'repeat_moving',
    title: 'the same call, but a new result each time',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'repeat', count: 3 }], check: 'npm test' }),
    script: [
      calls('next_page', {}, { result: 'page 1' }),
      calls('next_page', {}, { result: 'page 2' }),
      calls('next_page', {}, { result: 'page 3' }),
      says({ answer: 'done' }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 4, tokens: 4_000 },
  },
  {
    id: 'polling_tool',
    title: 'a polling tool, exempt from the rule',
    policy: rules({
      caps: { passes: 12 },
      rules: [{ rule: 'repeat', count: 3, exempt: ['get_status'] }],
      check: 'npm test',
    }),
    script: [
      calls('get_status', { job: 9 }, { result: 'pending' }),
      calls('get_status', { job: 9 }, { result: 'pending' }),
      calls('get_status', { job: 9 }, { result: 'pending' }),
      calls('get_status', { job: 9 }, { result: 'pending' }),
      says({ answer: 'done' }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 5, tokens: 5_000 },
  },
  {
    id: 'alternation',
    title: 'A, B, A, B, A, B',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'repeat', name: 'alternating', count: 3, period: 2 }] }),
    script: [0, 1, 2].flatMap(() => [
      calls('open', { file: 'a' }, { result: 'see b' }),
      calls('open', { file: 'b' }, { result: 'see a' }),
    ]),
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'alternating', passes: 6, tokens: 6_000 },
  },
  {
    id: 'stale',
    title: 'new calls, but 3 in a row bring nothing new',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'stale', count: 3 }] }),
    script: ['order 17', 'order', 'seventeen', '17'].map((q) => calls('search', { q }, { result: 'no hits' })),
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'stale', passes: 4, tokens: 4_000 },
  },
  {
    id: 'stale_reset',
    title: 'nothing new, but not 3 times in a row',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'stale', count: 3 }], check: 'npm test' }),
    script: [
      ...['no hits', 'no hits', 'no hits', 'order 17', 'no hits'].map((result, page) =>
        calls('search', { page }, { result }),
      ),
      says({ answer: 'done' }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 6, tokens: 6_000 },
  },
  {
    id: 'errors',
    title: '3 calls in a row fail',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'errors', count: 3 }] }),
    script: [
      calls('search', { page: 1 }, { result: 'hits of page 1' }),
      calls('search', { page: 2 }, { error: true, result: 'bad gateway' }),
      calls('search', { page: 3 }, { error: true, result: 'timed out' }),
      calls('search', { page: 4 }, { error: true, result: 'bad gateway again' }),
    ],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'errors', passes: 4, tokens: 4_000 },
  },
  {
    id: 'errors_reset',
    title: '3 calls fail, but not in a row',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'errors', count: 3 }], check: 'npm test' }),
    script: [
      calls('search', { page: 1 }, { error: true, result: 'bad gateway' }),
      calls('search', { page: 2 }, { error: true, result: 'timed out' }),
      calls('search', { page: 3 }, { result: 'hits of page 3' }),
      calls('search', { page: 4 }, { error: true, result: 'bad gateway again' }),
      says({ answer: 'done' }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 5, tokens: 5_000 },
  },
  {
    id: 'idle',
    title: '3 passes in a row only talk',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'idle', count: 3 }] }),
    script: [calls('search', { page: 1 }, { result: 'hits of page 1' }), says({ text: 'Let me think about it.' })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'idle', passes: 4, tokens: 4_000 },
  },
  {
    id: 'idle_reset',
    title: '3 passes only talk, but not in a row',
    policy: rules({ caps: { passes: 12 }, rules: [{ rule: 'idle', count: 3 }], check: 'npm test' }),
    script: [
      says({ text: 'Let me think about it.' }),
      says({ text: 'I will look the order up.' }),
      calls('search', { page: 1 }, { result: 'hits of page 1' }),
      says({ text: 'There it is.' }),
      says({ answer: 'done' }, DONE),
    ],
    expect: { ...verified('done', '3 passed'), passes: 5, tokens: 5_000 },
  },
  {
    id: 'repeat_at_dispatch',
    title: 'asked at dispatch: the third is not run',
    policy: rules({
      caps: { passes: 12 },
      rules: [{ rule: 'repeat', key: 'request', count: 3, when: 'before_dispatch' }],
    }),
    script: [calls('refund', { order: 17 }, { result: 'try again later' })],
    repeat_last_turn: true,
    expect: { ...STOPPED, reason: 'repeats', passes: 3, tokens: 3_000, tool_runs: 2 },
  },
];
