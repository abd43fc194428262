import { type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import type { Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { EMPTY_POLICY, exempting, PLAIN_REPEAT, type Policy, type Rule } from '../policy/policy.js';
import { PRESETS, type Preset } from '../policy/presets.js';
import { proposeExemptions } from './exemptions.js';
import { addRecorded, factsOf, figuresOf, openRecorded, openRules, type RuleTally } from './rules-figures.js';
import { addReplayed } from './rules-replay.js';
import type { PresetRow, RuleFigures, RulesReport } from './rules-result.js';
import { createSweep, ruleRecords } from './rules-sweep.js';
import { openDoubts, ruleWarnings, seeDoubts } from './rules-warnings.js';

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

/**
 * The detector bench: what the rules of every preset, and every plain rule at several counts, would have done to the
 * recorded runs, and which tools to exempt.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 */
export function benchRules(runs: Iterable<Run>, options: Partial<RulesOptions> = {}): RulesReport {
  const resolved: RulesOptions = { ...RULES_DEFAULTS, ...options };
  const { acceptedRate, exempt } = resolved;
  const books = presetBooks(exempt);
  const sweep = createSweep(ascending(resolved.counts), exempt);
  const recorded = openRecorded();
  const doubts = openDoubts();
  for (const run of runs) {
    const facts = factsOf(run, resolved);
    addRecorded(recorded, facts);
    seeDoubts(doubts, run);
    for (const { policy, tally } of books) addReplayed(tally, run, facts, policy);
    sweep.see(run, facts);
  }
  const presets = books.map(({ preset, policy, tally }) => presetRow(preset, policy, figuresOf(tally, recorded)));
  const contenders = presets.filter((row) => isContender(row, acceptedRate));
  const comparedBy = comparedMetric(contenders.length > 0 ? contenders : presets);
  const swept = sweep.rows(recorded);
  return {
    schema: 'capfit/rules@1',
    population: populationName(resolved),
    runs: recorded.runs,
    verified: recorded.verified,
    accepted_rate: acceptedRate,
    exempt,
    presets,
    without_rules: PRESETS.filter(({ policy }) => policy.rules.length === 0).map(({ name }) => name),
    compared_by: comparedBy,
    best_preset: bestPreset(contenders, comparedBy),
    sweep: swept,
    exemptions: proposeExemptions(runs, exempting(resolved.rules, exempt), resolved),
    warnings: ruleWarnings(doubts, recorded, presets, swept),
  };
}

function ascending(counts: readonly number[]): number[] {
  return [...new Set(counts)].sort((a, b) => a - b);
}

interface PresetBook {
  readonly preset: Preset;
  readonly policy: Policy;
  readonly tally: RuleTally;
}

/** Every preset that has rules, its caps removed: what its detectors do on their own. */
function presetBooks(exempt: readonly string[]): PresetBook[] {
  return PRESETS.filter(({ policy }) => policy.rules.length > 0).map((preset) => ({
    preset,
    policy: { ...EMPTY_POLICY, rules: exempting(preset.policy.rules, exempt) },
    tally: openRules(),
  }));
}

function presetRow({ name, standsFor, leavesOut }: Preset, { rules }: Policy, figures: RuleFigures): PresetRow {
  return { preset: name, stands_for: standsFor, leaves_out: leavesOut, rules: ruleRecords(rules), ...figures };
}

/** Whether a preset catches a run, and its false stops are known to be within the accepted rate. */
function isContender({ caught, false_stops }: PresetRow, acceptedRate: number): boolean {
  return caught > 0 && false_stops.rate !== null && false_stops.rate <= acceptedRate;
}

/** The first metric in which every one of these presets tells what it saves; passes always do. */
function comparedMetric(presets: readonly PresetRow[]): Metric {
  const wanted: readonly Metric[] = ['tokens', 'usd', 'seconds'];
  return wanted.find((metric) => presets.every(({ saved }) => saved[metric] !== null)) ?? 'passes';
}

/** The preset that saves most; of equals the first. */
function bestPreset(contenders: readonly PresetRow[], metric: Metric): string | null {
  const amount = ({ saved }: PresetRow): number => saved[metric]?.amount ?? 0;
  let best: PresetRow | null = null;
  for (const row of contenders) if (best === null || amount(row) > amount(best)) best = row;
  return best?.preset ?? null;
}
