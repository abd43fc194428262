import { DERIVE_DEFAULTS } from '../calibrate/options.js';
import { type PopulationOptions, VERIFIED } from '../calibrate/population.js';
import type { Sample } from '../calibrate/sample.js';
import { figuresIn } from '../model/figures.js';
import type { Json } from '../model/json.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { EMPTY_POLICY, PLAIN_REPEAT, type Policy } from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { CROSS_VALIDATE_DEFAULTS, crossValidate } from './cross-validate.js';
import type { CrossValidated } from './cross-validate-result.js';
import { deriveReplayed, type ReplayedDeriveOptions, type ReplayedDeriveReport } from './derive-replayed.js';
import { diagnose } from './diagnosis.js';
import { diagnosePolicy } from './diagnosis-policy.js';
import { gatherEvidence } from './evidence.js';
import { harmfulRules } from './harmful-rules.js';
import { hidden } from './hidden.js';
import type { HiddenReport } from './hidden-result.js';
import { CARD_LABELS, labelsSeen, MOST_LABEL_VALUES } from './labels-seen.js';
import type { ReplayReport } from './result.js';
import { simulate, simulateAll } from './simulate.js';

/** How a policy is calibrated: the derivation's options, and what the policy holds besides the caps. */
export interface CalibrateOptions extends ReplayedDeriveOptions {
  /** The policy whose rules, order, timeouts and words are kept; its caps are replaced by the derived ones. */
  readonly base: Policy;
  /** ISO date of the measurement; `null`: the day of the newest run, where the runs say. */
  readonly date: string | null;
  /** ISO date to take where no run says when it started. */
  readonly today: string | null;
  /** Where the runs came from, in the user's words. */
  readonly source: string | null;
  /** Digest of the input. */
  readonly fingerprint: string | null;
  /** Label whose runs stay together in cross-validation; `null`: the task of a run, where runs tell. */
  readonly cluster: string | null;
}

/** The rule that every calibrated policy starts from: the same call, with the same result, three times in a row. */
export const THREE_REPEATS = PLAIN_REPEAT;

/** Errors that feeding back to the model cannot mend: a calibrated policy halts on them unless it is told others. */
export const USUAL_HALTS: readonly string[] = [
  'permission_denied',
  'guardrail',
  'spending_limit_near',
  'write_timeout_without_idempotency_key',
  'retry_allowance_used',
];

/** One step of the ladder from "as recorded" to the whole policy. */
export type LadderStep =
  | {
      readonly step: 'recorded';
      readonly runs: number;
      readonly verified: number;
      readonly by_status: ReplayReport['by_status'];
      readonly spend: ReplayReport['spend'];
    }
  | { readonly step: 'caps' | 'caps and rules'; readonly replay: ReplayReport };

/** The main job's answer, as `calibrate --json` prints it. */
export interface CalibrateReport {
  readonly schema: 'capfit/calibrate@1';
  readonly derive: ReplayedDeriveReport;
  readonly ladder: readonly LadderStep[];
  readonly policy: { readonly [key: string]: Json };
  /** The false-stop rate of the caps alone on runs that they were not taken from. */
  readonly cross_validated: CrossValidated;
  readonly hidden: HiddenReport;
  readonly diagnosis: readonly Warning[];
}

export interface Calibration {
  readonly report: CalibrateReport;
  readonly policy: Policy;
  readonly sample: Sample;
  /** The ladder as replays, under nothing, the caps alone, and the whole policy. */
  readonly recorded: ReplayReport;
  readonly caps: ReplayReport;
  readonly whole: ReplayReport;
  /** What speaks against the policy itself, of the diagnosis. */
  readonly ofPolicy: readonly Warning[];
}

/**
 * Derives caps from the verified successes, replays every run under them alone and with the rules, and says what the
 * numbers must not hide.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 */
export function calibrate(runs: Iterable<Run>, options: Partial<CalibrateOptions> = {}): Calibration {
  const resolved: CalibrateOptions = {
    ...DERIVE_DEFAULTS,
    joint: null,
    base: { ...EMPTY_POLICY, rules: [THREE_REPEATS], haltOn: USUAL_HALTS },
    date: null,
    today: null,
    source: null,
    fingerprint: null,
    cluster: null,
    ...options,
  };
  const derived = deriveReplayed(runs, resolved);
  const policy: Policy = {
    ...resolved.base,
    caps: derived.caps,
    measured: measuredOf(runs, derived.report, resolved),
  };
  const [recorded, caps, whole] = simulateAll(runs, [EMPTY_POLICY, { ...policy, rules: [] }, policy], resolved) as [
    ReplayReport,
    ReplayReport,
    ReplayReport,
  ];
  const evidence = gatherEvidence(runs, resolved, policy.rules.find((rule) => rule.rule === 'repeat') ?? null);
  const beatenCaps = capsThatNeverStop(runs, policy, caps);
  const { repeatedInSuccesses } = evidence;
  const ofPolicy = diagnosePolicy({ policy, replay: whole, beatenCaps, repeatedInSuccesses });
  const crossValidated = crossValidate(runs, { ...CROSS_VALIDATE_DEFAULTS, ...resolved });
  const hid = hidden(runs, derived, resolved);
  const eachWithin =
    caps.false_stops.rate === null || caps.false_stops.rate <= derived.report.accepted_rate
      ? false
      : eachCapWithin(runs, policy, derived.report.accepted_rate, resolved);
  return {
    report: {
      schema: 'capfit/calibrate@1',
      derive: derived.report,
      ladder: [
        {
          step: 'recorded',
          runs: recorded.runs,
          verified: recorded.verified,
          by_status: recorded.by_status,
          spend: recorded.spend,
        },
        { step: 'caps', replay: caps },
        { step: 'caps and rules', replay: whole },
      ],
      policy: policyRecord(policy),
      cross_validated: crossValidated,
      hidden: hid,
      diagnosis: diagnose({
        derive: derived.report,
        hidden: hid,
        caps,
        whole,
        ofPolicy,
        eachWithin,
        crossValidated,
        evidence,
        harmfulRules: harmfulRules(derived.report.accepted_rate, runs, policy, whole, resolved),
        options: resolved,
      }),
    },
    policy,
    sample: derived.sample,
    recorded,
    caps,
    whole,
    ofPolicy,
  };
}

