import type { DeriveReport } from '../calibrate/result.js';
import type { Warning } from '../model/problem.js';
import { plural, shownValue } from '../model/words.js';
import { percent } from './drift-words.js';
import type { HiddenFigures } from './hidden-result.js';
import { brief, type Split, splitMessage } from './mixed-tasks.js';

/** What a diagnosis of percentiles and caps is made from, whatever the policy. */
export interface RecordedFindings {
  readonly derive: DeriveReport;
  readonly hidden: HiddenFigures;
  readonly mixedTasks: ReadonlyMap<string, Split>;
}

/** What the percentiles and the caps taken from them must not hide, beyond the warnings that they carry. */
export function diagnoseRecorded({ derive, hidden, mixedTasks }: RecordedFindings): Warning[] {
  return [...nearCaps(hidden), ...stoppedRuns(hidden, derive.accepted_rate), ...mixed(mixedTasks), ...shape(derive)];
}

function nearCaps({ near_cap, censored, verified }: HiddenFigures): Warning[] {
  if (near_cap.runs === 0) return [];
  const caps = Object.keys(near_cap.by).join(', ');
  const stopped =
    censored.runs === 0 ? '' : `, and ${plural(censored.runs, 'run was', 'runs were')} stopped or lost while recording`;
  return [
    {
      code: 'provisional_cap_near',
      message: `${near_cap.runs} of ${plural(verified, 'success', 'successes')} used 80 % or more of a cap of the recording (${caps})${stopped}: longer successes may be missing`,
      hint: 'record again under a more generous cap before you trust the high percentiles',
    },
  ];
}

/** Runs that the recording ended, where a few good ones among them would break what the caps promise. */
function stoppedRuns({ censored, caps }: HiddenFigures, accepted: number): Warning[] {
  const weak = Object.entries(caps).flatMap(([metric, cap]) => {
    if (cap === null || cap.holds_up_to === null || cap.holds_up_to >= censored.runs) return [];
    return [`${metric} ${cap.holds_up_to}`];
  });
  if (weak.length === 0) return [];
  return [
    {
      code: 'stopped_while_recording',
      message: `${plural(censored.runs, 'run was', 'runs were')} stopped or lost while recording, and what they would have come to is not known: each cap cuts no more than ${percent(accepted)} only as long as no more of them than this were good runs in the making: ${weak.join(', ')}`,
      hint: 'look at a few of them, or record some under a more generous cap: see "What the recording hid"',
    },
  ];
}

function mixed(mixedTasks: RecordedFindings['mixedTasks']): Warning[] {
  return [...mixedTasks].map(([label, split]) => ({
    code: 'mixed_tasks',
    message: splitMessage(label, split),
    hint: `derive a policy for each: --by ${brief(label)}, or --where ${brief(label)}=${brief(shownValue(split.high.value))}`,
  }));
}

/** Successes from which on the shape of their distribution is worth a word. */
const FEWEST_FOR_SHAPE = 10;
/** p99 over p50 at which a distribution counts as wide, and as tight. */
const WIDE = 10;
const TIGHT = 1.15;

function shape({ quantiles: { passes } }: DeriveReport): Warning[] {
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
