import type { Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import type { Status } from '../model/status.js';
import type { Policy } from '../policy/policy.js';
import { factsOf, WENT_ON } from './audit-facts.js';
import { momentOf } from './audit-prints.js';

/** What is counted over the runs beside the replay. */
export interface RunCounts {
  readonly runs: number;
  /** Runs that went on after a cap of their own was reached, and by which metric. */
  readonly overCap: number;
  readonly overCapBy: ReadonlyMap<Metric, number>;
  /** Halted for a permission or a guardrail. */
  readonly alarms: number;
  /** Halted, and for no recorded reason. */
  readonly untold: number;
  readonly haltedByReason: ReadonlyMap<string, number>;
  /** Running past the wall-clock cap. */
  readonly lost: number;
  /** Running, and no one can tell whether for too long. */
  readonly running: number;
  readonly byStatus: Readonly<Record<Status, number>>;
}

/** The reason of a record that was never closed: the process died, and no exit fired. */
export const LOST = 'lost';

const ALARMING = /permission|guardrail/i;
const OWN: readonly (readonly [Metric, 'ownPasses' | 'ownTokens' | 'ownSeconds' | 'ownUsd'])[] = [
  ['passes', 'ownPasses'],
  ['tokens', 'ownTokens'],
  ['seconds', 'ownSeconds'],
  ['usd', 'ownUsd'],
];

/** @param now ISO 8601, `null`: no record can be called overdue */
export function countRuns(runs: Iterable<Run>, policy: Policy, now: string | null): RunCounts {
  const byStatus = { done_verified: 0, done_claimed: 0, stopped_budget: 0, halted_error: 0, running: 0 };
  const counts = { runs: 0, overCap: 0, alarms: 0, untold: 0, lost: 0, running: 0 };
  const overCapBy = new Map<Metric, number>();
  const haltedByReason = new Map<string, number>();
  const moment = now === null ? null : momentOf(now);
  for (const run of runs) {
    counts.runs++;
    const isLost = run.status === 'running' && isOverdue(run, policy, moment);
    if (isLost) counts.lost++;
    else if (run.status === 'running') counts.running++;
    byStatus[isLost ? 'halted_error' : run.status]++;
    const reason = isLost ? LOST : run.status === 'halted_error' ? (run.reason ?? 'unknown') : null;
    if (reason !== null) increment(haltedByReason, reason);
    if (run.status === 'halted_error' && run.reason === null) counts.untold++;
    if (run.status === 'halted_error' && isAlarming(run.reason ?? '')) counts.alarms++;
    const beyond = metricsWentOn(run);
    if (beyond.length > 0) counts.overCap++;
    for (const metric of beyond) increment(overCapBy, metric);
  }
  return { ...counts, overCapBy, haltedByReason, byStatus };
}

/** Whether a running record is older than the policy's cap on seconds, or its own, allows. */
export function isOverdue(run: Run, policy: Pick<Policy, 'caps'>, now: number | null): boolean {
  const own = run.recordedUnder.get('seconds');
  const micros = policy.caps.seconds ?? (own === undefined ? null : own * 1e6);
  const started = run.startedAt === null ? null : momentOf(run.startedAt);
  return now !== null && micros !== null && started !== null && now - started > micros / 1000;
}

/** Whether the reason speaks of a permission or a guardrail, as recorders spell them. */
export function isAlarming(reason: string): boolean {
  return ALARMING.test(reason);
}

function metricsWentOn(run: Run): Metric[] {
  if (run.recordedUnder.size === 0) return [];
  const facts = factsOf(run);
  return OWN.filter(([, fact]) => facts[fact] === WENT_ON).map(([metric]) => metric);
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
