import { endsInPopulation, isInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { figuresIn, isTable } from '../model/figures.js';
import type { Run } from '../model/run.js';
import { extentOf } from '../model/totals.js';
import type { RepeatRule } from '../policy/policy.js';
import { trackRule } from '../policy/track-rule.js';
import { scanRule } from './columns-rules.js';
import { createMixedTasks, type Split } from './mixed-tasks.js';

/** What the diagnosis needs to know of the runs beyond the reports: counted in one look at them. */
export interface Evidence {
  /** Successes that used at least 80 % of their own provisional pass cap. */
  readonly nearProvisionalCap: number;
  /** Runs stopped by their provisional cap while recording, and not known as successes. */
  readonly stoppedWhileRecording: number;
  /** Tools whose repeats inside successes reach the rule's count, with the number of such successes. */
  readonly repeatedInSuccesses: ReadonlyMap<string, number>;
  /** Labels that split the successes into runs of different size. */
  readonly mixedTasks: ReadonlyMap<string, Split>;
}

const NEAR = 0.8;

export function gatherEvidence(runs: Iterable<Run>, population: PopulationOptions, rule: RepeatRule | null): Evidence {
  let nearProvisionalCap = 0;
  let stoppedWhileRecording = 0;
  const repeated = new Map<string, number>();
  const mixed = createMixedTasks();
  for (const run of figuresIn(runs)) {
    const good = endsInPopulation(run, population);
    if (run.status === 'stopped_budget' && !good) stoppedWhileRecording++;
    if (!good) continue;
    const { passes } = run.whole;
    const provisional = run.recordedUnder.get('passes');
    if (passes !== null && provisional !== undefined && passes >= NEAR * provisional) nearProvisionalCap++;
    if (passes !== null) mixed.see(run, passes);
  }
  for (const run of rule === null ? [] : runsThatReach(runs, rule)) {
    if (!isInPopulation(run, population)) continue;
    for (const tool of toolsRepeated(run, rule as RepeatRule)) repeated.set(tool, (repeated.get(tool) ?? 0) + 1);
  }
  return { nearProvisionalCap, stoppedWhileRecording, repeatedInSuccesses: repeated, mixedTasks: mixed.splits() };
}

/** The runs in which the rule's count is reached, of a table without making the others anew. */
function* runsThatReach(runs: Iterable<Run>, rule: RepeatRule): Generator<Run> {
  if (!isTable(runs)) {
    yield* runs;
    return;
  }
  const columns = runs.columns();
  const markOf = scanRule(columns, rule);
  for (let run = 0; run < columns.runs; run++) {
    if (markOf(extentOf(columns, run)).pass > 0) yield runs.at(run);
  }
}

/** Tools at whose call the rule's count was reached, each once. */
function toolsRepeated(run: Run, rule: RepeatRule): Set<string> {
  const tools = new Set<string>();
  // A fresh tracker for each tool that reached the count: what the streak of another tool does is no evidence for it.
  let tracker = trackRule(rule);
  for (const pass of run.passes ?? []) {
    for (const call of pass.calls) {
      tracker.observe(call);
      if (tracker.count < rule.count) continue;
      tools.add(call.tool);
      tracker = trackRule({ ...rule, exempt: [...rule.exempt, ...tools] });
    }
  }
  return tools;
}
