import type { LimitName } from '../model/limits.js';
import { plural } from '../model/words.js';
import { type CheckEvidence, type Found, type Judged, judged } from './check-evidence.js';
import { isBlind } from './check-judged.js';

/** Caps that never stop a run first: they say nothing, or another one always beats them. */
export function judgeCaps({ beatenCaps, open, policy, replay }: CheckEvidence): Judged {
  const names = Object.keys(policy.caps) as LimitName[];
  const unknown = names.filter((limit) => isBlind(open, limit));
  const idle = [...beatenCaps].filter(([limit]) => !unknown.includes(limit as LimitName));
  const findings = [
    ...unknown.map((limit) => notJudged(limit, open.asked.runs)),
    ...idle.map(([limit, alone]) =>
      alone > 0 ? beaten(limit, alone) : stopsNone(limit, replay.runs, open.by.get(limit)?.runs ?? 0),
    ),
  ];
  const isJudged = names.length > unknown.length && replay.runs > 0;
  const beatenCount = idle.filter(([, alone]) => alone > 0).length;
  const figure =
    names.length === 0
      ? 'the policy has no caps'
      : `${names.length - idle.length - unknown.length} of ${names.length} stop a run first, ${beatenCount} always beaten by another${unknown.length === 0 ? '' : `, ${unknown.length} not judged`}`;
  return judged(
    { code: 'dominated_cap', title: 'caps that stop', figure, bound: 'none always beaten' },
    findings,
    isJudged,
  );
}

function notJudged(limit: string, runs: number): Found {
  return {
    code: 'cap_not_judged',
    severity: 'note',
    message: `the ${limit} cap could not judge any of ${plural(runs, 'run')} of two passes or more: they do not record what it counts`,
    value: null,
    bound: null,
    hint: `whether it does anything is not known: record ${limit} in every pass, and do not drop it for this`,
  };
}

function beaten(limit: string, alone: number): Found {
  const message = `the ${limit} cap never stops a run first: another limit always beats it in the ${plural(alone, 'run')} it would stop alone`;
  return { code: 'dominated_cap', severity: 'warning', message, value: 0, bound: null, hint: INSURANCE };
}

function stopsNone(limit: string, runs: number, lacking: number): Found {
  const judgedRuns = plural(runs - lacking, 'run');
  return {
    code: 'idle_cap',
    severity: 'note',
    message: `the ${limit} cap stops none of ${judgedRuns}${lacking === 0 ? '' : ` that it could judge (${lacking} it could not)`}, not even alone`,
    value: 0,
    bound: null,
    hint: lacking === 0 ? INSURANCE : `record ${limit} in every pass before you decide on it`,
  };
}

const INSURANCE = 'it is insurance at best: keep it only if it guards against something these runs do not show';
