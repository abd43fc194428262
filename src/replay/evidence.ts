import { endsInPopulation, isInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { alikeIn } from '../model/alike.js';
import { isTable, passingFigures } from '../model/figures.js';
import type { Run } from '../model/run.js';
import { extentOf } from '../model/totals.js';
import type { RepeatRule } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { trackRule } from '../policy/track-rule.js';
import { scanRule } from './columns-rules.js';
import { createMixedTasks, type Split } from './mixed-tasks.js';

/** What the diagnosis needs to know of the runs beyond the reports: counted in one look at them. */
export interface Evidence {
  /** Tools whose repeats inside successes reach the rule's count, with the number of such successes. */
  readonly repeatedInSuccesses: ReadonlyMap<string, number>;
  /** Labels that split the successes into runs of different size. */
  readonly mixedTasks: ReadonlyMap<string, Split>;
}

export function gatherEvidence(runs: Iterable<Run>, population: PopulationOptions, rule: RepeatRule | null): Evidence {
  return {
    repeatedInSuccesses: rule === null ? new Map() : repeatsInSuccesses(runs, population, rule),
    mixedTasks: mixedTasksIn(runs, population),
  };
}

/** Labels that split the successes into runs of different size. */
export function mixedTasksIn(runs: Iterable<Run>, population: PopulationOptions): Evidence['mixedTasks'] {
  const mixed = createMixedTasks();
  for (const { run, runs: count } of alikeIn(runs)) {
    const { passes } = run.whole;
    if (passes !== null && endsInPopulation(run, population)) mixed.see(run, passes, count);
  }
  return mixed.splits();
}

/** Tools whose repeats inside successes reach the rule's count, with the number of such successes. */
export function repeatsInSuccesses(
  runs: Iterable<Run>,
  population: PopulationOptions,
  rule: RepeatRule,
): Evidence['repeatedInSuccesses'] {
  const repeated = new Map<string, number>();
  for (const run of successesThatReach(runs, population, rule)) {
    for (const tool of toolsRepeated(run, rule)) repeated.set(tool, (repeated.get(tool) ?? 0) + 1);
  }
  return repeated;
}

/** The successes in which the rule's count is reached; of a table no other run is made anew. */
function* successesThatReach(runs: Iterable<Run>, population: PopulationOptions, rule: RepeatRule): Generator<Run> {
  if (!isTable(runs)) {
    for (const run of runs) if (isInPopulation(run, population)) yield run;
    return;
  }
  const columns = runs.columns();
  const markOf = scanRule(columns, rule);
  let index = 0;
  for (const run of passingFigures(runs)) {
    const reaches = endsInPopulation(run, population) && markOf(extentOf(columns, index)).pass > 0;
    if (reaches) yield runs.at(index);
    index++;
  }
}

/** Tools at one of whose calls the rule's current count stands where it stops, each once. */
function toolsRepeated(run: Run, rule: RepeatRule): Set<string> {
  const tools = new Set<string>();
  const tracker = trackRule(rule);
  for (const pass of run.passes ?? []) {
    for (const call of pass.calls) {
      if (rule.exempt.includes(call.tool)) continue;
      tracker.observe(call);
      if (isReached(tracker.current, rule.count)) tools.add(call.tool);
    }
  }
  return tools;
}
