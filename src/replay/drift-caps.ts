import { acceptedRate, derive } from '../calibrate/derive.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../calibrate/options.js';
import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { fromAtoms } from '../model/atoms.js';
import { toNumber } from '../model/decimal.js';
import { numberText } from '../model/decimal-text.js';
import { LIMITS } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { EMPTY_POLICY, type Policy } from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { clopperPearson } from '../stats/interval.js';
import type { DriftCaps, DriftFalseStops, DriftUnderCaps } from './drift-result.js';
import { brief } from './mixed-tasks.js';
import type { Outcome } from './replay.js';
import { replayAll } from './replay-all.js';
import type { ReplayReport } from './result.js';
import { openSimulation } from './simulate.js';
import type { Counted } from './tally.js';

/**
 * What the old caps do to the old runs and to the new ones.
 *
 * @param policy `null`: caps are derived from the old runs
 */
export function underOldCaps(
  old: Iterable<Run>,
  fresh: Iterable<Run>,
  policy: Policy | null,
  options: Partial<DeriveOptions>,
): DriftCaps | null {
  const used = policy ?? derivedFrom(old, { ...DERIVE_DEFAULTS, ...options, by: [] });
  if (used === null) return null;
  const { claimed = false, finishedOnly = false } = options;
  const under = (runs: Iterable<Run>): DriftUnderCaps => underPolicy(runs, used, { claimed, finishedOnly });
  return {
    from: policy === null ? 'old runs' : 'policy',
    policy: policyRecord(used),
    limits: Object.fromEntries(
      LIMITS.flatMap((limit) => {
        const atoms = used.caps[limit];
        return atoms === undefined ? [] : [[limit, fromAtoms(limit, atoms)]];
      }),
    ),
    rules: used.rules.map(({ name }) => name),
    accepted_rate: toNumber(acceptedRate(options.p ?? DERIVE_DEFAULTS.p)),
    old: under(old),
    new: under(fresh),
  };
}

function derivedFrom(old: Iterable<Run>, options: DeriveOptions): Policy | null {
  const { caps } = derive(old, options);
  return Object.keys(caps).length === 0 ? null : { ...EMPTY_POLICY, caps };
}

/** Runs that the policy may stop or not: the record does not tell what it counts, or only the total of it. */
interface Open {
  /** Of all runs. */
  runs: number;
  /** Of the good ones. */
  good: number;
  /** Good ones of which a limit or rule knows nothing at all, by its name. */
  readonly blind: Map<string, number>;
  /** Good ones among them. */
  goodBlind: number;
}

function underPolicy(runs: Iterable<Run>, policy: Policy, population: PopulationOptions): DriftUnderCaps {
  const simulation = openSimulation([policy], population);
  const open: Open = { runs: 0, good: 0, blind: new Map(), goodBlind: 0 };
  for (const replayed of replayAll(runs, [policy])) {
    simulation.see(replayed);
    seeOpen(open, replayed.counted, replayed.outcomes[0] as Outcome, population);
  }
  return sideOf(simulation.finish()[0] as ReplayReport, open);
}

function seeOpen(open: Open, run: Counted, outcome: Outcome, population: PopulationOptions): void {
  const { stop, maybe, notJudged, unjudged } = outcome;
  if (stop !== null || (maybe.length === 0 && !unjudged)) return;
  if (run.status !== 'stopped_budget') open.runs++;
  if (!endsInPopulation(run, population)) return;
  open.good++;
  if (!unjudged) return;
  open.goodBlind++;
  for (const name of notJudged) open.blind.set(name, (open.blind.get(name) ?? 0) + 1);
}

function sideOf(replay: ReplayReport, open: Open): DriftUnderCaps {
  const { runs, verified, spend, censored, bounds, by_reason } = replay;
  const count = replay.by_status.stopped_budget;
  return {
    ...{ runs, verified },
    false_stops: falseStopsOf(replay, open),
    stopped: { count, share: runs === 0 ? null : count / runs, open: open.runs },
    by_reason: Object.fromEntries(Object.entries(by_reason).map(([reason, stops]) => [reason, stops.count])),
    ...{ spend, censored, bounds },
  };
}

function falseStopsOf({ false_stops: { count }, verified }: ReplayReport, open: Open): DriftFalseStops {
  const most = count + open.good;
  const judged = verified - open.goodBlind;
  const settled = { at_most: most, rate_at_most: verified === 0 ? null : most / verified, judged };
  const not_judged = open.goodBlind === 0 ? null : blindText(open, verified);
  // Where no good run tells, a zero would be no finding.
  if (verified === 0 || judged === 0) return { ...settled, count: null, rate: null, ci95: null, not_judged };
  const ci95 = [clopperPearson(count, verified).low, clopperPearson(most, verified).high] as const;
  return { ...settled, count, rate: count / verified, ci95, not_judged };
}

/** `tokens (27 of 144)`. */
function blindText({ blind }: Open, verified: number): string {
  const of = numberText(verified);
  return [...blind].map(([name, runs]) => `${brief(name)} (${numberText(runs)} of ${of})`).join(', ');
}
