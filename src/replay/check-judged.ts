import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { LIMITS } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { replayAll } from './replay-all.js';

/** Runs, and the successes among them. */
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
  /** Those of two passes or more: no cap stops the others, whatever they record, so they tell nothing of it. */
  readonly asked: NotJudged;
  /** Those that a limit or rule could not judge, because the records lack what it counts; by its name, all of them. */
  readonly by: ReadonlyMap<string, NotJudged>;
  readonly runs: OpenRuns;
  readonly successes: OpenRuns;
}

/** Counts the runs whose outcome under the policy is not known, or known in part. */
export function judgedRuns(runs: Iterable<Run>, policy: Policy, population: PopulationOptions): JudgedRuns {
  const names = namesOf(policy);
  const by = new Map(names.map((name) => [name, { runs: 0, successes: 0 }]));
  const asked = { runs: 0, successes: 0 };
  const open = { runs: { part: 0, whole: 0 }, successes: { part: 0, whole: 0 } };
  for (const { counted, outcomes } of replayAll(runs, [policy])) {
    const isGood = endsInPopulation(counted, population);
    if ((counted.whole.passes ?? 2) > 1) add(asked, isGood);
    const outcome = outcomes[0];
    if (outcome === undefined || outcome.notJudged.length === 0) continue;
    for (const name of outcome.notJudged) add(by.get(name), isGood);
    if (outcome.stop !== null) continue;
    const isWhole = names.every((name) => outcome.notJudged.includes(name));
    // A recorded stop stands as a stop, whatever the policy could not tell.
    if (counted.status !== 'stopped_budget') count(open.runs, isWhole);
    if (isGood) count(open.successes, isWhole);
  }
  return { asked, by, ...open };
}

/** How many of so many runs something of the policy could judge; 0 where only runs that no cap can stop are left. */
export function judgedCount(count: number, open: OpenRuns, asked: number): number {
  return open.whole > 0 && open.whole >= asked ? 0 : count - open.whole;
}

/** Whether a limit or rule could judge none of the runs that it could have stopped. */
export function isBlind({ asked, by }: JudgedRuns, name: string): boolean {
  const lacking = by.get(name)?.runs ?? 0;
  return lacking > 0 && lacking >= asked.runs;
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
