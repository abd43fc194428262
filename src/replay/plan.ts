import { derive } from '../calibrate/derive.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../calibrate/options.js';
import type { DeriveReport } from '../calibrate/result.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { Caps, Policy } from '../policy/policy.js';
import { sampleSizeAtRate } from '../stats/claim.js';
import { clopperPearson, sampleSizeForShare, upperLimit } from '../stats/interval.js';
import { clustersOf, TASK_LABELS } from './clusters.js';
import type { Further, NeededRuns, PlanClaim, PlanReport } from './plan-result.js';
import { planVerdict } from './plan-words.js';
import { simulate } from './simulate.js';
import { countCut, type SuccessSizes, successSizes, UNKNOWN_SIZE } from './success-sizes.js';
import { runsOfOneTask } from './task-warnings.js';

export interface PlanOptions extends DeriveOptions {
  /** The share of good runs that may be cut. */
  readonly target: number;
  readonly confidence: number;
  /** How many verified runs lie above the cap, instead of what the runs say; `null`: what they say. */
  readonly above: number | null;
  /** A policy whose caps and rules are to be claimed for. */
  readonly policy: Policy | null;
  /** Whether its caps were taken from these very runs. */
  readonly ofTheseRuns: boolean;
}

export const PLAN_DEFAULTS: PlanOptions = {
  ...DERIVE_DEFAULTS,
  target: 0.01,
  confidence: 0.95,
  above: null,
  policy: null,
  ofTheseRuns: false,
};

/** Shares that are commonly promised, and how many runs may lie above a cap in a table. */
const SHARES = [0.05, 0.02, 0.01, 0.005, 0.001];
const ABOVE_NEEDED = [0, 1, 2, 3];
const ABOVE_TODAY = [0, 1, 2, 3, 5, 10];

/**
 * How many more verified runs it takes to claim, with this confidence, that caps cut at most a share of the good runs; and
 * what may be claimed today. The limit is the one-sided one of Clopper and Pearson; for a cap at the largest value it is
 * the tolerance limit of S. S. Wilks (1941): 59 runs for 5 %, 299 for 1 %. Several caps chosen on the same runs each take a
 * run of their own to stand on, so that every cap beyond the first counts as one more: J. W. Tukey, "Nonparametric
 * estimation II: statistically equivalent blocks and tolerance regions", Annals of Mathematical Statistics 18 (1947).
 *
 * @param runs iterated several times; `null`: the numbers that hold for any
 */
export function plan(runs: Iterable<Run> | null, options: Partial<PlanOptions> = {}): PlanReport {
  const resolved: PlanOptions = { ...PLAN_DEFAULTS, by: [], ...options };
  const { target, confidence } = resolved;
  const shell = { schema: 'capfit/plan@1', target, confidence, needed: neededRuns(resolved) } as const;
  const assumed = (seen: Seen): PlanClaim[] =>
    resolved.above === null
      ? []
      : [claimOf(seen, { caps: 'assumed', cut: resolved.above, of: seen.verified }, resolved)];
  if (runs === null) {
    const nothing = { population: null, runs: null, verified: null, verified_share: null, at_n: null } as const;
    const report = { ...shell, ...nothing, claims: assumed(NO_RUNS), warnings: [] };
    return { ...report, verdict: planVerdict(report) };
  }
  const { report: derived, caps } = derive(runs, { ...resolved, by: [] });
  const sizes = successSizes(runs, resolved, TASK_LABELS);
  const seen: Seen = { runs: derived.runs, verified: derived.verified };
  const { policy, claimed, finishedOnly } = resolved;
  const replay = policy === null ? null : simulate(runs, policy, { claimed, finishedOnly });
  const claims = [
    ...assumed(seen),
    ...maximumClaims(seen, derived, sizes, resolved),
    ...derivedClaims(seen, derived, caps, sizes, resolved),
    ...(replay === null ? [] : [policyClaim(seen, sizes, replay.false_stops.count, resolved)]),
  ];
  const report = {
    ...shell,
    population: derived.population,
    runs: seen.runs,
    verified: seen.verified,
    verified_share: shareOf(seen),
    claims: seen.verified === 0 ? [] : claims,
    at_n: seen.verified === 0 ? null : { verified: seen.verified, at_most: claimsToday(seen.verified, confidence) },
    warnings: [
      ...planWarnings(derived, sizes),
      ...(replay?.warnings ?? []).filter(({ code }) => code === 'not_judged'),
    ],
  };
  return { ...report, verdict: planVerdict(report) };
}

/** Nobody records more runs. */
const MOST = 1e8;

/** How many runs there are, and how many of them are verified. */
interface Seen {
  readonly runs: number;
  readonly verified: number;
}

const NO_RUNS: Seen = { runs: 0, verified: 0 };

function shareOf({ runs, verified }: Seen): PlanReport['verified_share'] {
  if (verified === 0) return null;
  const { low, high } = clopperPearson(verified, runs);
  return { share: verified / runs, ci95: [low, high] };
}

function claimsToday(verified: number, confidence: number): { above: number; share: number }[] {
  return ABOVE_TODAY.filter((above) => above < verified).map((above) => ({
    above,
    share: upperLimit(above, verified, confidence),
  }));
}

