import type { Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { type AuditCheck, checkEach, counted, createHits, outOf, type RunFault } from './audit-check.js';
import type { Finding } from './audit-result.js';
import { isDone } from './audit-rows.js';

const UNTOLD: readonly RunFault[] = [
  {
    code: 'damaged_recordings',
    severity: 'doubtful',
    isFault: (row) => row.isDamaged === 1,
    message: (count, among) => `lines that may have been theirs could not be read: ${outOf(count, among)}`,
    hint: 'their passes, tokens and seconds may be counted too low: mend the lines, or leave the runs out with --where damaged!=true',
  },
  {
    code: 'unrecorded_passes',
    severity: 'note',
    isFault: (row) => row.kept === null && row.passes !== null,
    message: (count) => `passes were counted, but not recorded one by one: ${plural(count, 'run')}`,
    hint: 'caps can be derived from totals; a replay of other caps than passes gives bounds, and no rule can be judged',
  },
  {
    code: 'unknown_passes',
    severity: 'note',
    isFault: (row) => row.passes === null,
    message: (count) => `not even the number of passes is known: ${plural(count, 'run')}`,
    hint: 'they enter no percentile of passes, and a replay can judge neither passes nor rules: record totals.passes at least',
  },
  {
    code: 'more_passes_than_kept',
    severity: 'note',
    among: (row) => row.kept !== null,
    isFault: (row) => row.passes !== null && row.kept !== null && row.passes > row.kept,
    message: (count, among) => `more passes made than recorded one by one: ${outOf(count, among)}`,
    hint: 'calls that left no step; percentiles take the larger number, and the replay of such a run is approximate',
  },
  {
    code: 'arguments_missing',
    severity: 'doubtful',
    among: (row) => row.callPasses > 0,
    isFault: (row) => row.lacksArguments === 1,
    message: (count, among) =>
      `a tool is called again and no arguments are recorded: in ${outOf(count, among)} that made calls`,
    hint: 'there every call of a tool counts as the same request, and a repeat rule may stop what is no repeat: record args or args_digest of each call',
  },
];

/** Runs with calls that lack results; comparing requests instead helps where these tell their arguments only. */
function resultCheck(): AuditCheck {
  const lacking = createHits();
  let looked = 0;
  let bare = 0;
  return {
    see(row) {
      if (row.callPasses === 0) return;
      looked++;
      if (row.resultPasses === row.callPasses) return;
      lacking.add(row.id);
      if (row.lacksArguments === 1) bare++;
    },
    findings() {
      if (lacking.count === 0) return [];
      const instead =
        bare === 0
          ? '--key request compares tool and arguments only'
          : `--key request is no way out, as ${bare === lacking.count ? 'they lack' : `${counted(bare)} of them lack`} the arguments too: record the results`;
      return [
        {
          severity: 'note',
          code: 'unknown_results',
          message: `calls without a result: in ${outOf(lacking.count, looked)} that made calls`,
          hint: `a call without a result never equals another, so the repeat rule may miss a stall; ${instead}`,
          count: lacking.count,
          ids: lacking.ids,
        },
      ];
    },
  };
}

/** Shares of that many runs and further apart than this are no accident of the recorder. */
const FEWEST_RUNS = 5;
const SHARES_APART = 0.3;

/** Runs with model calls, and those of them that tell a figure. */
interface Side {
  runs: number;
  known: number;
}

/** Runs with model calls that lack a figure; worse where those that did not finish lack it more often. */
function metricCheck(metric: Exclude<Metric, 'passes'>): AuditCheck {
  const lacking = createHits();
  const done: Side = { runs: 0, known: 0 };
  const others: Side = { runs: 0, known: 0 };
  return {
    see(row) {
      if (row.passes === 0) return;
      const side = isDone(row) ? done : others;
      side.runs++;
      if (row[metric] === null) lacking.add(row.id);
      else side.known++;
    },
    findings: () =>
      lacking.count === 0
        ? []
        : [
            {
              code: `unknown_${metric}`,
              ...howUnknown(metric, lacking.count, done, others),
              count: lacking.count,
              ids: lacking.ids,
            },
          ],
  };
}

function howUnknown(
  metric: Metric,
  lacking: number,
  done: Side,
  others: Side,
): Pick<Finding, 'severity' | 'message' | 'hint'> {
  const runs = done.runs + others.runs;
  const isTelling = Math.min(done.runs, others.runs) >= FEWEST_RUNS;
  if (lacking === runs) {
    return {
      severity: 'note',
      message: `${metric}: known for none of ${plural(runs, 'run')}`,
      hint: `no cap on ${metric} can be derived, and a replay cannot judge one`,
    };
  }
  if (isTelling && done.known / done.runs - others.known / others.runs >= SHARES_APART) {
    return {
      severity: 'doubtful',
      message: `${metric}: known for ${outOf(done.known, done.runs)} that ended as done, but for ${outOf(others.known, others.runs, 'other')}`,
      hint: `the runs that were cut off are the long ones: percentiles of ${metric} leave them out in silence`,
    };
  }
  return {
    severity: 'note',
    message: `${metric}: not known for ${outOf(lacking, runs)}`,
    hint: `percentiles of ${metric} speak of the other runs only`,
  };
}

/** All checks of what is not known. */
export function knownChecks(): AuditCheck[] {
  return [...UNTOLD.map(checkEach), resultCheck(), metricCheck('tokens'), metricCheck('seconds'), metricCheck('usd')];
}
