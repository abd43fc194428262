import { type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import { passCount } from '../model/measure.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { plural } from '../model/words.js';
import { EMPTY_POLICY, exempting, PLAIN_REPEAT, type Policy, type Rule } from '../policy/policy.js';
import { PRESETS, type Preset } from '../policy/presets.js';
import { proposeExemptions } from './exemptions.js';
import { replayRun } from './replay.js';
import {
  addRecorded,
  addStop,
  factsOf,
  figuresOf,
  openRecorded,
  openRules,
  type RecordedTally,
} from './rules-figures.js';
import type { PresetRow, RuleFigures, RulesReport, SweepRow } from './rules-result.js';
import { createSweep, ruleRecords } from './rules-sweep.js';

export interface RulesOptions extends PopulationOptions {
  /** Counts at which every plain rule is tried. */
  readonly counts: readonly number[];
  /** Tools exempted from every rule. */
  readonly exempt: readonly string[];
  /** The rules for which exemptions are sought. */
  readonly rules: readonly Rule[];
  /** The false-stop rate up to which a preset may be called the best one. */
  readonly acceptedRate: number;
}

export const RULES_DEFAULTS: RulesOptions = {
  ...VERIFIED,
  counts: [2, 3, 4, 5, 6, 7, 8, 9, 10],
  exempt: [],
  rules: [PLAIN_REPEAT],
  acceptedRate: 0.01,
};

/** The rules of a preset without its caps: what its detectors do on their own. */
export function rulesOnly({ policy }: Preset): Policy {
  return { ...EMPTY_POLICY, rules: policy.rules };
}

/**
 * The detector bench: what the rules of every preset, and every plain rule at several counts, would have done to the
 * recorded runs, and which tools to exempt.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 */
export function benchRules(runs: Iterable<Run>, options: Partial<RulesOptions> = {}): RulesReport {
  const resolved: RulesOptions = { ...RULES_DEFAULTS, ...options };
  const { acceptedRate, exempt } = resolved;
  const counts = [...new Set(resolved.counts)].sort((a, b) => a - b);
  const rows = PRESETS.filter(({ policy }) => policy.rules.length > 0).map((preset) => {
    const policy = rulesOnly(preset);
    return { preset, policy: { ...policy, rules: exempting(policy.rules, exempt) }, tally: openRules() };
  });
  const sweep = createSweep(counts, exempt);
  const recorded = openRecorded();
  let calls = 0;
  let hidden = 0;
  for (const run of runs) {
    const facts = factsOf(run, resolved);
    addRecorded(recorded, facts);
    for (const { policy, tally } of rows) addReplayed(tally, run, facts, policy);
    sweep.see(run, facts);
    for (const pass of run.passes ?? []) calls += pass.calls.length;
    if (run.passes === null && passCount(run) !== 0) hidden++;
  }
  const presets = rows.map(({ preset, policy, tally }) => presetRow(preset, policy, figuresOf(tally, recorded)));
  const swept = sweep.rows(recorded);
  return {
    schema: 'capfit/rules@1',
    population: populationName(resolved),
    runs: recorded.runs,
    verified: recorded.verified,
    accepted_rate: acceptedRate,
    exempt,
    presets,
    best_preset: bestPreset(presets, acceptedRate),
    sweep: swept,
    exemptions: proposeExemptions(exempting(resolved.rules, exempt), (policies) =>
      figuresUnder(runs, policies, resolved),
    , runs, resolved),
    warnings: warningsOf(recorded, swept, calls, hidden),
  };
}
