import { populationName } from '../calibrate/population.js';
import { fromAtoms } from '../model/atoms.js';
import { LIMITS, type LimitName, type Metric, perMetric } from '../model/limits.js';
import { EMPTY_POLICY, type Policy, type Rule } from '../policy/policy.js';
import { boundsOf } from './bounds.js';
import type { FalseStop, ReplayBounds, Spend } from './result.js';
import { reductionOf, sumInUnits } from './spend.js';
import { type Extent, extentAt, widened } from './sweep-extent.js';
import type { PreparedRuns } from './sweep-prepare.js';
import type { SweepTallies } from './sweep-tallies.js';
import { openTally, type SpendTally } from './tally.js';

/** What one policy of a sweep would have done: the figures of a replay, in each metric's own unit. */
export interface SweepAnswer {
  /** A limit that the sweep names and this policy does not have is `null`. */
  readonly caps: { readonly [limit in LimitName]?: number | null };
  /** Count of the repeat rule, `null` for no such rule; only where a grid tries several. */
  readonly repeat?: number | null;
  readonly false_stops: { readonly count: number; readonly rate: number | null };
  readonly stops: number;
  /** Stops that the replay makes, by limit and rule; `null` where the sweep does not tell them apart. */
  readonly by_reason: { readonly [reason: string]: number } | null;
  readonly spend: { readonly [metric in Metric]: Spend | null };
  readonly censored: number;
  readonly approximate: boolean;
  readonly bounds: ReplayBounds | null;
}

/** The answers of a sweep, as arrays; one is made into an object when it is asked for. */
export interface SweepResult extends Iterable<SweepAnswer> {
  readonly length: number;
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  /** Recorded spend, the same for every policy; `null` where no run tells. */
  readonly recorded: { readonly [metric in Metric]: { readonly spend: number; readonly known_runs: number } | null };
  falseStops(policy: number): number;
  /** Spend in atoms: the most it can be, but for runs that would go on. */
  replayed(metric: Metric, policy: number): bigint;
  /** Both ends of what the recording leaves open; the same ends as the bounds of the answer, in atoms. */
  extentOf(metric: Metric, policy: number): Extent;
  /** The same without what its caps could not judge, which takes a replay of its own. */
  countedExtentOf(metric: Metric, policy: number): Extent;
  at(policy: number): SweepAnswer;
}

type AtomCaps = { readonly [limit in LimitName]?: number | null };

/** One policy of a sweep, as far as it differs from others. */
export interface Settings {
  /** In atoms. */
  readonly caps: AtomCaps;
  /** Count of the repeat rule where several are tried. */
  readonly repeat: number | null | undefined;
  readonly rules: readonly Rule[];
  readonly order: Policy['order'];
  readonly stepsAt: Policy['stepsAt'];
}

/** What the answers need of the runs. */
export type SweptRuns = Pick<PreparedRuns, 'population' | 'runs' | 'verified' | 'recorded' | 'unseen'>;

/** Where the figures of a policy are. */
export interface Place {
  readonly tallies: SweepTallies;
  readonly index: number;
}

/** The policies of a sweep by their numbers. Figures are read far more often than what they are of. */
export interface SweptPolicies {
  readonly length: number;
  placeOf(policy: number): Place;
  settingsOf(policy: number): Settings;
}

export function sweepResult(prepared: SweptRuns, policies: SweptPolicies): SweepResult {
  const { recorded } = prepared;
  const { length } = policies;
  const countedExtentOf = (metric: Metric, policy: number): Extent => {
    const { tallies, index } = policies.placeOf(policy);
    return extentAt(tallies, metric, index);
  };
  const boundsOfPolicy = boundsByPolicy(prepared, policies);
  const at = (policy: number): SweepAnswer =>
    answerOf(prepared, policies.settingsOf(policy), policies.placeOf(policy), boundsOfPolicy(policy));
  return {
    length,
    population: populationName(prepared.population),
    runs: prepared.runs,
    verified: prepared.verified,
    recorded: perMetric((metric) =>
      recorded[metric].tellingRuns === 0
        ? null
        : { spend: sumInUnits(metric, recorded[metric].all), known_runs: recorded[metric].knownRuns },
    ),
    falseStops(policy) {
      const { tallies, index } = policies.placeOf(policy);
      return tallies.falseStops[index] as number;
    },
    replayed(metric, policy) {
      const { tallies, index } = policies.placeOf(policy);
      return tallies.replayed[metric].total(index);
    },
    countedExtentOf,
    extentOf(metric, policy) {
      const counted = countedExtentOf(metric, policy);
      return prepared.unseen.isPossible(policyOf(policies.settingsOf(policy)))
        ? widened(counted, boundsOfPolicy(policy), metric)
        : counted;
    },
    at,
    *[Symbol.iterator]() {
      for (let policy = 0; policy < length; policy++) yield at(policy);
    },
  };
}

