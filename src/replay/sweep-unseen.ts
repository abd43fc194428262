import type { PopulationOptions } from '../calibrate/population.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import type { RunTable } from '../model/table.js';
import { EMPTY_POLICY, type Policy } from '../policy/policy.js';
import { boundsOf } from './bounds.js';
import { replayAll } from './replay-all.js';
import type { ReplayBounds } from './result.js';
import { addOutcome, openTally } from './tally.js';

/** What caps could not judge, and may have stopped: sweeps count what is certain, so that it is replayed here. */
export interface UnseenStops {
  /** Whether any cap of a policy lacks what it counts, in any run that it could stop. */
  isPossible(policy: Policy): boolean;
  /** As `simulate` has them. */
  boundsUnder(policy: Policy): ReplayBounds | null;
}

export function unseenStops(table: RunTable, population: PopulationOptions): UnseenStops {
  const known = new Map<string, boolean>();
  const isBlindable = (alone: Policy): boolean => {
    const key = JSON.stringify([alone.caps, alone.stepsAt]);
    const found = known.get(key) ?? lacksAnything(table, alone);
    known.set(key, found);
    return found;
  };
  return {
    isPossible: (policy) => partsOf(policy).some(isBlindable),
    boundsUnder(policy) {
      const tally = openTally(policy);
      for (const { counted, outcomes } of replayAll(table, [policy])) {
        for (const outcome of outcomes) addOutcome(tally, counted, outcome, population, []);
      }
      return boundsOf(tally);
    },
  };
}

/** Each cap alone, and so high that it stops nothing: whatever lacks its figure is seen. */
function partsOf({ caps, stepsAt }: Policy): Policy[] {
  const capped = LIMITS.filter((limit) => caps[limit] !== undefined);
  return capped.map((limit) => ({ ...EMPTY_POLICY, caps: { [limit]: Number.MAX_SAFE_INTEGER }, stepsAt }));
}

function lacksAnything(table: RunTable, policy: Policy): boolean {
  if (LIMITS.every((limit) => policy.caps[limit] === undefined || isToldThroughout(table, limit))) return false;
  for (const { outcomes } of replayAll(table, [policy])) if (outcomes[0]?.unjudged === true) return true;
  return false;
}

/** Whether every run tells what a limit counts, after every pass: most recordings do, and one look is enough. */
function isToldThroughout(table: RunTable, limit: LimitName): boolean {
  const columns = table.columns();
  for (let run = 0; run < columns.runs; run++) if (!columns.isWhole(run)) return false;
  if (limit === 'passes') return true;
  return columns.passes.isKnown(limit);
}
