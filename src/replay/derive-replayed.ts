import { type Derivation, derive } from '../calibrate/derive.js';
import { createGroups } from '../calibrate/groups.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../calibrate/options.js';
import type { DeriveGroup, DeriveReport } from '../calibrate/result.js';
import { deriveWarnings } from '../calibrate/warnings.js';
import type { Run } from '../model/run.js';
import { groupCosts } from './group-costs.js';
import type { GroupCosts } from './group-result.js';
import { fitJoint } from './joint.js';
import type { JointOptions, JointReport } from './joint-result.js';

/** How caps are derived, and whether all together are held to the accepted rate. */
export interface ReplayedDeriveOptions extends DeriveOptions {
  /** `null`: each cap by itself. */
  readonly joint: JointOptions | null;
}

/** Percentiles and caps with what needs a replay to be known, as `derive --json` prints them. */
export interface ReplayedDeriveReport extends DeriveReport {
  /** Only where asked for; `caps` are then those that are taken. */
  readonly joint?: JointReport;
  /** Only where groups were asked for. */
  readonly group_costs?: GroupCosts;
}

export interface ReplayedDerivation extends Derivation {
  readonly report: ReplayedDeriveReport;
}

/**
 * Percentiles and caps; where groups are asked for also what one policy costs each of them, and where all caps are held
 * to the accepted rate together those instead of the ones that are within it alone.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 */
export function deriveReplayed(runs: Iterable<Run>, options: Partial<ReplayedDeriveOptions> = {}): ReplayedDerivation {
  const resolved: ReplayedDeriveOptions = { ...DERIVE_DEFAULTS, joint: null, ...options };
  const derived = derive(runs, resolved);
  if (resolved.joint === null) return withCosts(runs, derived, resolved);
  const { report: joint, caps, reports } = fitJoint(runs, derived.sample, resolved, resolved.joint);
  const report = {
    ...derived.report,
    caps: reports,
    groups: jointGroups(runs, derived.report.groups, resolved, resolved.joint),
    joint,
    warnings: deriveWarnings(derived.sample, reports, resolved),
  };
  return withCosts(runs, { ...derived, caps, report }, resolved);
}

/** What one policy costs each group, where groups were asked for. */
function withCosts(
  runs: Iterable<Run>,
  derivation: ReplayedDerivation,
  options: ReplayedDeriveOptions,
): ReplayedDerivation {
  if (options.by.length === 0) return derivation;
  return { ...derivation, report: { ...derivation.report, group_costs: groupCosts(runs, derivation, options) } };
}

/** The groups with caps that are held to the rate together, too, each by its own runs. */
function jointGroups(
  runs: Iterable<Run>,
  groups: readonly DeriveGroup[],
  options: ReplayedDeriveOptions,
  joint: JointOptions,
): DeriveGroup[] {
  const members = createGroups(options.by, (): Run[] => []);
  for (const run of runs) members.of(run)?.push(run);
  // Groups are met in the order in which the derivation met them.
  const lists = members.map((_, its) => its);
  return groups.map((group, index) => {
    const its = lists[index] ?? [];
    const { sample } = derive(its, { ...options, by: [] });
    const { reports } = fitJoint(its, sample, options, joint);
    return { ...group, caps: reports, warnings: deriveWarnings(sample, reports, options) };
  });
}
