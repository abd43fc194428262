import type { LimitName, Metric } from './limits.js';
import type { Pass, Run } from './run.js';
import { stepsOf } from './run-draft.js';
import type { Check, Claim, Status } from './status.js';

/** What one pass adds to a counter, in atoms; `null` when the pass does not say. */
export function passAmount(pass: Pass, limit: LimitName): number | null {
  switch (limit) {
    case 'passes':
      return 1;
    case 'tokens':
      return pass.inputTokens === null || pass.outputTokens === null ? null : pass.inputTokens + pass.outputTokens;
    case 'seconds':
      return pass.micros;
    case 'usd':
      return pass.nanos;
    case 'steps':
      return pass.steps ?? stepsOf(pass.calls.length);
  }
}

/** How many passes the run made; `null` when neither passes nor a total were recorded. */
export function passCount(run: Run): number | null {
  const kept = run.passes === null ? null : run.passes.length;
  const stated = run.totals?.passes ?? null;
  if (kept === null) return stated;
  return stated === null ? kept : Math.max(kept, stated);
}

/** Whether the kept passes are all the passes the run made. */
export function hasAllPasses(run: Run): boolean {
  return run.passes !== null && (run.totals?.passes ?? 0) <= run.passes.length;
}

/**
 * A figure of the whole run in atoms: the sum of its passes, else the recorded total, else `null`. Where passes are
 * missing the recorded total comes first, since the passes that were kept cannot give the whole.
 */
export function runTotal(run: Run, limit: LimitName): number | null {
  if (limit === 'passes') return passCount(run);
  const summed = run.passes === null ? null : sumPasses(run.passes, limit);
  if (limit === 'steps') return hasAllPasses(run) ? summed : null;
  const stated = run.totals?.[limit satisfies Metric] ?? null;
  if (hasAllPasses(run)) return summed ?? stated;
  return stated ?? (run.passes?.length ? summed : null);
}

/** What passes add up to, in atoms; `null` where one does not say. */
export function sumPasses(passes: readonly Pass[], limit: LimitName): number | null {
  let sum = 0;
  for (const pass of passes) {
    const amount = passAmount(pass, limit);
    if (amount === null) return null;
    sum += amount;
  }
  return sum;
}

/** Whether the run made no model call at all: such a run is counted, but never among the verified successes. */
export function isZeroPass(run: Run): boolean {
  return passCount(run) === 0;
}

/** How a run ended and whether it made a model call: all that tells a success from another run. */
export interface Ending {
  readonly status: Status;
  readonly check: Check;
  readonly claim: Claim | null;
  readonly isZeroPass: boolean;
}

export function endingOf(run: Run): Ending {
  return { status: run.status, check: run.check, claim: run.claim, isZeroPass: isZeroPass(run) };
}

/** A verified success: at least one pass, and a program said that the work was done. */
export function isVerifiedEnding({ check, isZeroPass }: Ending): boolean {
  return check === 'passed' && !isZeroPass;
}

/** A run that says it is done where no check looked: what `--claimed` widens the population to. */
export function isClaimedEnding({ status, check, claim, isZeroPass }: Ending): boolean {
  const claimsDone = claim === null || claim === 'completed';
  return status === 'done_claimed' && check === 'none' && claimsDone && !isZeroPass;
}

/** A verified success that was stopped, halted or lost all the same: the work was done and the loop went on. */
export function isPassedUnfinishedEnding(ending: Ending): boolean {
  return isVerifiedEnding(ending) && ending.status !== 'done_verified';
}

/** Whether a run is a verified success. */
export function isVerifiedSuccess(run: Run): boolean {
  return isVerifiedEnding(endingOf(run));
}

/** Whether a run is a verified success that did not finish. */
export function isPassedUnfinished(run: Run): boolean {
  return isPassedUnfinishedEnding(endingOf(run));
}

/** Whether a run says that it is done where no check looked. */
export function isClaimedSuccess(run: Run): boolean {
  return isClaimedEnding(endingOf(run));
}
