import { acceptedRate, type Derivation } from '../calibrate/derive.js';
import { FEWEST_IN_GROUP, moreToClaim } from '../calibrate/group-test.js';
import { createGroups } from '../calibrate/groups.js';
import type { DeriveOptions } from '../calibrate/options.js';
import type { DeriveGroup } from '../calibrate/result.js';
import { toAtoms } from '../model/atoms.js';
import { toNumber } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { type Caps, EMPTY_POLICY, type Policy } from '../policy/policy.js';
import type { GroupCost, GroupCosts, GroupOutcome } from './group-result.js';
import { costNotes, costVerdict } from './group-words.js';
import { replayEach } from './replay-all.js';
import type { ReplayReport, Spend } from './result.js';
import { openSimulation, type Simulation } from './simulate.js';

/** A group that is large enough: what it is, the policies it is replayed under, and what they did. */
interface Case {
  readonly group: DeriveGroup;
  /** With the caps of all runs together, and with the group's own. */
  readonly policies: readonly [pooled: Policy, own: Policy];
  readonly simulation: Simulation;
}

/**
 * What one policy for all costs each group: the caps that were derived from all runs, and those derived from the
 * group's own, each replayed over the group's runs. Groups with too few successes for caps of their own are left out.
 *
 * @param runs those that the derivation was made from, in the same order
 */
export function groupCosts(runs: Iterable<Run>, derivation: Derivation, options: DeriveOptions): GroupCosts {
  const { report, caps } = derivation;
  const pooled: Policy = { ...EMPTY_POLICY, caps };
  let next = 0;
  // Groups are met in the order in which the derivation met them.
  const cases = createGroups(options.by, (): { readonly found: Case | null } => {
    const group = report.groups[next++];
    if (group === undefined || group.verified < FEWEST_IN_GROUP) return { found: null };
    return { found: openCase(group, pooled, options) };
  });
  const caseOf = (run: Pick<Run, 'labels'>): Case | null => cases.of(run)?.found ?? null;
  for (const replayed of replayEach(runs, (run) => caseOf(run)?.policies ?? null)) {
    caseOf(replayed.counted)?.simulation.see(replayed);
  }
  const replays = cases.map((_, { found }) => found).filter((found) => found !== null);
  const made = replays.map(({ group, simulation }): GroupReplays => {
    const [underPooled, underOwn] = simulation.finish() as [ReplayReport, ReplayReport];
    return { group, underPooled, underOwn };
  });
  return groupCostsOf(made, report, options);
}

/** A group's runs under the caps of all runs together, and under its own. */
export interface GroupReplays {
  readonly group: DeriveGroup;
  readonly underPooled: Figures;
  readonly underOwn: Figures;
}

type Figures = Pick<ReplayReport, 'false_stops' | 'verified' | 'spend' | 'bounds'>;

/** The same from replays that were made elsewhere, in the order of the groups. */
export function groupCostsOf(
  made: readonly GroupReplays[],
  report: Derivation['report'],
  options: DeriveOptions,
): GroupCosts {
  const weighed = weighedIn(made.map(({ underPooled }) => underPooled));
  const groups = made.map((each) => costOf(each, report.caps, weighed, options));
  return {
    accepted_rate: toNumber(acceptedRate(options.p)),
    weighed,
    groups,
    left_out: report.group_test?.left_out ?? [],
    verdict: costVerdict(groups, weighed),
    notes: costNotes(groups, report.group_test?.differ ?? null),
  };
}

function openCase(group: DeriveGroup, pooled: Policy, { claimed, finishedOnly }: DeriveOptions): Case {
  const policies = [pooled, ownPolicy(group)] as const;
  return { group, policies, simulation: openSimulation(policies, { claimed, finishedOnly }) };
}

/** The caps that were derived from a group's own successes. */
export function ownPolicy(group: DeriveGroup): Policy {
  const caps: { [metric in Metric]?: number } = {};
  for (const metric of METRICS) {
    const cap = group.caps[metric];
    if (cap !== null) caps[metric] = toAtoms(metric, cap.cap) as number;
  }
  return { ...EMPTY_POLICY, caps: caps satisfies Caps };
}

/** Tokens where every group knows some, else dollars, else time, else passes. */
function weighedIn(reports: readonly Figures[]): Metric {
  const ranked = ['tokens', 'usd', 'seconds'] as const;
  return ranked.find((metric) => reports.every(({ spend }) => spend[metric] !== null)) ?? 'passes';
}

function costOf(
  { group, underPooled, underOwn }: GroupReplays,
  pooledCaps: DeriveGroup['caps'],
  weighed: Metric,
  { p }: DeriveOptions,
): GroupCost {
  const [pooled, own] = [outcomeOf(underPooled, pooledCaps), outcomeOf(underOwn, group.caps)];
  return {
    labels: group.labels,
    runs: group.runs,
    verified: group.verified,
    pooled,
    own,
    extra_false_stops: pooled.false_stops.count - own.false_stops.count,
    extra_spend: extraOf(pooled.spend[weighed], own.spend[weighed]),
    more_to_claim: moreToClaim(group.verified, p),
  };
}

function outcomeOf({ false_stops, verified, spend, bounds }: Figures, caps: DeriveGroup['caps']): GroupOutcome {
  const { count, rate, ci95 } = false_stops;
  const most = bounds === null ? count : verified - (bounds.verified_finished[0] ?? verified);
  const kept = METRICS.map((metric) => [metric, caps[metric]?.cap ?? null]);
  return {
    caps: Object.fromEntries(kept) as GroupOutcome['caps'],
    false_stops: { count, rate, ci95, at_most: most === count ? null : most },
    spend,
  };
}

function extraOf(pooled: Spend | null, own: Spend | null): number | null {
  if (pooled === null || own === null || own.replayed === 0) return null;
  return (pooled.replayed - own.replayed) / own.replayed;
}
