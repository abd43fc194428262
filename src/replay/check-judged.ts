import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { LIMITS } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { replayAll } from './replay-all.js';

/** How many runs one limit or rule could not judge, because the records lack what it counts. */
export interface NotJudged {
  readonly runs: number;
  readonly successes: number;
}

/** Runs that the policy did not stop, and that something of it could not judge: what it would have done is unknown. */
export interface OpenRuns {
  /** Something of the policy could not judge them. */
  readonly part: number;
  /** Nothing of the policy could. */
  readonly whole: number;
}

/** What of a replay rests on records that lack something. */
export interface JudgedRuns {
  /** By limit or rule, in the policy's order; all of them. */
  readonly by: ReadonlyMap<string, NotJudged>;
  readonly runs: OpenRuns;
  readonly successes: OpenRuns;
}

/** Counts the runs whose outcome under the policy is not known, or known in part. */
export function judgedRuns(runs: Iterable<Run>, policy: Policy, population: PopulationOptions): JudgedRuns {
  const names = namesOf(policy);
  const by = new Map(names.map((name) => [name, { runs: 0, successes: 0 }]));
  const open = { runs: { part: 0, whole: 0 }, successes: { part: 0, whole: 0 } };
  for (const { counted, outcomes } of replayAll(runs, [policy])) {
    const outcome = outcomes[0];
    if (outcome === undefined || outcome.notJudged.length === 0) continue;
    const isGood = endsInPopulation(counted, population);
    for (const name of outcome.notJudged) add(by.get(name), isGood);
    if (outcome.stop !== null) continue;
    const isWhole = names.every((name) => outcome.notJudged.includes(name));
    // A recorded stop stands as a stop, whatever the policy could not tell.
    if (counted.status !== 'stopped_budget') count(open.runs, isWhole);
    if (isGood) count(open.successes, isWhole);
  }
  return { by, ...open };
}

function namesOf({ caps, rules }: Policy): string[] {
  const limits = LIMITS.filter((limit) => caps[limit] !== undefined);
  return [...new Set([...limits, ...rules.map(({ name }) => name)])];
}

function add(counts: { runs: number; successes: number } | undefined, isGood: boolean): void {
  if (counts === undefined) return;
  counts.runs++;
  if (isGood) counts.successes++;
}

function count(open: { part: number; whole: number }, isWhole: boolean): void {
  open.part++;
  if (isWhole) open.whole++;
}
