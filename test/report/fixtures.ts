import stringWidth from 'string-width';
import type { CapReport, DeriveReport, Quantiles } from '../../src/calibrate/result.js';
import { EMPTY_POLICY, PLAIN_REPEAT, type Policy } from '../../src/policy/policy.js';
import type { ReplayReport } from '../../src/replay/result.js';

/** Made-up figures in the shape of the worked example; nothing here was measured. */
export const POLICY: Policy = {
  ...EMPTY_POLICY,
  name: 'support / refund',
  caps: { passes: 26, tokens: 460_000, seconds: 270_000_000 },
  order: ['passes', 'tokens', 'seconds', 'usd', 'rules', 'steps'],
  rules: [PLAIN_REPEAT],
  timeouts: { modelCall: 60_000_000, tool: 30_000_000 },
  haltOn: ['permission_denied', 'guardrail', 'spending_limit_near'],
  check: 'pytest tests/test_refund.py',
  measured: {
    date: '2026-03-08',
    source: 'datasets/worked-example/runs.jsonl',
    runs: 400,
    verified: 310,
    fingerprint: `sha256:${'0123456789abcdef'.repeat(4)}`,
  },
};

export function capReport(own: Partial<CapReport>): CapReport {
  return {
    cap: 26,
    quantile: 21,
    p: 0.99,
    rank: 307,
    n: 310,
    method: 'nearest-rank',
    padding: 1.2,
    padded: 25.2,
    unit: 1,
    above: 2,
    above_upper95: 0.0201,
    ...own,
  };
}

export const PASSES_CAP: CapReport = capReport({});
const TOKENS_CAP = capReport({ cap: 460_000, quantile: 376_035, padded: 451_242, unit: 10_000, above: 1 });
const SECONDS_CAP = capReport({ cap: 270, quantile: 211, padded: 253.2, unit: 30, above: 0, above_upper95: 0.00962 });

export const PASSES_QUANTILES: Quantiles = {
  p50: 8,
  p90: 15,
  p95: 17,
  p99: 21,
  'p99.9': 33,
  max: 33,
  n: 310,
  method: 'nearest-rank',
  ci95: { p50: [8, 9], p99: [19, null] },
  upper95: { p50: 9, p99: 33 },
  no_interval: { p99: 'p99 has no upper end at n = 310: even the maximum is not far enough out' },
};

export const DERIVE: DeriveReport = {
  schema: 'capfit/derive@1',
  population: 'verified',
  runs: 400,
  verified: 310,
  passed_unfinished: 0,
  accepted_rate: 0.01,
  quantiles: {
    passes: PASSES_QUANTILES,
    tokens: {
      ...PASSES_QUANTILES,
      ...{ p50: 49_082, p90: 180_220, p95: 231_007, p99: 376_035, 'p99.9': 1_008_112, max: 1_008_112 },
      ci95: { p50: [45_310, 53_200], p99: [300_120, null] },
      upper95: { p50: 52_730, p99: 1_008_112 },
    },
    seconds: {
      ...PASSES_QUANTILES,
      ...{ p50: 80.25, p90: 141.5, p95: 166.04, p99: 211, 'p99.9': 268.75, max: 268.75 },
      ci95: { p50: [76.1, 85], p99: [190.5, null] },
      upper95: { p50: 84.3, p99: 268.75 },
    },
    usd: null,
  },
  caps: { passes: PASSES_CAP, tokens: TOKENS_CAP, seconds: SECONDS_CAP, usd: null },
  groups: [],
  warnings: [
    {
      code: 'small-sample',
      message: 'p99 of 310 verified runs rests on its three largest values',
      hint: 'record 690 more runs, or pad more',
    },
  ],
};

export const REPLAY: ReplayReport = {
  schema: 'capfit/replay@1',
  policy: {},
  population: 'verified',
  runs: 400,
  verified: 310,
  verified_finished: 307,
  passed_unfinished: 0,
  false_stops: {
    count: 3,
    rate: 3 / 310,
    ci95: [0.002, 0.02805],
    runs: [
      { id: 'run-0011', reason: 'passes', after_passes: 26 },
      { id: 'run-0207', reason: 'tokens', after_passes: 24 },
      { id: 'run-0310', reason: 'passes', after_passes: 26 },
    ],
  },
  by_status: { done_verified: 307, done_claimed: 0, stopped_budget: 82, halted_error: 11, running: 0 },
  by_reason: {
    passes: { count: 25, median_pass: 26, by_label: { kind: { wander: 23, success: 2 } } },
    tokens: { count: 3, median_pass: 23, by_label: { kind: { wander: 2, success: 1 } } },
    seconds: { count: 1, median_pass: 22, by_label: { kind: { wander: 1 } } },
    repeats: { count: 53, median_pass: 12, by_label: { kind: { stuck: 53 } } },
  },
  recorded_by_reason: {},
  by_claim: { completed: 0, blocked: 0, impossible: 0 },
  spend: {
    passes: { recorded: 9_012, replayed: 4_010, reduction: 1 - 4_010 / 9_012, known_runs: 400 },
    tokens: { recorded: 198_400_000, replayed: 36_700_000, reduction: 1 - 367 / 1984, known_runs: 400 },
    seconds: { recorded: 91_233.5, replayed: 40_100.25, reduction: 1 - 40_100.25 / 91_233.5, known_runs: 398 },
    usd: null,
  },
  unverified_spend_share: 0.892,
  max_bill: { passes: 26, tokens: 471_002, seconds: 281.5, usd: null },
  overshoot: { tokens: { max: 11_002, median: 4_520 }, seconds: { max: 11.5, median: 11.5 } },
  censored: 0,
  bounds: null,
  approximate: false,
  not_judged: { seconds: 2, tokens: 0 },
  blind: [],
  longest_streak: { verified: 2, all: 51 },
  groups: [],
  warnings: [],
};

