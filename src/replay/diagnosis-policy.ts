import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';
import type { Policy, RuleKind } from '../policy/policy.js';
import { percent } from './drift-words.js';
import type { ReplayReport } from './result.js';

/** What a diagnosis of a policy is made from, wherever its caps are from. */
export interface PolicyFindings {
  readonly policy: Policy;
  /** The replay under the whole policy. */
  readonly replay: ReplayReport;
  /** For each cap that stops no run first under the caps alone: how many runs it would stop if it were the only one. */
  readonly beatenCaps: ReadonlyMap<string, number>;
  /** Tools whose repeats inside successes reach the repeat rule's count, with the number of such successes. */
  readonly repeatedInSuccesses: ReadonlyMap<string, number>;
}

/** What the figures of a policy's replay must not hide, beyond the warnings that they carry. */
export function diagnosePolicy(findings: PolicyFindings): Warning[] {
  return [...beaten(findings), ...tripsOften(findings), ...pollingTools(findings)];
}

function beaten({ beatenCaps }: PolicyFindings): Warning[] {
  return [...beatenCaps].map(([limit, alone]) => ({
    code: 'beaten_cap',
    message:
      alone === 0
        ? `the ${limit} cap stops no recorded run, not even alone`
        : `the ${limit} cap never stops a run first: another cap always beats it in the ${plural(alone, 'run')} it would stop alone`,
    hint: 'it is insurance at best; keep it only if it guards against something these runs do not show',
  }));
}

/** A limit or rule that stops more of the runs than this has turned from insurance into a diagnosis. */
export const OFTEN = 0.1;

/** Limits and rules that stop more than a tenth of the runs, the most frequent first. */
export function oftenTripped({ by_reason, runs }: ReplayReport): { reason: string; count: number }[] {
  return Object.entries(by_reason)
    .map(([reason, { count }]) => ({ reason, count }))
    .filter(({ count }) => runs > 0 && count > OFTEN * runs)
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function tripsOften({ policy, replay }: PolicyFindings): Warning[] {
  return oftenTripped(replay).map(({ reason, count }) => ({
    code: 'trips_often',
    message: `${reason} stops ${count} of ${plural(replay.runs, 'run')} (${percent(count / replay.runs)}), too many for a safety net: something in these runs goes wrong that the limit only cuts short`,
    hint: oftenHint(reason, policy),
  }));
}

/** What a limit or rule that trips often points at, and the question that is left. */
export function oftenHint(reason: string, { rules }: Policy): string {
  const kind = rules.find((rule) => rule.name === reason)?.rule ?? null;
  const cause = kind === null ? POINTS_AT[reason] : RULES_POINT_AT[kind];
  return `${cause === undefined ? '' : `it points at ${cause}; `}say who owns the unfinished run: retry narrower, hand to a queue, or escalate`;
}

const POINTS_AT: Readonly<Record<string, string>> = {
  passes: 'a task that is larger than one run, or a model that wanders',
  tokens: 'a transcript that grows: trim or summarise what is resent',
  seconds: 'a tool without a timeout, or a slow one',
  usd: 'a budget that is not the designed stop: another limit should fire first',
  steps: 'many tool calls a pass',
};

const STUCK = 'a tool that keeps answering the same, or a history that loses the answer';
const RULES_POINT_AT: Readonly<Record<RuleKind, string>> = {
  repeat: STUCK,
  stale: STUCK,
  errors: 'a tool that keeps failing, or an error that does not tell the model what to do instead',
  idle: 'a model that talks and calls nothing: a prompt that lacks the next step, or a task it has no tool for',
};

function pollingTools({ repeatedInSuccesses }: PolicyFindings): Warning[] {
  return [...repeatedInSuccesses].map(([tool, runs]) => ({
    code: 'repeats_in_successes',
    message: `${plural(runs, 'success repeats', 'successes repeat')} ${tool} as often as the repeat rule allows: it looks like a tool meant to poll`,
    hint: `exempt it: --exempt ${tool}`,
  }));
}
