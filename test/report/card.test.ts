import { describe, expect, test } from 'vitest';
import { EMPTY_POLICY, PLAIN_REPEAT, type Policy } from '../../src/policy/policy.js';
import { buildCard, type CardFacts } from '../../src/report/card.js';
import { renderCardMarkdown, renderCardText } from '../../src/report/card-blocks.js';
import {
  DERIVE,
  DOUBTFUL_REPLAY,
  EMPTY_REPLAY,
  HOSTILE_NAMES,
  PASSES_CAP,
  POLICY,
  REPLAY,
  UNSAFE_OUTPUT,
  widestLine,
} from './fixtures.js';

const FACTS: CardFacts = { derive: DERIVE, replay: REPLAY };

/** The card as one line of text, so that a sentence is found however it is wrapped. */
function spoken(policy: Policy, known: CardFacts = {}): string {
  return renderCardText(buildCard(policy, known), { width: 80, color: false }).replace(/\s+/g, ' ');
}

describe('the stop-policy card', () => {
  test.each([80, 140])('as text at %d columns', async (width) => {
    const text = renderCardText(buildCard(POLICY, FACTS), { width, color: false });
    expect(widestLine(text)).toBeLessThanOrEqual(width);
    expect(text.split('\n').length).toBeLessThanOrEqual(70);
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/card-${width}.txt`);
  });

  test('in Markdown', async () => {
    await expect(`${renderCardMarkdown(buildCard(POLICY, FACTS))}\n`).toMatchFileSnapshot('golden/card.md');
  });

  test('is plain data', () => {
    const card = buildCard(POLICY, FACTS);
    expect(JSON.parse(JSON.stringify(card))).toEqual(card);
  });

  const required = [
    ['exit: done, verified', 'Check passes: done_verified.'],
    ['exit: done, claimed', "No check: done_claimed, which is the agent's word only."],
    ['exit: stopped on budget', '2. stopped on budget stopped_budget: a limit below was reached; it is the reason.'],
    [
      'exit: halted on error',
      '3. halted on error halted_error: an error of the halt list, or canceled; its class is the reason.',
    ],
    ['no exit', 'Not an exit A check that fails, and an empty answer: both are fed back, and the loop goes on.'],
    ['check', 'The check pytest tests/test_refund.py'],
    ['order', 'Checked before every model call, in the order listed'],
    ['pass cap', '1. 26 passes p99 of verified successes (21) x 1.2 = 25.2, rounded up to 26'],
    ['token cap', '2. 460,000 tokens p99 of verified successes (376,035) x 1.2 = 451,242, rounded up to 460,000'],
    ['time cap', '3. 270 s p99 of verified successes (211 s) x 1.2 = 253.2 s, rounded up to 270 s'],
    ['method beside the percentile', 'nearest rank 307 of 310'],
    [
      'repeats',
      '4. repeats at 3 the same call (tool, arguments, result) 3 times in a row, the first one counted; exempt tools: none',
    ],
    ['timeouts', 'Model call timeout 60 s a call Tool call timeout 30 s a call'],
    ['scope', 'Scope The whole run: sub-agents and retries count in the pass that caused them.'],
    ['wrap-up', 'Wrap-up call No: after a stop the model is not called again.'],
    ['halt list', 'Halt on permission_denied, guardrail, spending_limit_near'],
    ['feed-back rule', 'Every other error goes back to the model as a tool result.'],
    ['report', 'status, reason, passes, tokens, seconds, transcript id, answer, check output, partial work.'],
    ['alert: share', 'stopped_budget above 25 % of the runs in a window (replayed: 82 of 400 = 20.5 %, at most 24.8 %'],
    ['alert: halts', 'Any halted_error for a permission or a guardrail.'],
    ['alert: overdue', 'A record still running past the wall-clock cap (270 s).'],
    ['money', 'Money unknown: no prices.'],
    ['runs', 'Runs 400 runs, 310 verified successes (77.5 %).'],
    ['source and date', 'Source datasets/worked-example/runs.jsonl, 2026-03-08'],
    ['fingerprint', 'Fingerprint sha256:0123456789abcdef…'],
    ['false stops', '3 of 310 verified successes = 0.97 % (exact 95 % interval 0.20 % to 2.80 %).'],
    ['spend', '198.4 M -> 36.7 M tokens, -81.5 %.'],
    ['overshoot', 'The pass that crosses a cap is billed in full, so a run can end above its cap'],
    ['estimate', 'an estimate, not a promise'],
  ] as const;
  test.each(required)('carries the line on %s', (_line, sentence) => {
    expect(spoken(POLICY, FACTS)).toContain(sentence);
  });
});

describe('provenance of a cap', () => {
  const provenance = { passes: { ...PASSES_CAP } };

  test('comes from the policy file where nothing was derived now', () => {
    const policy = { ...POLICY, measured: { ...POLICY.measured, provenance } };
    expect(buildCard(policy).limits[0]?.provenance).toBe(
      'p99 of verified successes (21) x 1.2 = 25.2, rounded up to 26 (unit 1); nearest rank 307 of 310',
    );
    expect(buildCard(policy).limits[1]?.provenance).toBe('set by hand');
  });

  test('a cap that was changed after it was derived says so', () => {
    const policy = { ...POLICY, caps: { passes: 30 }, measured: { provenance } };
    expect(buildCard(policy).limits[0]?.provenance).toBe(
      'set by hand; p99 of verified successes (21) x 1.2 = 25.2 would give 26; nearest rank 307 of 310',
    );
  });

  test('a cap that needed no rounding names none', () => {
    const exact = { passes: { ...PASSES_CAP, quantile: 20, padded: 24, cap: 24 } };
    const policy = { ...POLICY, caps: { passes: 24 }, measured: { provenance: exact } };
    expect(buildCard(policy).limits[0]?.provenance).toMatch(/x 1\.2 = 24; nearest rank/);
  });

  test.each([
    [null],
    ['p99'],
    [[]],
    [{ passes: null }],
    [{ passes: { cap: 'x' } }],
    [{ passes: { cap: 26, p: 0.99 } }],
  ])('what cannot be read is no provenance: %j', (unreadable) => {
    expect(buildCard({ ...POLICY, measured: { provenance: unreadable } }).limits[0]?.provenance).toBe('set by hand');
  });

  test('limits stand in the order in which they are asked, steps and money too', () => {
    const policy: Policy = {
      ...POLICY,
      caps: { passes: 8, steps: 64, usd: 2_500_000_000 },
      order: ['rules', 'usd', 'passes', 'steps', 'tokens', 'seconds'],
    };
    expect(buildCard(policy).limits.map((limit) => limit.text)).toEqual([
      'repeats at 3',
      '$2.50',
      '8 passes',
      '64 steps',
    ]);
  });
});

describe('what is not known or not set', () => {
  test('an empty policy', () => {
    const text = spoken(EMPTY_POLICY);
    for (const sentence of [
      'None: this policy stops nothing.',
      'not named: where no program says so, a run can only end as done_claimed',
      'Tool call timeout not set: set one, a hanging tool never reaches a boundary',
      'Halt on none listed',
      'stopped_budget above 10 % of the runs in a window (a default: nothing replayed).',
      'past the wall-clock cap (none is set: choose an age)',
      'Money unknown: neither a usd cap nor a token cap.',
      'Runs unknown: this policy was not measured.',
      'Fingerprint unknown',
      'Replay none: what this policy would have done is unknown.',
    ]) {
      expect(text).toContain(sentence);
    }
  });

  test('unknown figures never print as 0 or NaN', () => {
    const text = spoken(POLICY, { replay: EMPTY_REPLAY });
    expect(text).not.toMatch(/NaN|Infinity|null|undefined/);
    expect(text).toContain('0 of 0 verified successes: the rate is unknown.');
    expect(text).toContain('Spend tokens unknown.');
  });

  test('a claimed population is said so wherever a percentile or a rate stands', () => {
    const text = spoken(POLICY, {
      derive: { ...DERIVE, population: 'claimed, not verified' },
      replay: DOUBTFUL_REPLAY,
    });
    expect(text).toContain("Population: claimed, not verified. Some of these successes are the agent's word only.");
    expect(text).toContain('p99 of successes (claimed, not verified) (21) x 1.2');
    expect(text).not.toContain('verified successes');
    expect(spoken({ ...POLICY, measured: { population: 'claimed, not verified' } })).toContain(
      'Population: claimed, not verified.',
    );
  });

  test('censored and approximate replays are said so', () => {
    const text = spoken(POLICY, { replay: DOUBTFUL_REPLAY });
    expect(text).toContain(
      'Approximate some runs are known in total only; false stops from 3 to 6 of up to 318 (310 successes',
    );
    expect(text).toContain('Censored 8 runs stopped while recording');
  });
});

test('the text of a wrap-up call is labelled unverified', () => {
  expect(spoken({ ...POLICY, wrapUp: true })).toContain(
    'Wrap-up call Yes: one last model call may sum up. Its text is labelled unverified and its tokens are extra.',
  );
});

describe('money line', () => {
  test('is the usd cap, else the token cap at a price, else unknown', () => {
    expect(buildCard({ ...POLICY, caps: { usd: 500_000_000, tokens: 1 } }).money).toBe('$0.50 a run: the usd cap.');
    expect(buildCard(POLICY, { usdPerMillionTokens: 3 }).money).toBe(
      'about $1.38 a run: the token cap at $3.00 a million tokens, the price given.',
    );
    expect(buildCard(POLICY, FACTS).money).toBe('unknown: no prices.');
  });

  test('takes the recorded average only where tokens and dollars are known for the same runs', () => {
    const usd = { recorded: 396.8, replayed: 100, reduction: 0.75, known_runs: 400 };
    const priced = (known_runs: number): string =>
      buildCard(POLICY, { replay: { ...REPLAY, spend: { ...REPLAY.spend, usd: { ...usd, known_runs } } } }).money;
    expect(priced(400)).toBe(
      'about $0.92 a run: the token cap at $2.00 a million tokens, the average of the recorded runs.',
    );
    expect(priced(399)).toBe('unknown: no prices.');
  });
});

describe('alerts', () => {
  test('a share that was given is taken as it is', () => {
    expect(buildCard(POLICY, { ...FACTS, alertShare: 0.125 }).alerts[0]).toBe(
      'stopped_budget above 12.5 % of the runs in a window.',
    );
  });

  test('the threshold is the upper end of the exact interval, rounded up to a whole percent', () => {
    // R: binom.test(0, 100)$conf.int[2] is 0.03622; binom.test(100, 100) ends at 1.
    const alert = (stopped: number): string | undefined =>
      buildCard(POLICY, {
        replay: { ...REPLAY, runs: 100, by_status: { ...REPLAY.by_status, stopped_budget: stopped } },
      }).alerts[0];
    expect(alert(0)).toContain(
      'stopped_budget above 4 % of the runs in a window (replayed: 0 of 100 = 0 %, at most 3.62 %',
    );
    expect(alert(100)).toContain('stopped_budget above 99 %');
  });
});

test.each(HOSTILE_NAMES)('a hostile name is printed harmlessly wherever it stands', (name) => {
  const policy: Policy = {
    ...POLICY,
    name,
    rules: [{ ...PLAIN_REPEAT, name, key: 'request', exempt: [name, name] }],
    haltOn: Array<string>(30).fill(name),
    check: name,
    measured: { source: name, date: name, fingerprint: name, population: name },
  };
  const card = buildCard(policy);
  for (const width of [40, 80]) {
    const text = renderCardText(card, { width, color: false });
    expect(text).not.toMatch(UNSAFE_OUTPUT);
    expect(widestLine(text)).toBeLessThanOrEqual(width);
    expect(text.length).toBeLessThan(40_000);
  }
  const markdown = renderCardMarkdown(card);
  expect(markdown).not.toMatch(UNSAFE_OUTPUT);
  expect(markdown).not.toMatch(/<\w|(?<!\\)`|(?<!\\)\]\(|[^\\]:\/\//);
});
