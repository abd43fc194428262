import { createGroups } from '../calibrate/groups.js';
import { type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import { fromAtoms } from '../model/atoms.js';
import { type Metric, perMetric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { clopperPearson } from '../stats/interval.js';
import { median } from '../stats/summary.js';
import { boundsOf } from './bounds.js';
import type { Outcome } from './replay.js';
import { type Replayed, replayAll } from './replay-all.js';
import type { FalseStops, ReasonTally, ReplayReport, Spend } from './result.js';
import { reductionOf, shareOf, sumInUnits } from './spend.js';
import { addOutcome, openTally, type SpendTally, type StopTally, type Tally } from './tally.js';
import { replayWarnings } from './warnings.js';

export interface SimulateOptions extends PopulationOptions {
  /** Label names: one report for each combination of their values, and stops split by them. */
  readonly by: readonly string[];
}

/**
 * Replays every run under a policy and reports what it would have done. The recorded behaviour is taken as given, so
 * this estimates and does not promise: an agent that is told its budget behaves differently under another one.
 *
 * @param runs recorded runs, in any order
 */
export function simulate(runs: Iterable<Run>, policy: Policy, options: Partial<SimulateOptions> = {}): ReplayReport {
  return simulateAll(runs, [policy], options)[0] as ReplayReport;
}

/** The reports of several policies, in their order, from one walk over the runs. */
export function simulateAll(
  runs: Iterable<Run>,
  policies: readonly Policy[],
  options: Partial<SimulateOptions> = {},
): ReplayReport[] {
  const simulation = openSimulation(policies, options);
  for (const replayed of replayAll(runs, policies)) simulation.see(replayed);
  return simulation.finish();
}

/** The same for a caller that walks the runs itself, and looks at each of them too. */
export interface Simulation {
  /** @param replayed a run under the policies, in their order; outcomes beyond them are left alone */
  see(replayed: Replayed): void;
  finish(): ReplayReport[];
}

export function openSimulation(policies: readonly Policy[], options: Partial<SimulateOptions> = {}): Simulation {
  const resolved: SimulateOptions = { ...VERIFIED, by: [], ...options };
  const { by } = resolved;
  const books = policies.map((policy) => ({
    policy,
    whole: openTally(policy),
    groups: createGroups(by, () => openTally(policy)),
  }));
  return {
    see({ counted, outcomes }) {
      for (const [index, { whole, groups }] of books.entries()) {
        const outcome = outcomes[index] as Outcome;
        addOutcome(whole, counted, outcome, resolved, by);
        const group = groups.of(counted);
        if (group !== null) addOutcome(group, counted, outcome, resolved, by);
      }
    },
    finish: () =>
      books.map(({ policy, whole, groups }) => ({
        schema: 'capfit/replay@1',
        policy: policyRecord(policy),
        ...reportOf(whole, policy, resolved, overshootsOf(whole)),
        groups: groups.map((labels, tally) => ({ labels, ...reportOf(tally, policy, resolved, overshootsOf(tally)) })),
      })),
  };
}

type Figures = Omit<ReplayReport, 'schema' | 'policy' | 'groups'>;

/** How far counters stood above their caps at the stops they made, in atoms; `null`: they made none. */
export type Overshoots = (
  metric: Exclude<Metric, 'passes'>,
) => { readonly max: number; readonly median: number } | null;

/** What was tallied, as figures in units. */
export function reportOf(tally: Tally, policy: Policy, population: PopulationOptions, overshoots: Overshoots): Figures {
  const recordedTokens = tally.spend.tokens.recorded.total();
  return {
    population: populationName(population),
    runs: tally.runs,
    verified: tally.verified,
    verified_finished: tally.verified - tally.falseStops.length,
    passed_unfinished: tally.passedUnfinished,
    false_stops: falseStops(tally),
    by_status: tally.byStatus,
    by_reason: Object.fromEntries([...tally.byReason].map(([reason, stops]) => [reason, reasonReport(stops)])),
    recorded_by_reason: Object.fromEntries(tally.recordedByReason),
    by_claim: tally.byClaim,
    spend: perMetric((metric) => spendReport(metric, tally.spend[metric])),
    unverified_spend_share:
      recordedTokens === 0n ? null : shareOf(tally.spend.tokens.unverified.total(), recordedTokens),
    max_bill: perMetric((metric) => unitsOrNull(metric, tally.spend[metric].maxBill)),
    overshoot: {
      tokens: overshootIn('tokens', overshoots),
      seconds: overshootIn('seconds', overshoots),
      usd: overshootIn('usd', overshoots),
    },
    censored: tally.censored,
    bounds: boundsOf(tally),
    approximate: tally.approximateRuns > 0,
    not_judged: Object.fromEntries(tally.notJudged),
    blind: blindIn(tally),
    longest_streak: tally.longestStreak,
    warnings: replayWarnings(tally, policy),
  };
}

/** No cap stops a run of one pass, whatever that lacks. */
function blindIn({ notJudged, asked }: Tally): string[] {
  return [...notJudged].filter(([, runs]) => runs > 0 && runs >= asked).map(([name]) => name);
}

function falseStops(tally: Tally): FalseStops {
  const count = tally.falseStops.length;
  if (tally.verified === 0) return { count, rate: null, ci95: null, runs: tally.falseStops };
  const { low, high } = clopperPearson(count, tally.verified);
  return { count, rate: count / tally.verified, ci95: [low, high], runs: tally.falseStops };
}

function reasonReport(stops: StopTally): ReasonTally {
  return {
    count: stops.afterPasses.length,
    median_pass: median(stops.afterPasses),
    by_label: Object.fromEntries([...stops.byLabel].map(([label, values]) => [label, Object.fromEntries(values)])),
  };
}

function spendReport(metric: Metric, spend: SpendTally): Spend | null {
  if (spend.tellingRuns === 0) return null;
  return {
    recorded: sumInUnits(metric, spend.recorded.total()),
    replayed: sumInUnits(metric, spend.replayed.total()),
    reduction: reductionOf(spend.recorded.total(), spend.replayed.total()),
    known_runs: spend.knownRuns,
  };
}

function overshootsOf({ spend }: Tally): Overshoots {
  return (metric) => {
    const { overshoots } = spend[metric];
    const middle = median(overshoots);
    return middle === null ? null : { max: overshoots.reduce((a, b) => Math.max(a, b)), median: middle };
  };
}

function overshootIn(
  metric: Exclude<Metric, 'passes'>,
  overshoots: Overshoots,
): { max: number | null; median: number | null } {
  const found = overshoots(metric);
  return { max: unitsOrNull(metric, found?.max ?? null), median: unitsOrNull(metric, found?.median ?? null) };
}

function unitsOrNull(metric: Metric, atoms: number | null): number | null {
  return atoms === null ? null : fromAtoms(metric, atoms);
}
