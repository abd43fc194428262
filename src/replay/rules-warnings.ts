import { passCount } from '../model/measure.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { plural } from '../model/words.js';
import type { RecordedTally } from './rules-figures.js';
import type { SweepRow } from './rules-result.js';

/** What keeps rules from judging, counted while runs pass by. */
export interface Doubts {
  calls: number;
  /** Runs known only in total. */
  hidden: number;
}

export function openDoubts(): Doubts {
  return { calls: 0, hidden: 0 };
}

export function seeDoubts(doubts: Doubts, run: Run): void {
  for (const pass of run.passes ?? []) doubts.calls += pass.calls.length;
  if (run.passes === null && passCount(run) !== 0) doubts.hidden++;
}

/** What a reader of the bench must know about its figures. */
export function ruleWarnings(doubts: Doubts, { runs, verified }: RecordedTally, sweep: readonly SweepRow[]): Warning[] {
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
  return [...warnings, ...blindRules(sweep, doubts, runs)];
}

/** Rules that lack more than the passes: the results of calls, or whether they failed. */
function blindRules(sweep: readonly SweepRow[], { hidden }: Doubts, runs: number): Warning[] {
  return sweep.flatMap(({ rule, counts }) => {
    const most = Math.max(0, ...counts.map(({ not_judged }) => not_judged));
    if (most <= hidden) return [];
    const lacking = rule === 'errors' ? 'whether they failed' : 'the result it compares';
    return [
      {
        code: 'not_judged',
        message: `${rule} could not judge ${most} of ${plural(runs, 'run')} whole: some calls lack ${lacking}`,
        hint: 'what is unknown never fires a rule; the stops given are those that are certain',
      },
    ];
  });
}
