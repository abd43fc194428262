import { isLimitName } from '../model/limits.js';
import { plural } from '../model/words.js';
import type { ReplayReport } from './result.js';
import type { WhatIfPolicy } from './whatif-result.js';

/** Limits and rules of these replays that could judge no run at all. */
export function blindLimits(replays: readonly ReplayReport[]): string[] {
  return [...new Set(replays.flatMap(({ blind }) => blind))];
}

/** `no run tells its passes`. */
export function blindReason(limit: string): string {
  return `no run tells ${whatIsCounted(limit)}`;
}

/** Why figures are ranges: each reason once, with all the policies that it holds for. */
export function leftOpen(today: WhatIfPolicy, candidates: readonly WhatIfPolicy[]): string[] {
  const policies = [{ ...today, name: "today's policy" }, ...candidates];
  const isInPart = policies.some(({ replay }) => replay.approximate);
  return [
    ...said(policies, ({ replay }) => (replay.censored === 0 ? [] : [liftedText(replay.censored)])),
    ...(isInPart ? ['Of some runs only totals or parts are recorded, not where in them a limit would fall.'] : []),
    ...said(policies, ({ replay }) =>
      Object.entries(replay.not_judged)
        .filter(([, runs]) => runs > 0)
        .map(([limit, runs]) => unjudgedText(limit, runs, replay.runs)),
    ),
  ];
}

/** A sentence with a place for the names of policies. */
type Sentence = (names: string) => string;

function said<Policy extends { readonly name: string }>(
  policies: readonly Policy[],
  reasonsOf: (policy: Policy) => readonly Sentence[],
): string[] {
  const told = new Map<string, { sentence: Sentence; names: string[] }>();
  for (const policy of policies) {
    for (const sentence of reasonsOf(policy)) {
      const key = sentence('');
      const entry = told.get(key) ?? { sentence, names: [] };
      told.set(key, entry);
      entry.names.push(policy.name);
    }
  }
  return [...told.values()].map(({ sentence, names }) => sentence(listed(names)));
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function liftedText(count: number): Sentence {
  return (names) =>
    `${plural(count, 'run that was', 'runs that were')} stopped while recording would go on under ${names}, and how ${count === 1 ? 'it' : 'they'} would end is unknown.`;
}

function unjudgedText(limit: string, count: number, of: number): Sentence {
  const them = count === 1 ? 'it' : 'them';
  const what =
    count === of
      ? `None of the ${plural(of, 'run')} tells ${whatIsCounted(limit)}`
      : `Of ${plural(of, 'run')} ${count} lack ${whatIsLacking(limit)}`;
  return (names) =>
    `${what}: whether ${limit} would stop ${them} under ${names} is unknown${isLimitName(limit) ? '' : ', and left out of the figures of each policy'}.`;
}

function whatIsLacking(limit: string): string {
  if (limit === 'usd') return 'their cost in dollars';
  return isLimitName(limit) ? `their ${limit}` : `something that the rule ${limit} looks at`;
}

function whatIsCounted(limit: string): string {
  if (limit === 'usd') return 'what it cost in dollars';
  return isLimitName(limit) ? `its ${limit}` : `all that the rule ${limit} looks at`;
}
