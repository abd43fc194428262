import type { DeriveOptions } from '../calibrate/options.js';
import type { DeriveReport } from '../calibrate/result.js';
import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';
import type { Evidence } from './evidence.js';
import { brief, splitMessage } from './mixed-tasks.js';
import type { ReplayReport } from './result.js';

/** Everything a diagnosis is made from. */
export interface Findings {
  readonly derive: DeriveReport;
  /** The replay under the caps alone. */
  readonly caps: ReplayReport;
  /** The replay under the whole policy. */
  readonly whole: ReplayReport;
  /** For each cap that stops no run first: how many runs it would stop if it were the only one. */
  readonly beatenCaps: ReadonlyMap<string, number>;
  /** The caps together cut more successes than accepted, although each alone would not. */
  readonly eachWithin: boolean;
  readonly evidence: Evidence;
  readonly options: DeriveOptions;
}

/** What the numbers must not hide: each with a code, a sentence and what to do. */
export function diagnose(findings: Findings): Warning[] {
  return [
    ...findings.derive.warnings,
    ...findings.whole.warnings.filter(({ code }) => code === 'arguments_missing'),
    ...hiddenByRecording(findings),
    ...mixedTasks(findings),
    ...shape(findings),
    ...beaten(findings),
    ...tripsOften(findings),
    ...pollingTools(findings),
    ...jointFalseStops(findings),
  ];
}

function hiddenByRecording({ evidence, derive }: Findings): Warning[] {
  if (evidence.nearProvisionalCap === 0) return [];
  return [
    {
      code: 'provisional_cap_near',
      message: `${evidence.nearProvisionalCap} of ${derive.verified} successes used 80 % or more of the provisional pass cap, and ${plural(evidence.stoppedWhileRecording, 'run was', 'runs were')} stopped while recording: longer successes may be missing`,
      hint: 'record again under a more generous cap before you trust the high percentiles',
    },
  ];
}

function mixedTasks({ evidence }: Findings): Warning[] {
  return [...evidence.mixedTasks].map(([label, split]) => ({
    code: 'mixed_tasks',
    message: splitMessage(label, split),
    hint: `derive a policy for each: --by ${brief(label)}, or --where ${brief(label)}=${brief(split.high.value)}`,
  }));
}

/** Successes from which on the shape of their distribution is worth a word. */
const FEWEST_FOR_SHAPE = 10;
/** p99 over p50 at which a distribution counts as wide, and as tight. */
const WIDE = 10;
const TIGHT = 1.15;

function shape({ derive }: Findings): Warning[] {
  const passes = derive.quantiles.passes;
  if (passes === null || passes.n < FEWEST_FOR_SHAPE) return [];
  const [middle, high] = [passes.p50 as number, passes.p99 as number];
  if (middle > 0 && high >= WIDE * middle) {
    return [
      {
        code: 'wide_distribution',
        message: `passes of the successes are spread wide (p50 ${middle}, p99 ${high}): the task looks open-ended, and any percentile cuts real work`,
        hint: 'split the task, or let a check of progress stop the run rather than a cap',
      },
    ];
  }
  if (high <= TIGHT * middle) {
    return [
      {
        code: 'tight_distribution',
        message: `p99 of passes (${high}) is close to the median (${middle}): a small change in the task moves many runs over the cap`,
        hint: 'pad more, for instance --padding 1.5',
      },
    ];
  }
  return [];
}

function beaten({ beatenCaps }: Findings): Warning[] {
  return [...beatenCaps].map(([limit, alone]) => ({
    code: 'beaten_cap',
    message:
      alone === 0
        ? `the ${limit} cap stops no recorded run, not even alone`
        : `the ${limit} cap never stops a run first: another cap always beats it in the ${plural(alone, 'run')} it would stop alone`,
    hint: 'it is insurance at best; keep it only if it guards against something these runs do not show',
  }));
}

const OFTEN = 0.1;
const POINTS_AT: Readonly<Record<string, string>> = {
  passes: 'the task is larger than one run, or the model wanders',
  tokens: 'the transcript grows: trim or summarise what is resent',
  seconds: 'a tool without a timeout, or a slow one',
  usd: 'the budget is not the designed stop: another limit should fire first',
  steps: 'many tool calls a pass',
};

function tripsOften({ whole }: Findings): Warning[] {
  return Object.entries(whole.by_reason)
    .filter(([, stops]) => whole.runs > 0 && stops.count > OFTEN * whole.runs)
    .map(([reason, stops]) => ({
      code: 'trips_often',
      message: `${reason} stops ${stops.count} of ${whole.runs} runs (${percent(stops.count / whole.runs)}): insurance has turned diagnosis`,
      hint: `it points at ${POINTS_AT[reason] ?? 'a tool that keeps answering the same, or a history that loses the answer'}; say who owns the unfinished run: retry narrower, hand to a queue, or escalate`,
    }));
}

function pollingTools({ evidence }: Findings): Warning[] {
  return [...evidence.repeatedInSuccesses].map(([tool, runs]) => ({
    code: 'repeats_in_successes',
    message: `${plural(runs, 'success repeats', 'successes repeat')} ${tool} as often as the repeat rule allows: it looks like a tool meant to poll`,
    hint: `exempt it: --exempt ${tool}`,
  }));
}

function jointFalseStops({ caps, derive, eachWithin }: Findings): Warning[] {
  const { rate } = caps.false_stops;
  if (!eachWithin || rate === null) return [];
  return [
    {
      code: 'joint_false_stops',
      message: `together the caps cut ${percent(rate)} of the successes, above the accepted ${percent(derive.accepted_rate)}, although each alone is within it`,
      hint: 'take a higher percentile than the one in force, or more padding',
    },
  ];
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
