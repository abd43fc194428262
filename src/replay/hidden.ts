import type { Derivation } from '../calibrate/derive.js';
import { createGroups, type GroupLabels } from '../calibrate/groups.js';
import type { DeriveOptions } from '../calibrate/options.js';
import { type PopulationOptions, populationName } from '../calibrate/population.js';
import { NEAR } from '../calibrate/questions.js';
import type { DeriveReport } from '../calibrate/result.js';
import { createSampler, type Sampled } from '../calibrate/sample.js';
import { alikeIn } from '../model/alike.js';
import { fromAtoms, toAtoms } from '../model/atoms.js';
import type { RunFigures } from '../model/figures.js';
import { LIMITS, type LimitName, perMetric } from '../model/limits.js';
import type { Ending } from '../model/measure.js';
import type { Run } from '../model/run.js';
import { createPassCounts, leavingOf, type PassCounts } from './hidden-incidence.js';
import { hiddenCap, hiddenPercentiles } from './hidden-percentiles.js';
import type { HiddenFigures, HiddenReport } from './hidden-result.js';

/**
 * What the recording hid: runs that it ended early and that might have succeeded later, successes near the caps of the
 * day, what percentiles and caps could be at worst, and the share of runs that had succeeded by a number of passes.
 *
 * @param runs the same that were derived from, iterated once more
 */
export function hidden(
  runs: Iterable<Run>,
  { report, sample }: Pick<Derivation, 'report' | 'sample'>,
  options: DeriveOptions,
): HiddenReport {
  const whole = openHidden();
  const groups = createGroups(options.by, () => ({ counts: openHidden(), sampler: createSampler(options) }));
  const capsOf = createCapReader();
  // Whether a cap of something else was near is not told by the number of passes.
  const isTold = ({ recordedUnder }: Pick<RunFigures, 'recordedUnder'>): boolean =>
    options.by.length > 0 || capsOf(recordedUnder).limits.some((limit) => limit !== 'passes');
  for (const { run, runs: count } of alikeIn(runs, isTold)) {
    const ending = endingIn(run, capsOf(run.recordedUnder), count);
    addHidden(whole, ending, options);
    const group = groups.of(run);
    if (group === null) continue;
    addHidden(group.counts, ending, options);
    group.sampler.see(run);
  }
  const parts = groups.map((labels, { counts, sampler }) => ({ labels, counts, sample: sampler.finish() }));
  return hiddenReport({ counts: whole, sample }, parts, report, options);
}

/** The same from what was counted elsewhere. */
export function hiddenReport(
  whole: { readonly counts: HiddenCounts; readonly sample: Sampled },
  groups: readonly { readonly labels: GroupLabels; readonly counts: HiddenCounts; readonly sample: Sampled }[],
  report: Pick<DeriveReport, 'caps' | 'groups'>,
  options: DeriveOptions,
): HiddenReport {
  const caps = new Map(report.groups.map((group) => [JSON.stringify(group.labels), group.caps]));
  return {
    ...hiddenFigures(whole.counts, whole.sample, report.caps, options),
    groups: groups.map(({ labels, counts, sample }) => ({
      labels,
      ...hiddenFigures(counts, sample, caps.get(JSON.stringify(labels)) ?? NO_CAPS, options),
    })),
  };
}

const NO_CAPS: DeriveReport['caps'] = { passes: null, tokens: null, seconds: null, usd: null };

/** What is counted of runs to tell what their recording hid. */
export interface HiddenCounts {
  readonly passes: PassCounts;
  readonly censored: { runs: number; stopped_budget: number; running: number };
  readonly near: { runs: number; readonly by: Map<LimitName, number> };
  /** In atoms. */
  readonly under: Map<LimitName, number>;
}

export function openHidden(): HiddenCounts {
  return {
    passes: createPassCounts(),
    censored: { runs: 0, stopped_budget: 0, running: 0 },
    near: { runs: 0, by: new Map() },
    under: new Map(),
  };
}