/** Caps, and where those on steps are judged. */
type Capped = Pick<Policy, 'caps' | 'stepsAt'>;

/** Caps that stop no run first although another cap does, with the number of runs each would stop alone. */
export function capsThatNeverStop(runs: Iterable<Run>, policy: Capped, replay: ReplayReport): Map<string, number> {
  const beaten = LIMITS.filter((limit) => policy.caps[limit] !== undefined && replay.by_reason[limit]?.count === 0);
  const alone = eachCapAlone(runs, policy, beaten, VERIFIED);
  return new Map(beaten.map((limit, index) => [limit, alone[index]?.by_reason[limit]?.count ?? 0]));
}

/**
 * The same of a policy with rules, by its own replay: a cap that stops a run first beside rules does so without them.
 *
 * @param replay of the whole policy
 */
export function beatenCapsOf(runs: Iterable<Run>, policy: Policy, replay: ReplayReport): Map<string, number> {
  const hasIdle = LIMITS.some((limit) => policy.caps[limit] !== undefined && replay.by_reason[limit]?.count === 0);
  if (!hasIdle) return new Map();
  const capsAlone = policy.rules.length === 0 ? replay : simulate(runs, { ...policy, rules: [] });
  return capsThatNeverStop(runs, policy, capsAlone);
}

/** Whether each cap, were it the only one, would cut no more successes than accepted. */
function eachCapWithin(runs: Iterable<Run>, policy: Capped, accepted: number, population: PopulationOptions): boolean {
  const alone = eachCapAlone(runs, policy, LIMITS, population);
  return alone.every(({ false_stops }) => (false_stops.rate ?? 0) <= accepted);
}

/** What each of these caps would do if it were the only one; limits without a cap are left out. */
function eachCapAlone(
  runs: Iterable<Run>,
  { caps, stepsAt }: Capped,
  limits: readonly LimitName[],
  { claimed, finishedOnly }: PopulationOptions,
): ReplayReport[] {
  const policies = limits.flatMap((limit) => {
    const cap = caps[limit];
    return cap === undefined ? [] : [{ ...EMPTY_POLICY, stepsAt, caps: { [limit]: cap } }];
  });
  return policies.length === 0 ? [] : simulateAll(runs, policies, { claimed, finishedOnly });
}

function measuredOf(
  runs: Iterable<Run>,
  report: ReplayedDeriveReport,
  options: CalibrateOptions,
): { [key: string]: Json } {
  const date = options.date ?? newestDay(runs) ?? options.today;
  const provenance = Object.fromEntries(Object.entries(report.caps).filter(([, cap]) => cap !== null)) as {
    [metric: string]: Json;
  };
  return {
    ...(date === null ? {} : { date }),
    ...(options.source === null ? {} : { source: options.source }),
    runs: report.runs,
    verified: report.verified,
    ...(report.population === 'verified' ? {} : { population: report.population }),
    ...(options.fingerprint === null ? {} : { fingerprint: options.fingerprint }),
    ...labelsMeasured(runs),
    // Percentiles do not tell the rate any more where caps are held to it together.
    ...(report.joint === undefined ? {} : { accepted_rate: report.accepted_rate }),
    provenance,
  };
}

/** Which models and prompts the runs were of, for a later check to see that these have changed. */
function labelsMeasured(runs: Iterable<Run>): { labels?: { [name: string]: string[] } } {
  const seen = [...labelsSeen(runs, CARD_LABELS)].filter(([, values]) => values.size <= MOST_LABEL_VALUES);
  if (seen.length === 0) return {};
  return { labels: Object.fromEntries(seen.map(([name, values]) => [name, [...values.keys()].sort()])) };
}

/** The day, in UTC, on which the newest run started: the measurement is as old as its runs. */
function newestDay(runs: Iterable<Run>): string | null {
  let newest: number | null = null;
  for (const { startedAt } of figuresIn(runs)) {
    const time = startedAt === null ? Number.NaN : Date.parse(startedAt);
    if (!Number.isNaN(time)) newest = Math.max(newest ?? time, time);
  }
  return newest === null ? null : new Date(newest).toISOString().slice(0, 10);
}