/** The bounds of each policy; what its caps could not judge is replayed once. */
function boundsByPolicy(
  prepared: SweptRuns,
  { settingsOf, placeOf }: SweptPolicies,
): (policy: number) => ReplayBounds | null {
  const known = new Map<number, ReplayBounds | null>();
  return (policy) => {
    const found = known.get(policy);
    if (found !== undefined) return found;
    const blind = policyOf(settingsOf(policy));
    if (prepared.unseen.isPossible(blind)) {
      const bounds = prepared.unseen.boundsUnder(blind);
      known.set(policy, bounds);
      return bounds;
    }
    const { tallies, index } = placeOf(policy);
    return boundsAt(prepared, tallies, index);
  };
}

function answerOf(
  prepared: SweptRuns,
  settings: Settings,
  { tallies, index }: Place,
  bounds: ReplayBounds | null,
): SweepAnswer {
  const { caps, repeat, rules } = settings;
  const falseStops = tallies.falseStops[index] as number;
  return {
    caps: inUnits(caps),
    ...(repeat === undefined ? {} : { repeat }),
    false_stops: { count: falseStops, rate: prepared.verified === 0 ? null : falseStops / prepared.verified },
    stops: tallies.stops[index] as number,
    by_reason: reasonsOf(caps, rules, tallies, index),
    spend: perMetric((metric) => spendOf(prepared, tallies, metric, index)),
    censored: tallies.censored[index] as number,
    approximate: (tallies.approximate[index] as number) > 0,
    bounds,
  };
}

function policyOf({ caps, rules, order, stepsAt }: Settings): Policy {
  const kept = LIMITS.flatMap((limit) => ((caps[limit] ?? null) === null ? [] : [[limit, caps[limit]]]));
  return { ...EMPTY_POLICY, caps: Object.fromEntries(kept), rules, order, stepsAt };
}

function inUnits(caps: AtomCaps): SweepAnswer['caps'] {
  return Object.fromEntries(
    LIMITS.flatMap((limit) => {
      const atoms = caps[limit];
      return atoms === undefined ? [] : [[limit, atoms === null ? null : fromAtoms(limit, atoms)]];
    }),
  );
}

function reasonsOf(
  caps: AtomCaps,
  rules: readonly Rule[],
  { byReason }: SweepTallies,
  index: number,
): SweepAnswer['by_reason'] {
  if (byReason === null) return null;
  const counts: [string, number][] = [];
  for (const [what, limit] of LIMITS.entries()) {
    if ((caps[limit] ?? null) !== null) counts.push([limit, byReason[what]?.[index] as number]);
  }
  for (const [rule, { name }] of rules.entries()) {
    counts.push([name, byReason[LIMITS.length + rule]?.[index] as number]);
  }
  return Object.fromEntries(counts);
}

function spendOf(prepared: SweptRuns, tallies: SweepTallies, metric: Metric, index: number): Spend | null {
  const { all, knownRuns, tellingRuns } = prepared.recorded[metric];
  if (tellingRuns === 0) return null;
  const replayed = tallies.replayed[metric].total(index);
  return {
    recorded: sumInUnits(metric, all),
    replayed: sumInUnits(metric, replayed),
    reduction: reductionOf(all, replayed),
    known_runs: knownRuns,
  };
}

/** The bounds of a replay in which everything could be judged, from its own words and figures. */
function boundsAt(prepared: SweptRuns, tallies: SweepTallies, index: number): ReplayBounds | null {
  const approximateRuns = tallies.approximate[index] as number;
  const censored = tallies.censored[index] as number;
  if (approximateRuns === 0 && censored === 0) return null;
  return boundsOf({
    ...openTally(EMPTY_POLICY),
    verified: prepared.verified,
    falseStops: new Array<FalseStop>(tallies.falseStops[index] as number),
    approximateRuns,
    censored,
    censoredOpen: tallies.censoredOpen[index] as number,
    perhapsStopped: tallies.perhapsStopped[index] as number,
    perhapsFalseStops: tallies.perhapsFalseStops[index] as number,
    spend: perMetric((metric) => spendTally(prepared, tallies, metric, index)),
  });
}

function spendTally(prepared: SweptRuns, tallies: SweepTallies, metric: Metric, index: number): SpendTally {
  const { all, knownRuns, tellingRuns } = prepared.recorded[metric];
  const replayed = tallies.replayed[metric].total(index);
  return {
    recorded: fixed(all),
    replayed: fixed(replayed),
    replayedAtLeast: fixed(replayed - tallies.excess[metric].total(index)),
    unverified: fixed(0n),
    knownRuns,
    tellingRuns,
    maxBill: null,
    overshoots: [],
  };
}

function fixed(sum: bigint): SpendTally['recorded'] {
  return { add: () => undefined, addSum: () => undefined, total: () => sum };
}
