import { isLimitName } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';
import type { Policy, RuleKind } from '../policy/policy.js';
import { argumentWarnings } from './arguments.js';
import type { Tally } from './tally.js';

/** What a reader of the replay's figures must know about them. */
export function replayWarnings(tally: Tally, policy: Policy): Warning[] {
  const warnings: Warning[] = [];
  if (tally.verified === 0) {
    warnings.push({
      code: 'no_verified',
      message: 'no run is a verified success, so no false-stop rate can be given',
      hint: 'record a check that passed or failed with each run',
    });
  }
  if (tally.approximateRuns > 0) {
    warnings.push({
      code: 'approximate',
      message: `${tally.approximateRuns} of ${plural(tally.runs, 'run')} ${tally.approximateRuns === 1 ? 'lacks' : 'lack'} passes or parts of them; their figures are bounds`,
      hint: 'the figures printed count only stops that are certain; see bounds for the rest, and record every pass to be exact',
    });
  }
  if (tally.censored > 0) {
    warnings.push({
      code: 'censored',
      message: `${plural(tally.censored, 'recorded stop')} would not happen under this policy; what those runs would have done next is unknown`,
      hint: 'a replay can shorten a run, never lengthen it: record under a more generous cap to learn more',
    });
  }
  if (tally.zeroPass > 0) {
    warnings.push({
      code: 'zero_pass_runs',
      message: `${plural(tally.zeroPass, 'run')} made no model call; counted among the runs, never among the verified successes`,
      hint: 'look for runs that failed to start',
    });
  }
  for (const [name, count] of tally.notJudged) {
    if (count > 0) warnings.push(notJudgedWarning(name, count, tally, policy));
  }
  warnings.push(...argumentWarnings(tally.lackingArguments, tally.runs, policy.rules));
  if (Object.keys(policy.caps).length === 0 && policy.rules.length === 0) {
    warnings.push({
      code: 'empty_policy',
      message: 'the policy has no cap and no rule: it stops nothing',
      hint: 'set caps or rules',
    });
  }
  return warnings;
}

function notJudgedWarning(name: string, count: number, { runs, hidden }: Tally, { rules }: Policy): Warning {
  const rule = rules.find((each) => each.name === name);
  return {
    code: 'not_judged',
    message: `${name} could not judge ${count} of ${plural(runs, 'run')}: ${lackingOf(name, rule?.rule ?? null, count <= hidden)}`,
    hint: 'an unknown figure never fires a limit; the stops given are those that are certain',
  };
}

/** What a limit or rule would have had to know. */
function lackingOf(name: string, kind: RuleKind | null, areHidden: boolean): string {
  if (isLimitName(name)) return `their ${name} are not all known`;
  if (areHidden || kind === 'idle') return 'their passes are not recorded one by one';
  return `some calls lack ${WHAT_RULES_COMPARE[kind ?? 'repeat']}`;
}

/** What a call must tell for a rule to judge it, beside the tool. */
export const WHAT_RULES_COMPARE: Readonly<Record<Exclude<RuleKind, 'idle'>, string>> = {
  repeat: 'the result it compares',
  stale: 'the result it compares',
  errors: 'whether they failed',
};
