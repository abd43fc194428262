import { endsInPopulation, type PopulationOptions, populationName, VERIFIED } from '../calibrate/population.js';
import { figuresIn } from '../model/figures.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { clopperPearson } from '../stats/interval.js';
import { signTest } from '../stats/sign-test.js';
import { TASK_LABELS } from './clusters.js';
import type { Outcome } from './replay.js';
import { replayAll } from './replay-all.js';
import type { ReplayReport } from './result.js';
import { openSimulation } from './simulate.js';
import { differenceOf } from './whatif-difference.js';
import { relationOf } from './whatif-edit.js';
import { watchLimits } from './whatif-limits.js';
import { blindLimits, leftOpen } from './whatif-open.js';
import { isSameLimit, type Paired, type PairWatch, watchPair } from './whatif-pair.js';
import type { Candidate, Difference, FalseStopTest, Relation, SpendInterval, WhatIfReport } from './whatif-result.js';
import { type ClusterSpend, type DrawOptions, openClusters, spendIntervals } from './whatif-spend.js';
import { testWords } from './whatif-test-words.js';
import { whatIfWarnings } from './whatif-warnings.js';
import { verdictOf } from './whatif-words.js';

/** A policy under the name that a reader knows it by. */
export interface NamedPolicy {
  readonly name: string;
  readonly policy: Policy;
}

export interface WhatIfOptions extends PopulationOptions, DrawOptions {
  /** What verdicts and intervals of spend are about; `null`: tokens where known, else usd, seconds, passes. */
  readonly spend: Metric | null;
  /** Label whose values are resampled whole; `null`: none; absent: the label of the task, where a run has one. */
  readonly cluster?: string | null;
}

export const WHATIF_DEFAULTS: WhatIfOptions = { ...VERIFIED, seed: 1, resamples: 2000, spend: null };

/**
 * What would have been different under other policies: every figure of the replay beside today's, the runs that change
 * sides, which limits bind, and how far chance moves the difference.
 *
 * @param runs iterated twice: an array or a `RunTable`, not a generator
 */
export function whatIf(
  runs: Iterable<Run>,
  today: NamedPolicy,
  asked: readonly NamedPolicy[],
  options: Partial<WhatIfOptions> = {},
): WhatIfReport {
  const candidates = withoutRepeats(asked);
  const resolved: WhatIfOptions = { ...WHATIF_DEFAULTS, ...options };
  const { spent, taskLabel } = survey(runs);
  const metric = resolved.spend ?? weighedOf(spent);
  const cluster = resolved.cluster === undefined ? taskLabel : resolved.cluster;
  const walked = walk(runs, [today, ...candidates], { ...resolved, metric, cluster });
  const { replay, clusters } = walked;
  const compared = candidatesOf(walked, metric, resolved);
  const report = {
    schema: 'capfit/whatif@1',
    population: populationName(resolved),
    runs: replay.runs,
    verified: replay.verified,
    weighed: metric,
    resampling: {
      seed: resolved.seed,
      resamples: resolved.resamples,
      clustered_by: clusters.label,
      clusters: clusters.count,
      known_runs: clusters.runs,
    },
    today: { name: today.name, limits: walked.limits, replay },
    candidates: compared,
    left_open: leftOpen({ name: today.name, limits: walked.limits, replay }, compared),
    warnings: [] as readonly Warning[],
  } as const satisfies WhatIfReport;
  const policies = [today, ...candidates].map(({ policy }) => policy);
  return { ...report, warnings: whatIfWarnings(report, policies) };
}

/** The same policy under the same name is answered once. */
function withoutRepeats(candidates: readonly NamedPolicy[]): NamedPolicy[] {
  const known = new Map<string, NamedPolicy>();
  for (const candidate of candidates) {
    const { caps, rules, order, stepsAt } = candidate.policy;
    const key = JSON.stringify([candidate.name, caps, rules, order, stepsAt]);
    if (!known.has(key)) known.set(key, candidate);
  }
  return [...known.values()];
}

/** What one walk over the runs tells of all policies. */
interface Walked {
  /** Under today's policy. */
  readonly replay: ReplayReport;
  readonly limits: WhatIfReport['today']['limits'];
  readonly candidates: readonly WalkedCandidate[];
  readonly clusters: ClusterSpend;
}

interface WalkedCandidate extends Pick<Candidate, 'name' | 'relation' | 'replay' | 'limits'> {
  readonly pair: Paired;
  /** Limits and rules that are not today's, and could judge no run at all. */
  readonly blind: readonly string[];
}

