import { numberText } from '../model/decimal-text.js';
import type { DriftTest } from './drift-result.js';
import { brief } from './mixed-tasks.js';

/** What a test is called in a sentence: `rank test`, `above the old p99`. */
export function testName({ test, p, ending }: Pick<DriftTest, 'test' | 'p' | 'ending'>): string {
  if (test === 'rank') return 'rank test';
  if (test === 'top') return 'rank test of the largest tenth';
  if (test === 'endings') return ending === null ? 'how runs end' : endsAs(ending);
  return test === 'share' ? 'share of verified successes' : `above the old ${percentileText(p)}`;
}

/** What a test saw against what it expected, in one clause. */
export function testText(test: DriftTest): string {
  const { seen, expected, n_new, at, metric } = test;
  if (seen === null || expected === null) return `not judged: ${test.not_judged}`;
  if (test.test === 'rank')
    return `a new run is the larger one of ${percent(seen)} of the pairs; 50 % if nothing moved`;
  if (test.test === 'share') return `${percent(seen)} of the runs are verified; ${percent(expected)} when measured`;
  const value = metric === null || at === null ? '' : ` ${amount(at)}${UNITS[metric]}`;
  return `${seen} of ${n_new} lie above${value}, the old ${percentileText(test.p)}; ${amount(expected, 1)} expected`;
}

/** `more runs end as "halted_error: rate_limit" (13 of 57 = 22.8 %, before 0 of 57 = 0 %)`. */
export function endingText({ test, ending, moved, seen, expected, n_new, n_old }: DriftTest): string {
  const way = moved === 'up' ? 'more' : 'fewer';
  const what = test === 'share' ? 'are verified' : ending === null ? 'end otherwise' : endsAs(ending);
  return `${way} runs ${what} (${counted(seen, n_new)}, before ${counted(expected, n_old)})`;
}

/** What ways to end are called that are too rare to be tested each. */
export const RARE_ENDINGS = 'rare endings together';

function endsAs(ending: string): string {
  return ending === RARE_ENDINGS ? 'end in one of the rare ways' : `end as "${brief(ending)}"`;
}

function counted(share: number | null, of: number): string {
  const value = share ?? 0;
  return `${numberText(Math.round(value * of))} of ${numberText(of)} = ${percent(value)}`;
}

/** A p-value for people. */
export function pText(p: number | null): string {
  if (p === null) return 'not judged';
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}

const UNITS = { passes: ' passes', tokens: ' tokens', seconds: ' s', usd: ' usd' } as const;

/** `p99`. */
export function percentileText(p: number | null): string {
  return p === null ? 'percentile' : `p${Number((p * 100).toPrecision(12))}`;
}

/** A share as a sentence needs it: three digits, no exponent, and one that is not quite all never reads as all. */
export function percent(share: number): string {
  const value = Number((100 * share).toPrecision(3));
  if (value === 100 && share < 1) return 'over 99.9 %';
  if (value !== 0 && Math.abs(value) < 0.01) return `under ${value < 0 ? '-' : ''}0.01 %`;
  return `${value} %`;
}

function amount(value: number, places = 6): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: places });
}
