import { LIMITS, type LimitName, type Metric } from '../model/limits.js';
import type { SweepAnswer } from '../replay/sweep-result.js';
import { formatAmountShort, formatCount, formatExact } from './format.js';

/** What one combination of a sweep sets: `passes 23, tokens none, repeat 3`. */
export function settingsText({ caps, repeat }: Pick<SweepAnswer, 'caps' | 'repeat'>): string {
  const limits = LIMITS.flatMap((limit) => {
    const cap = caps[limit];
    return cap === undefined ? [] : [`${limit} ${capText(limit, cap)}`];
  });
  const rule = repeat === undefined ? [] : [`repeat ${countText(repeat)}`];
  return [...limits, ...rule].join(', ');
}

export function capText(limit: LimitName, cap: number | null): string {
  return cap === null ? 'none' : formatExact(limit, cap);
}

export function countText(count: number | null): string {
  return count === null ? 'none' : formatCount(count);
}

/** An amount in short, with the word for what it is of. */
export function amountText(metric: Metric, amount: number): string {
  return withNoun(metric, formatAmountShort(metric, amount));
}

/** `1.5 M to 2.8 M tokens`, or `1.5 M tokens or more` where nobody knows how much. */
export function rangeOfAmounts(metric: Metric, [least, most]: readonly [number, number | null]): string {
  const [from, to] = [formatAmountShort(metric, least), most === null ? null : formatAmountShort(metric, most)];
  if (to === null) return `${withNoun(metric, from)} or more`;
  return from === to ? withNoun(metric, from) : `${from} to ${withNoun(metric, to)}`;
}

export function withNoun(metric: Metric, amount: string): string {
  return metric === 'passes' || metric === 'tokens' ? `${amount} ${metric}` : amount;
}
