import { type Counters, isLimitName, LIMITS } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';

/**
 * Whether a cap that could not judge a run may have stopped it, or earlier than it was. It stops no run in its last pass,
 * but for steps that are asked before each tool call. Rules are another matter: one that lacks what it looks at is told,
 * and left out of all figures, since runs that are known in total only could otherwise tell nothing of their caps.
 *
 * @param made passes, `null`: not known
 */
export function mayStopUnseen(notJudged: readonly string[], made: number | null, policy: Policy): boolean {
  if (notJudged.length === 0) return false;
  const caps = notJudged.filter((name) => isLimitName(name) && policy.caps[name] !== undefined);
  if (caps.length === 0) return false;
  return made === null || made > 1 || (made === 1 && caps.includes('steps') && policy.stepsAt === 'dispatch');
}

/** The least that a run can have used if what could not judge it stopped it as early as can be: after its first pass. */
export function firstPassAtMost(least: Counters, first: Counters): Counters {
  const lowest = { ...least };
  for (const limit of LIMITS) {
    const used = least[limit];
    if (used !== null) lowest[limit] = Math.min(used, first[limit] ?? 0);
  }
  return lowest;
}
