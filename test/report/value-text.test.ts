import { describe, expect, test } from 'vitest';
import type { SweepResult } from '../../src/replay/sweep-result.js';
import type { ValueReport } from '../../src/replay/value-result.js';
import { formatPrice } from '../../src/report/format.js';
import { rangeText, valueText } from '../../src/report/value-text.js';

const REPORT: ValueReport = {
  metric: 'tokens',
  per_success: 400_000,
  policy: 7,
  caps: { passes: 23, tokens: 460_000, seconds: null },
  false_stops: 3,
  finished: 307,
  spend: 52_400_000,
  cost: 53_600_000,
  recorded_cost: 198_400_000,
  recorded_is: 'more',
  best_from: 120_000,
  best_to: 700_000.4,
};
const RESULT = { verified: 310, population: 'verified' } as SweepResult;
const textOf = (more: Partial<ValueReport>): string => valueText({ ...REPORT, ...more }, RESULT);
const rangeOf = (more: Partial<ValueReport>): string => rangeText({ ...REPORT, ...more });

describe('what costs least in all', () => {
  test('is said with the sum and with the range in which it stays the best', () => {
    expect(textOf({})).toBe(
      'At 400,000 tokens a finished success, passes 23, tokens 460,000, seconds none costs least in all: 52.4 M tokens spent, and 3 of 310 verified successes lost, together 53.6 M tokens; this stays the best choice for any value between 120,000 and 700,000 tokens. Stopping nothing costs 198.4 M tokens.',
    );
  });

  test('names the count of a rule, and dollars', () => {
    expect(
      textOf({
        metric: 'usd',
        per_success: 2.5,
        caps: { usd: 1.5 },
        repeat: null,
        cost: 4,
        best_to: null,
        best_from: 2,
      }),
    ).toMatch(/^At \$2\.50 a finished success, usd \$1\.50, repeat none costs least in all: .* from \$2\.00 on\. /);
    expect(textOf({ repeat: 3 })).toMatch(/seconds none, repeat 3 costs least/);
  });

  test('loses no success', () => {
    expect(textOf({ false_stops: 0, finished: 310, cost: 52_400_000 })).toMatch(
      /: 52\.4 M tokens spent, and no verified success lost; this stays/,
    );
  });

  test('is not hidden where stopping nothing is cheaper, or the same', () => {
    expect(textOf({ recorded_is: 'less', recorded_cost: 1000 })).toMatch(
      /\. Stopping nothing costs less than any of these: 1,000 tokens\.$/,
    );
    expect(textOf({ recorded_is: 'same' })).toMatch(/\. So much was spent without stopping anything, too\.$/);
    expect(textOf({ recorded_is: 'unknown', recorded_cost: null })).toMatch(/700,000 tokens\.$/);
  });
});

test('a range open at an end is said in words', () => {
  expect(rangeOf({ best_from: null })).toBe('for any value up to 700,000 tokens');
  expect(rangeOf({ best_to: null })).toBe('for any value from 120,000 tokens on');
  expect(rangeOf({ best_from: null, best_to: null })).toBe('whatever a finished success is worth');
});

test('a narrow range keeps its two ends apart', () => {
  expect(rangeOf({ metric: 'usd', best_from: 2.501, best_to: 2.504 })).toBe('for any value between $2.501 and $2.504');
});

test('a price has the digits that a reader can use', () => {
  expect([310_333.4, 12.34, 9_999_999.6, 16_350_000, null].map((price) => formatPrice('tokens', price))).toEqual([
    '310,333',
    '12.3',
    '10,000,000',
    '16.4 M',
    'unknown',
  ]);
  expect(formatPrice('usd', 0.7512345)).toBe('$0.7512');
});

describe('little gained, or a guess that decides', () => {
  test('is said', () => {
    expect(textOf({ recorded_cost: 53_700_000, best_from: null, best_to: null })).toMatch(
      /Stopping nothing costs 53\.7 M tokens\. Hardly worth it: all in all that is 0\.19 % less than stopping nothing\.$/,
    );
    expect(textOf({ recorded_cost: 53_700_000, best_from: 396_000, best_to: 450_000 })).toMatch(
      /less than stopping nothing, and a worth that is guessed wrong by 1\.00 % leads to another combination\.$/,
    );
    expect(textOf({ best_from: 380_000, best_to: 410_000 })).toMatch(
      /Hardly worth choosing so finely: a worth that is guessed wrong by 2\.50 % leads to another combination that costs nearly the same\.$/,
    );
  });

  test('a cost between two ends, and no pick, are said in words', () => {
    expect(textOf({ cost_bounds: [50e6, 60e6], best_from: null, best_to: null })).toBe(
      'At 400,000 tokens a finished success, passes 23, tokens 460,000, seconds none costs least in all: 50.0 M to 60.0 M tokens, and no other combination can cost less, however the runs that the record leaves open turn out. Stopping nothing costs 198.4 M tokens.',
    );
    const base = { metric: 'tokens', per_success: 5, policy: null, recorded_cost: 100 } as const;
    expect(valueText({ ...base, reason: 'no_success', candidates: [] }, RESULT)).toMatch(
      /^At 5 tokens a finished success, nothing can be picked: no run is a verified success, /,
    );
    const candidates = [1, 2, 3, 4].map((policy) => ({
      policy,
      caps: { passes: policy },
      cost: [policy, policy > 2 ? null : 9] as const,
    }));
    expect(valueText({ ...base, reason: 'open', candidates }, RESULT)).toBe(
      'At 5 tokens a finished success, nobody can tell which combination costs least in all, since these costs are only known to lie between two ends: passes 1 costs 1 to 9 tokens; passes 2 costs 2 to 9 tokens; passes 3 costs 3 tokens or more; 1 more combination may cost least, too. As recorded, the runs cost 100 tokens.',
    );
  });
});
