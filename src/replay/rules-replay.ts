import type { PopulationOptions } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { replayRun } from './replay.js';
import {
  addRecorded,
  addStop,
  factsOf,
  figuresOf,
  openRecorded,
  openRules,
  type RuleTally,
  type RunFacts,
} from './rules-figures.js';
import type { RuleFigures } from './rules-result.js';

/** Replays one run under rules alone and counts what they did. */
export function addReplayed(tally: RuleTally, run: Run, facts: RunFacts, policy: Policy): void {
  const { stop, notJudged } = replayRun(run, policy);
  addStop(tally, facts, stop?.afterPasses ?? null, notJudged.length === 0);
}

/** The figures of several policies without caps, in their order, from one walk over the runs. */
export function figuresUnder(
  runs: Iterable<Run>,
  policies: readonly Policy[],
  population: PopulationOptions,
): RuleFigures[] {
  const recorded = openRecorded();
  const tallies = policies.map(openRules);
  for (const run of runs) {
    const facts = factsOf(run, population);
    addRecorded(recorded, facts);
    for (const [index, policy] of policies.entries()) addReplayed(tallies[index] as RuleTally, run, facts, policy);
  }
  return tallies.map((tally) => figuresOf(tally, recorded));
}