function neededRuns({ target, confidence, above }: PlanOptions): NeededRuns[] {
  const shares = [...new Set([...SHARES, target])].sort((a, b) => b - a);
  const counts = [...new Set([...ABOVE_NEEDED, ...(above === null ? [] : [above])])].sort((a, b) => a - b);
  return shares.map((share) => ({
    share,
    verified: counts.map((each) => ({ above: each, runs: sampleSizeForShare(each, share, confidence) })),
  }));
}

/** Caps that are to be claimed for, and what they do to the verified runs. */
interface Asked extends Pick<PlanClaim, 'caps' | 'cut' | 'of'> {
  readonly values?: PlanClaim['values'];
  /** What caps chosen on these very runs count for beyond the runs that they cut. */
  readonly further?: number;
}

function claimOf(seen: Seen, asked: Asked, { target, confidence }: PlanOptions): PlanClaim {
  const { caps, cut, of, values = null, further = 0 } = asked;
  const counted = cut + further;
  const atMost = of === 0 ? null : upperLimit(Math.min(counted, of), of, confidence);
  const atRate = of === 0 ? null : sampleSizeAtRate(cut / of, further, target, confidence);
  return {
    caps,
    values,
    cut,
    of,
    counted_as: counted,
    at_most: atMost,
    met: atMost !== null && atMost <= target,
    if_none_cut: counted > MOST * target ? null : furtherOf(seen, of, sampleSizeForShare(counted, target, confidence)),
    at_todays_rate: atRate === null ? null : furtherOf(seen, of, atRate),
  };
}

/** Runs to record for so many verified ones, at today's share of them and at both ends of its interval. */
function furtherOf(seen: Seen, of: number, needed: number): Further {
  const more = Math.max(0, needed - of);
  const share = shareOf(seen);
  if (share === null) return { verified_needed: needed, more_verified: more, more_runs: null };
  const [low, high] = share.ci95;
  const runs = (each: number): number => Math.ceil(more / each);
  return {
    verified_needed: needed,
    more_verified: more,
    more_runs: { expected: runs(share.share), range95: [runs(high), runs(low)] },
  };
}

function maximumClaims(
  seen: Seen,
  { quantiles, caps }: DeriveReport,
  sizes: SuccessSizes,
  options: PlanOptions,
): PlanClaim[] {
  const metrics = METRICS.filter((metric) => caps[metric] !== null);
  if (metrics.length === 0) return [];
  const of = tellingRuns(sizes, metrics);
  const values = Object.fromEntries(metrics.map((metric) => [metric, quantiles[metric]?.max as number]));
  const one = claimOf(seen, { caps: 'maximum', cut: 0, of, ...(metrics.length === 1 ? { values } : {}) }, options);
  if (metrics.length === 1) return [one];
  const all = {
    caps: 'all_maxima',
    cut: 0,
    of: tellingRuns(sizes, metrics),
    values,
    further: metrics.length - 1,
  } as const;
  return [one, claimOf(seen, all, options)];
}

function derivedClaims(
  seen: Seen,
  report: DeriveReport,
  caps: Caps,
  sizes: SuccessSizes,
  options: PlanOptions,
): PlanClaim[] {
  const metrics = METRICS.filter((metric) => caps[metric] !== undefined);
  if (metrics.length === 0) return [];
  const values = Object.fromEntries(metrics.map((metric) => [metric, report.caps[metric]?.cap as number]));
  const cut = countCut(sizes.perhaps, sizes.count, caps);
  const of = Math.max(cut, tellingRuns(sizes, metrics));
  return [claimOf(seen, { caps: 'derived', cut, of, values, further: metrics.length - 1 }, options)];
}

/** @param surely successes that the policy stops, by its rules too */
function policyClaim(seen: Seen, sizes: SuccessSizes, surely: number, options: PlanOptions): PlanClaim {
  const caps = options.policy?.caps ?? {};
  const cut = surely + countCut(sizes.perhaps, sizes.count, caps) - countCut(sizes.asked, sizes.count, caps);
  // A cap on what no run tells is not judged at all, which a warning says.
  const judged = METRICS.filter((metric) => caps[metric] !== undefined && tellingRuns(sizes, [metric]) > 0);
  const further = options.ofTheseRuns ? Math.max(0, Object.keys(caps).length - 1) : 0;
  return claimOf(seen, { caps: 'policy', cut, of: Math.max(cut, tellingRuns(sizes, judged)), further }, options);
}

/** Successes that tell the figure that the fewest tell: of the others nobody knows whether a cap would have cut them. */
function tellingRuns({ whole, count }: SuccessSizes, metrics: readonly Metric[]): number {
  const telling = metrics.map((metric) => whole[metric].reduce((n, size) => (size === UNKNOWN_SIZE ? n : n + 1), 0));
  return Math.min(count, ...telling);
}

/** What is said of small samples is the whole answer here, and needs no warning. */
const ANSWERED = ['small_sample', 'percentile_is_maximum', 'in_sample_interval'];

function planWarnings(derived: DeriveReport, sizes: SuccessSizes): Warning[] {
  const warnings = derived.warnings.filter(({ code }) => !ANSWERED.includes(code));
  const { label, count } = clustersOf(sizes.labels, null, sizes.count);
  if (label === null || count === sizes.count) return warnings;
  const hint = `to be safe, read the claim at n = ${count}, and record further tasks rather than further runs`;
  const verified = { noun: 'verified run', runs: sizes.count, tasks: count };
  return [...warnings, runsOfOneTask([verified], label, hint)];
}
