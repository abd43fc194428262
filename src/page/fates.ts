import { THREE_REPEATS } from '../replay/calibrate.js';
import type { Counted } from '../replay/tally.js';

/** What a run was worth, so that spend can be told apart; only the first two depend on the policy. */
export const FATES = [
  'good, finished',
  'good, cut',
  'claimed',
  'stuck',
  'wandering',
  'stopped, passes unknown',
  'halted',
  'never closed',
] as const;
export type Fate = (typeof FATES)[number];

export const FATE_COLORS: Readonly<Record<Fate, string>> = {
  'good, finished': 'var(--good)',
  'good, cut': 'var(--cut)',
  claimed: 'var(--claimed)',
  stuck: 'var(--stuck)',
  wandering: 'var(--wandering)',
  'stopped, passes unknown': 'var(--other)',
  halted: 'var(--halted)',
  'never closed': 'var(--open)',
};

/** What the words mean, for whoever reads them. */
export const FATES_EXPLAINED = `Stuck: ended without success after the same call with the same result ${THREE_REPEATS.count} times in a row or more; wandering: without that; claimed: said to be done, and no check passed; halted: ended by an error.`;

/** @param isGood whether the run is a success @param isStopped whether the policy stops it */
export function fateOf(
  { status, streak }: Pick<Counted, 'status' | 'streak'>,
  isGood: boolean,
  isStopped: boolean,
): Fate {
  if (isGood) return isStopped ? 'good, cut' : 'good, finished';
  if (status === 'halted_error') return 'halted';
  if (status === 'running') return 'never closed';
  if (status === 'done_claimed') return 'claimed';
  if (streak === null) return 'stopped, passes unknown';
  return streak >= THREE_REPEATS.count ? 'stuck' : 'wandering';
}
