import { populationName } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { capsThatNeverStop } from './calibrate.js';
import { judgeHalts, judgeLost, judgeOverCap } from './check-alerts.js';
import { CHECK_DEFAULTS, type CheckBounds } from './check-bounds.js';
import { judgeCaps } from './check-caps.js';
import { cardAge, judgeAge, judgeLabels, labelNames } from './check-card.js';
import { countRuns } from './check-counts.js';
import { driftTests, judgeDrift } from './check-drift.js';
import type { CheckEvidence } from './check-evidence.js';
import { falseStopRate, judgeFalseStops } from './check-false-stops.js';
import { judgedRuns } from './check-judged.js';
import { type CheckFigures, type CheckReport, FINDING_SEVERITIES } from './check-result.js';
import { judgeStopped, judgeUnverifiedSpend, stoppedShare } from './check-shares.js';
import { judgeTrips } from './check-trips.js';
import { sampleOf } from './drift.js';
import { labelsSeen } from './labels-seen.js';
import { measuredIn } from './measured.js';
import { simulate } from './simulate.js';

/**
 * Whether recorded runs still fit a policy: false stops, stop share, spend, caps that were not obeyed, drift from what
 * was measured, a stale card, and the card's own alerts.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 * @param old earlier runs to compare with, over what the policy keeps of its measurement
 */
export function check(
  runs: Iterable<Run>,
  policy: Policy,
  bounds: Partial<CheckBounds> = {},
  old: Iterable<Run> | null = null,
): CheckReport {
  const evidence = gather(runs, policy, { ...CHECK_DEFAULTS, ...bounds }, old);
  const { replay, sample, measured } = evidence;
  const drift = driftTests(evidence.bounds, measured, sample, evidence.old?.sample ?? null);
  const all = [
    judgeFalseStops(evidence),
    judgeStopped(evidence),
    judgeUnverifiedSpend(evidence),
    judgeOverCap(evidence),
    judgeDrift(evidence, drift),
    judgeAge(evidence),
    judgeLabels(evidence),
    judgeCaps(evidence),
    judgeTrips(evidence),
    judgeHalts(evidence),
    judgeLost(evidence),
  ];
  const found = all.flatMap(({ findings }) => findings);
  const findings = FINDING_SEVERITIES.flatMap((severity) => found.filter((each) => each.severity === severity));
  return {
    schema: 'capfit/check@1',
    passed: !findings.some(({ severity }) => severity === 'error'),
    population: populationName(evidence.bounds),
    runs: replay.runs,
    verified: replay.verified,
    findings,
    checks: all.map(({ judgement }) => judgement),
    figures: figuresOf(evidence),
    alarm_rate: evidence.bounds.alarmRate,
    drift,
  };
}

function gather(runs: Iterable<Run>, policy: Policy, bounds: CheckBounds, old: Iterable<Run> | null): CheckEvidence {
  const measured = measuredIn(policy);
  const names = labelNames({ bounds, measured });
  const replay = simulate(runs, policy, { claimed: bounds.claimed, finishedOnly: bounds.finishedOnly });
  return {
    policy,
    bounds,
    measured,
    replay,
    open: judgedRuns(runs, policy, bounds),
    sample: sampleOf(runs, bounds),
    counts: countRuns(runs, policy, bounds.now),
    labels: labelsSeen(runs, names),
    beatenCaps: capsThatNeverStop(runs, policy, replay),
    old: old === null ? null : { sample: sampleOf(old, bounds), labels: labelsSeen(old, names) },
  };
}

function figuresOf({ replay, open, counts, measured, bounds }: CheckEvidence): CheckFigures {
  const stopped = replay.by_status.stopped_budget;
  return {
    false_stops: { ...falseStopRate(replay, open), not_judged: open.successes.part },
    stopped: { count: stopped, share: stoppedShare({ replay, open }) },
    unverified_spend_share: replay.unverified_spend_share,
    over_cap: counts.overCap,
    by_status: counts.byStatus,
    halted_by_reason: Object.fromEntries(counts.haltedByReason),
    card_age_days: cardAge(measured.date, bounds.now),
  };
}