/** Names that a report must print harmlessly. */
export const HOSTILE_NAMES: readonly string[] = [
  '\u001b[31mred\u001b[0m\u001b]8;;http://evil\u0007link',
  '\u009b2J',
  'a'.repeat(1_000_000),
  '\u0301'.repeat(100_000),
  "=cmd|' /C calc'!A0",
  'a|b\nc\r\nd\te',
  '\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c',
  'zero\u200bwidth\u200d\u2060joined\ufeff\u{e0041}\u{e0042}',
  'line\u2028para\u2029',
  'lone \ud800 and \udc00',
  '👨‍👩‍👧 emoji 🎉❤️',
  '漢字の名前はとても長いのでここで切られるべきですそうですよね',
  '<script>alert(1)</script> & &amp; <!-- -->',
  '**bold** _it_ `code` [link](http://x) ![i](y) ~~s~~ # h',
  '``` \\| \\\\',
  'https://evil.example www.evil.example',
];

/** What no output may hold: anything a terminal obeys, or that hides or reorders text. */
export const UNSAFE_OUTPUT =
  /(?!\n)[\p{Cc}\p{Cs}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u{e0000}-\u{e0fff}]/u;

/** A replay with every doubt there can be: claimed population, censored runs, bounds, missing figures. */
export const DOUBTFUL_REPLAY: ReplayReport = {
  ...REPLAY,
  population: 'claimed, not verified',
  passed_unfinished: 4,
  recorded_by_reason: { passes: 7, tokens: 0, unknown: 1 },
  by_claim: { completed: 300, blocked: 12, impossible: 0 },
  spend: { ...REPLAY.spend, tokens: null },
  unverified_spend_share: null,
  max_bill: { passes: 26, tokens: null, seconds: null, usd: null },
  overshoot: {},
  censored: 8,
  approximate: true,
  bounds: {
    because: ['5 runs are known in total only', '8 runs were stopped while recording'],
    false_stops: [3, 6],
    false_stop_rate: [3 / 310, 6 / 310],
    ci95: [0.002, 0.0417],
    unjudged: { runs: 2, verified: 1 },
    verified_finished: [304, 307],
    spend: { seconds: { replayed: [39_000, 40_100.25], reduction: [0.56, null] } },
    censored: {
      none_succeed: { verified: 310, verified_finished: 307, false_stop_rate: 3 / 310 },
      all_succeed: { verified: 318, verified_finished: 315, false_stop_rate: 3 / 318 },
    },
  },
  warnings: [{ code: 'approximate', message: 'some runs keep no passes', hint: 'record passes' }],
};

/** The figures of a set without a single success, prices, tokens or times. */
export const EMPTY_DERIVE: DeriveReport = {
  ...DERIVE,
  runs: 0,
  verified: 0,
  quantiles: { passes: null, tokens: null, seconds: null, usd: null },
  caps: { passes: null, tokens: null, seconds: null, usd: null },
  warnings: [],
};

export const EMPTY_REPLAY: ReplayReport = {
  ...REPLAY,
  runs: 0,
  verified: 0,
  verified_finished: 0,
  false_stops: { count: 0, rate: null, ci95: null, runs: [] },
  by_status: { done_verified: 0, done_claimed: 0, stopped_budget: 0, halted_error: 0, running: 0 },
  by_reason: {},
  spend: { passes: null, tokens: null, seconds: null, usd: null },
  unverified_spend_share: null,
  max_bill: { passes: null, tokens: null, seconds: null, usd: null },
  overshoot: {},
  not_judged: {},
  blind: [],
  longest_streak: { verified: null, all: null },
};

/** Widest line of a text, in columns. */
export function widestLine(text: string): number {
  return Math.max(...text.split('\n').map((line) => stringWidth(line)));
}
