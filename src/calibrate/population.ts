import {
  type Ending,
  endingOf,
  isClaimedEnding,
  isPassedUnfinishedEnding,
  isVerifiedEnding,
} from '../model/measure.js';
import type { Run } from '../model/run.js';

/** Which runs count as successes. */
export interface PopulationOptions {
  /** Widen to runs that say they are done where no check looked. */
  readonly claimed: boolean;
  /** Leave out successes that were recorded as stopped, halted or running. */
  readonly finishedOnly: boolean;
}

/** Verified successes, finished or not. */
export const VERIFIED: PopulationOptions = { claimed: false, finishedOnly: false };

/** Whether a run belongs to the population whose percentiles are taken and whose loss is a false stop. */
export function isInPopulation(run: Run, options: PopulationOptions): boolean {
  return endsInPopulation(endingOf(run), options);
}

/** The same of a run's ending alone. */
export function endsInPopulation(ending: Ending, options: PopulationOptions): boolean {
  if (options.finishedOnly && isPassedUnfinishedEnding(ending)) return false;
  return isVerifiedEnding(ending) || (options.claimed && isClaimedEnding(ending));
}

/** How the population is called beside every number. */
export function populationName(options: PopulationOptions): string {
  const base = options.claimed ? 'claimed, not verified' : 'verified';
  return options.finishedOnly ? `${base}, finished only` : base;
}
