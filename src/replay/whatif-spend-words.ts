import type { Metric } from '../model/limits.js';
import { percent } from './drift-words.js';
import type { Bounds } from './result.js';
import type { SpendDifference, SpendInterval } from './whatif-result.js';

/** What the candidate spends against today, with its interval. */
export function spendText(spend: SpendDifference | null, metric: Metric, interval: SpendInterval): string {
  const noun = NOUNS[metric];
  if (spend === null) return `spend an unknown number of ${noun}`;
  if (spend.replayed === 0) return `spend as many ${noun}`;
  if (spend.relative === null) return `spend more ${noun}, where today's policy spends none`;
  const share = percent(Math.abs(spend.relative));
  const text = spend.relative < 0 ? `save ${share} of ${noun}` : `spend ${share} more ${noun}`;
  return `${text} (${intervalText(interval)})`;
}

/** `95 % interval 3.2 to 5 %`, of savings where both ends are savings; or why there is none. */
export function intervalText({ relative_ci95, no_interval }: SpendInterval): string {
  if (relative_ci95 === null) return `no interval: ${no_interval ?? 'some resamples hold no run that spends anything'}`;
  const [low, high] = relative_ci95;
  if (low < 0 && high > 0) return `95 % interval from ${percent(-low)} saved to ${percent(high)} more`;
  const [least, most] = high <= 0 ? [-high, -low] : [low, high];
  return `95 % interval ${percent(least)} to ${percent(most)}`;
}

/** The same where the recording leaves the difference open: by both ends. */
export function openSpendText(spend: SpendDifference | null, before: number, metric: Metric): string {
  const noun = NOUNS[metric];
  if (spend === null) return `spend an unknown number of ${noun}`;
  const [low, high]: Bounds = spend.bounds ?? [spend.replayed, spend.replayed];
  const share = (value: number): string => (before === 0 ? 'an unknown part' : percent(Math.abs(value) / before));
  if (low === null && high === null) return `spend nobody knows how many ${noun}`;
  if (low === null) return fromBelow(high as number, noun, share);
  if (high === null) return fromAbove(low, noun, share);
  if (low === 0 && high === 0) return `spend as many ${noun}`;
  if (low === high) return low < 0 ? `save ${share(low)} of ${noun}` : `spend ${share(low)} more ${noun}`;
  if (high <= 0) return `save between ${share(high)} and ${share(low)} of ${noun}`;
  if (low >= 0) return `spend between ${share(low)} and ${share(high)} more ${noun}`;
  return `spend between ${share(low)} less and ${share(high)} more in ${noun}`;
}

/** Only the most that more is spent is known. */
function fromBelow(high: number, noun: string, share: (value: number) => string): string {
  if (high < 0) return `save at least ${share(high)} of ${noun}`;
  if (high === 0) return `save something between nothing and an unknown amount of ${noun}`;
  return `spend up to ${share(high)} more ${noun}, or save an unknown amount of them`;
}

/** Only the most that is saved is known. */
function fromAbove(low: number, noun: string, share: (value: number) => string): string {
  if (low > 0) return `spend at least ${share(low)} more ${noun}`;
  if (low === 0) return `spend as many ${noun} or more, by an unknown amount`;
  return `save up to ${share(low)} of ${noun}, or spend an unknown amount more`;
}

/** What a metric is called in a sentence. */
const NOUNS: Readonly<Record<Metric, string>> = {
  passes: 'passes',
  tokens: 'tokens',
  seconds: 'seconds',
  usd: 'dollars',
};