/** Runs that ended alike, as far as it matters here. */
export interface HiddenEnding extends Ending {
  readonly passes: number | null;
  /** Caps of the recording in atoms, and those of them that were nearly reached. */
  readonly under: { readonly [limit in LimitName]?: number };
  readonly near: readonly LimitName[];
  readonly runs: number;
}

export function addHidden(counts: HiddenCounts, ending: HiddenEnding, population: PopulationOptions): void {
  const { passes, censored, near, under } = counts;
  const { runs } = ending;
  const leaving = leavingOf(ending, population);
  passes.add(ending.passes, leaving, runs);
  for (const limit in ending.under) addCap(under, limit as LimitName, ending.under[limit as LimitName]);
  if (leaving === 'censored') {
    censored.runs += runs;
    if (ending.status === 'running') censored.running += runs;
    else censored.stopped_budget += runs;
  }
  if (leaving !== 'successes') return;
  if (ending.near.length > 0) near.runs += runs;
  for (const limit of ending.near) near.by.set(limit, (near.by.get(limit) ?? 0) + runs);
}

function addCap(under: Map<LimitName, number>, limit: LimitName, cap: number | undefined): void {
  if (cap !== undefined) under.set(limit, Math.max(cap, under.get(limit) ?? 0));
}

function hiddenFigures(
  { passes, censored, near, under }: HiddenCounts,
  sample: Sampled,
  caps: DeriveReport['caps'],
  options: DeriveOptions,
): HiddenFigures {
  return {
    population: populationName(options),
    runs: sample.runs,
    verified: sample.verified,
    censored,
    near_cap: { runs: near.runs, by: byLimit((limit) => near.by.get(limit)) },
    recorded_under: byLimit((limit) => {
      const atoms = under.get(limit);
      return atoms === undefined ? undefined : fromAtoms(limit, atoms);
    }),
    percentiles: perMetric((metric) => hiddenPercentiles(metric, sample.values[metric], censored.runs, options)),
    caps: perMetric((metric) => hiddenCap(caps[metric], censored.runs, options.p)),
    incidence: passes.incidence({ provisional: under.get('passes') ?? null, cap: caps.passes?.cap ?? null }),
  };
}

function byLimit(figureOf: (limit: LimitName) => number | undefined): { [limit in LimitName]?: number } {
  const known = LIMITS.map((limit) => [limit, figureOf(limit)] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

function endingIn(run: RunFigures, { under, limits }: RecordedCaps, runs: number): HiddenEnding {
  const { status, check, claim, isZeroPass, whole } = run;
  const near = limits.length === 0 ? NONE : limits.filter((limit) => isNear(whole[limit], under[limit]));
  return { status, check, claim, isZeroPass, passes: whole.passes, under, near, runs };
}

const NONE: readonly LimitName[] = [];

/** Caps of a recording in atoms, and of which limits they are. */
interface RecordedCaps {
  readonly under: HiddenEnding['under'];
  readonly limits: readonly LimitName[];
}

/** Understands each map of caps once: many runs share one. */
function createCapReader(): (recordedUnder: Run['recordedUnder']) => RecordedCaps {
  const known = new WeakMap<Run['recordedUnder'], RecordedCaps>();
  return (recordedUnder) => {
    const caps = known.get(recordedUnder);
    if (caps !== undefined) return caps;
    const under = byLimit((limit) => {
      const cap = recordedUnder.get(limit);
      return cap === undefined ? undefined : (toAtoms(limit, cap) ?? undefined);
    });
    const read = { under, limits: LIMITS.filter((limit) => under[limit] !== undefined) };
    known.set(recordedUnder, read);
    return read;
  };
}

function isNear(used: number | null, cap: number | undefined): boolean {
  return used !== null && cap !== undefined && used * NEAR.den >= cap * NEAR.num;
}

/** Whether the recording hid anything that is known of. */
export function hidesAnything({ censored, near_cap }: HiddenFigures): boolean {
  return censored.runs > 0 || near_cap.runs > 0;
}
