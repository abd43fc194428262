import { numberText } from '../model/decimal-text.js';
import type { ReplayReport } from './result.js';

type Counted = Pick<ReplayReport, 'verified'> & { readonly bounds?: ReplayReport['bounds'] };

/** Runs stopped while recording that would go on and might succeed: bounds count them among the successes. */
export function openSuccesses({ bounds, verified }: Counted): number {
  return (bounds?.censored?.all_succeed.verified ?? verified) - verified;
}

/**
 * What bounds are shares of, where that is more than the verified successes:
 * `up to 470 (354 verified successes, and 116 stopped while recording that might have been)`; else `null`.
 *
 * @param noun of the verified successes: one, and several
 */
export function upToText(counted: Counted, [one, several]: readonly [string, string]): string | null {
  const open = openSuccesses(counted);
  if (open === 0) return null;
  const { verified } = counted;
  return `up to ${numberText(verified + open)} (${numberText(verified)} ${verified === 1 ? one : several}, and ${numberText(open)} stopped while recording that might have been)`;
}