/** @param named today's policy, then the candidates */
function walk(
  runs: Iterable<Run>,
  named: readonly NamedPolicy[],
  options: PopulationOptions & { readonly metric: Metric; readonly cluster: string | null },
): Walked {
  const policies = named.map(({ policy }) => policy);
  const today = policies[0] as Policy;
  const relations = policies.map((policy) => relationOf(today, policy));
  const pairs = policies.map((policy, index) => watchPair(today, policy, relations[index] as Relation));
  const simulation = openSimulation(policies, options);
  const limits = watchLimits(policies);
  const book = openClusters(options.cluster, policies.length);
  for (const replayed of replayAll(runs, [...policies, ...limits.alone])) {
    const { counted, outcomes } = replayed;
    const verified = endsInPopulation(counted, options);
    simulation.see(replayed);
    limits.see(outcomes.slice(policies.length), verified);
    for (const [index, pair] of pairs.entries()) {
      if (index > 0) pair.see(counted, verified, outcomes[0] as Outcome, outcomes[index] as Outcome);
    }
    if (counted.whole[options.metric] !== null) {
      const spends = policies.map((_, index) => outcomes[index]?.end[options.metric] ?? 0);
      book.add(counted, spends);
    }
  }
  const reports = simulation.finish();
  const all = reports.map(
    (replay, index): WalkedCandidate => ({
      name: (named[index] as NamedPolicy).name,
      relation: relations[index] as Relation,
      replay,
      limits: limits.cutsOf(index, replay),
      pair: (pairs[index] as PairWatch).finish(),
      blind: blindLimits([reports[0] as ReplayReport, replay]).filter(
        (name) => !isSameLimit(today, policies[index] as Policy, name),
      ),
    }),
  );
  const { replay, limits: cuts } = all[0] as WalkedCandidate;
  return { replay, limits: cuts, candidates: all.slice(1), clusters: book.close() };
}

function candidatesOf(
  { replay: today, candidates, clusters }: Walked,
  metric: Metric,
  draws: DrawOptions,
): Candidate[] {
  const differences = candidates.map(({ replay, pair }) => differenceOf(today, replay, pair));
  const intervals = spendIntervals(
    metric,
    clusters,
    candidates.map(({ pair }) => pair.spend[metric]),
    differences.map(({ spend }) => (spend[metric]?.bounds ?? null) !== null),
    draws,
  );
  return candidates.map(({ name, relation, replay, limits, pair, blind }, index): Candidate => {
    const difference = differences[index] as Difference;
    const interval = intervals[index] as SpendInterval;
    const test = falseStopTest(pair, relation, replay.verified);
    const moved = pair.newlyStopped.count + pair.released.count + pair.earlier + pair.later;
    return {
      name,
      verdict: verdictOf({
        name,
        relation,
        today,
        replay,
        difference,
        test,
        metric,
        interval,
        moved,
        unseen: pair.unseen,
        blind,
      }),
      relation,
      difference,
      newly_stopped: pair.newlyStopped,
      released: pair.released,
      stopped_earlier: pair.earlier,
      stopped_later: pair.later,
      false_stop_test: test,
      spend_interval: interval,
      limits,
      replay,
    };
  });
}

/** Good runs lost against good runs regained: all else is not a question of good runs. */
function falseStopTest(pair: Paired, relation: Relation, verified: number): FalseStopTest {
  const [lost, regained] = [pair.newlyStopped.verified, pair.released.verified];
  const intervalOf = ([least, most]: Paired['lost']): [number, number] | null =>
    verified === 0 ? null : [clopperPearson(least, verified).low, clopperPearson(most, verified).high];
  const boundsOf = ([least, most]: Paired['lost']): Paired['lost'] | null => (least === most ? null : [least, most]);
  const test = {
    lost,
    regained,
    p_value: signTest(lost, regained),
    lost_bounds: boundsOf(pair.lost),
    regained_bounds: boundsOf(pair.regained),
    lost_ci95: intervalOf(pair.lost),
    regained_ci95: intervalOf(pair.regained),
  };
  return { ...test, words: testWords(test, relation, verified) };
}

/** Metrics that some run with a model call tells, and of which some run spends any, and the label that names tasks. */
export function survey(runs: Iterable<Run>): {
  readonly told: ReadonlySet<Metric>;
  readonly spent: ReadonlySet<Metric>;
  readonly taskLabel: string | null;
} {
  const told = new Set<Metric>();
  const spent = new Set<Metric>();
  const labels = new Set<string>();
  for (const run of figuresIn(runs)) {
    for (const metric of METRICS) {
      if (!run.isZeroPass && run.whole[metric] !== null) told.add(metric);
      if ((run.whole[metric] ?? 0) > 0) spent.add(metric);
    }
    for (const label of TASK_LABELS) if (run.labels.has(label)) labels.add(label);
  }
  return { told, spent, taskLabel: TASK_LABELS.find((label) => labels.has(label)) ?? null };
}

/** Tokens where they are known and any are spent, else dollars, else time, else passes. */
function weighedOf(spent: ReadonlySet<Metric>): Metric {
  return (['tokens', 'usd', 'seconds'] as const).find((metric) => spent.has(metric)) ?? 'passes';
}
