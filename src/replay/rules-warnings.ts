import type { Metric } from '../model/limits.js';
import { passCount } from '../model/measure.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { plural } from '../model/words.js';
import { argumentWarnings, lacksArguments } from './arguments.js';
import type { RecordedTally } from './rules-figures.js';
import type { PresetRow, RuleFigures, SweepRow } from './rules-result.js';
import { PLAIN_RULES } from './rules-sweep.js';
import { WHAT_RULES_COMPARE } from './warnings.js';

/** What keeps rules from judging, counted while runs pass by. */
export interface Doubts {
  calls: number;
  /** Runs known only in total. */
  hidden: number;
  lackingArguments: number;
}

export function openDoubts(): Doubts {
  return { calls: 0, hidden: 0, lackingArguments: 0 };
}

export function seeDoubts(doubts: Doubts, run: Run): void {
  for (const pass of run.passes ?? []) doubts.calls += pass.calls.length;
  if (run.passes === null && passCount(run) !== 0) doubts.hidden++;
  if (lacksArguments(run)) doubts.lackingArguments++;
}

/** What a reader of the bench must know about its figures. */
export function ruleWarnings(
  doubts: Doubts,
  recorded: RecordedTally,
  presets: readonly PresetRow[],
  sweep: readonly SweepRow[],
): Warning[] {
  const { runs, verified } = recorded;
  const warnings: Warning[] = [];
  if (verified === 0) {
    warnings.push({
      code: 'no_verified',
      message: 'no run is a verified success, so no false stop can be seen, and no exemption proposed',
      hint: 'record a check that passed or failed with each run',
    });
  }
  if (doubts.hidden > 0) {
    warnings.push({
      code: 'no_passes',
      message: `${plural(doubts.hidden, 'run is', 'runs are')} known only in total: no rule can judge them`,
      hint: 'record every pass with its calls',
    });
  }
  if (doubts.calls === 0) {
    warnings.push({
      code: 'no_calls',
      message: 'no run records a tool call: every rule but idle has nothing to look at',
      hint: 'record tool, arguments and result of each call',
    });
  }
  return [
    ...warnings,
    ...argumentWarnings(
      doubts.lackingArguments,
      runs,
      PLAIN_RULES.map(({ rule }) => rule),
    ),
    ...unknownSavings(recorded, [...presets, ...sweep.flatMap(({ counts }) => counts)]),
    ...blindRules(sweep, doubts, runs),
  ];
}

/** Stops of which nobody can say what they save: the passes of those runs do not tell. */
function unknownSavings({ spend }: RecordedTally, figures: readonly RuleFigures[]): Warning[] {
  const wanted: readonly Metric[] = ['tokens', 'usd', 'seconds'];
  const metric = wanted.find((each) => spend[each].tellingRuns > 0);
  const most = metric === undefined ? 0 : Math.max(0, ...figures.map((each) => unknownStops(each, metric)));
  if (metric === undefined || most === 0) return [];
  return [
    {
      code: 'saving_unknown',
      message: `up to ${plural(most, 'run')} that one rule stops ${most === 1 ? 'does' : 'do'} not tell the ${metric} used by then: what that saves is unknown and left out`,
      hint: `record ${metric} of every pass; capfit replay gives bounds`,
    },
  ];
}

function unknownStops({ saved, caught, false_stops }: RuleFigures, metric: Metric): number {
  return saved[metric]?.unknown_stops ?? caught + false_stops.count;
}

/** Rules that lack more than the passes: the results of calls, or whether they failed. */
function blindRules(sweep: readonly SweepRow[], { hidden }: Doubts, runs: number): Warning[] {
  return sweep.flatMap(({ rule, counts }) => {
    const most = Math.max(0, ...counts.map(({ not_judged }) => not_judged));
    if (most <= hidden) return [];
    const lacking = WHAT_RULES_COMPARE[rule === 'errors' ? 'errors' : 'repeat'];
    return [
      {
        code: 'not_judged',
        message: `${rule} could not judge ${most} of ${plural(runs, 'run')} whole: some calls lack ${lacking}`,
        hint: 'what is unknown never fires a rule; the stops given are those that are certain',
      },
    ];
  });
}
