import type { LimitName, Metric } from '../model/limits.js';
import type { Check, Claim, Status } from '../model/status.js';
import type { Policy, RepeatRule } from '../policy/policy.js';
import type { GroupLabels } from './groups.js';
import type { PopulationOptions } from './population.js';

/*
 * What is asked of many runs that lie somewhere else, in a database: counts, order statistics, sums and the ids of cut
 * runs. No pass ever travels. Every figure is in atoms and exact. `first` is the place of a run in the order of the
 * recording, from 0: whatever is listed comes in the order of first places, as it does where runs are read one by one.
 */

/** A condition on a label, or on a field of the run where no label has that name: `name=value`, or its negation. */
export interface RunCondition {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
}

/** The questions, wherever the runs lie. */
export interface Questions {
  /** Names of all labels, the first met first. */
  labelNames(): Promise<readonly string[]>;
  /** Names of all tools that are called. */
  toolNames(): Promise<readonly string[]>;
  /** All runs, counted by how they ended and by what percentiles must know of them. */
  endings(by: readonly string[]): Promise<readonly EndingCount[]>;
  /** Passes of the population by every label that has at most so many values in it. */
  labelSizes(population: PopulationOptions, mostValues: number): Promise<readonly LabelSize[]>;
  /** Order statistics of a metric over the population that knows it, for all runs and for each group. */
  orderStatistics(asked: RankQuestion): Promise<readonly RankAnswer[]>;
  /** How many such values lie above a threshold. */
  countsAbove(asked: AboveQuestion): Promise<readonly AboveAnswer[]>;
  /** Sums of midranks for a rank test between groups. */
  rankSums(asked: RankSumQuestion): Promise<RankSumAnswer>;
  /** What a policy would have done. */
  replay(asked: ReplayQuestion): Promise<ReplayAnswer>;
  /** How many runs each limit and rule of a policy stops: first among them all, and were it the only one. */
  stops(policy: Policy): Promise<readonly StopCount[]>;
  /** Tools at whose calls the current count of a repeat rule reaches its own in runs of the population, the first met first. */
  repeatedTools(rule: RepeatRule, population: PopulationOptions): Promise<readonly ToolCount[]>;
  /** What a grid of caps would have let through, cell by cell. */
  cells(asked: CellQuestion): Promise<CellAnswer>;
  close(): Promise<void>;
}

/** A run is near a cap that it was recorded under from this share of it on. */
export const NEAR = { num: 4, den: 5 };

/** Runs that ended alike. */
export interface EndingCount {
  readonly labels: GroupLabels;
  readonly status: Status;
  readonly check: Check;
  readonly claim: Claim | null;
  /** Passes made; `null`: not known. */
  readonly passes: number | null;
  /** Whether the run knows what it used. */
  readonly knows: { readonly tokens: boolean; readonly seconds: boolean; readonly usd: boolean };
  /** Caps of the recording that it came near to. */
  readonly near: readonly LimitName[];
  /** The largest cap of each kind that one of them was recorded under, in atoms. */
  readonly under: { readonly [limit in LimitName]?: number };
  readonly runs: number;
  readonly first: number;
}

export interface LabelSize {
  readonly label: string;
  readonly value: string;
  readonly passes: number;
  readonly runs: number;
  /** Only for the order: by the first run that has it, then by the place among the labels of that run. */
  readonly first: number;
}

/** `null` labels: all runs together. */
export interface RankQuestion {
  readonly metric: Metric;
  readonly population: PopulationOptions;
  readonly by: readonly string[];
  /** From 1, ascending. */
  readonly ranks: readonly number[];
}

export interface RankAnswer {
  readonly labels: GroupLabels;
  readonly rank: number;
  readonly value: number;
}

export interface AboveQuestion {
  readonly metric: Metric;
  readonly population: PopulationOptions;
  readonly by: readonly string[];
  readonly thresholds: readonly number[];
}

export interface AboveAnswer {
  readonly labels: GroupLabels;
  readonly threshold: number;
  readonly runs: number;
}

export interface RankSumQuestion {
  readonly metric: Metric;
  readonly population: PopulationOptions;
  readonly by: readonly string[];
  readonly groups: readonly GroupLabels[];
}

/** Midranks are halves at most, so that twice their sum is whole. */
export interface RankSumAnswer {
  readonly groups: readonly { readonly labels: GroupLabels; readonly n: number; readonly doubled: bigint }[];
  /** The sum of t^3 - t over all sets of t equal values. */
  readonly ties: bigint;
}

export interface ReplayQuestion {
  readonly policy: Policy;
  readonly population: PopulationOptions;
  readonly by: readonly string[];
  /** Only runs of this group; `null`: all. */
  readonly within: GroupLabels | null;
  /** Whether runs that are cut are wanted one by one, and how far counters stood above caps; classes are always told. */
  readonly listed: boolean;
}

/** In the order in which the limits are asked. */
export interface StopCount {
  readonly reason: string;
  readonly first: number;
  readonly alone: number;
}

export interface ReplayAnswer {
  readonly classes: readonly OutcomeCount[];
  /** Runs of the population that the policy stops, in the order of the recording. */
  readonly falseStops: readonly CutRun[];
  /** How far counters stood above their cap at the stops it made: of all runs, then of each group. */
  readonly overshoots: readonly Overshoot[];
}

/** Runs to which the policy did the same. */
export interface OutcomeCount {
  readonly labels: GroupLabels;
  readonly status: Status;
  readonly check: Check;
  readonly claim: Claim | null;
  readonly reason: string | null;
  readonly isZeroPass: boolean;
  /** `null`: the recorded ending stands. */
  readonly stop: { readonly reason: string; readonly afterPasses: number } | null;
  /** Whether limits that are known only in total may have stopped it. */
  readonly isPerhaps: boolean;
  readonly isCensored: boolean;
  readonly isApproximate: boolean;
  readonly notJudged: readonly string[];
  readonly isUnjudged: boolean;
  /** Two passes or more, or nobody knows how many. */
  readonly isAsked: boolean;
  /** Whether passes were recorded one by one. */
  readonly hasPasses: boolean;
  readonly lacksArguments: boolean;
  /** Whether what it used, and would have used, are known. */
  readonly knows: { readonly [metric in Metric]: boolean };
  readonly runs: number;
  readonly first: number;
  /** Sums over the runs that know the metric. */
  readonly recorded: { readonly [metric in Metric]: bigint };
  readonly replayed: { readonly [metric in Metric]: bigint };
  readonly replayedAtLeast: { readonly [metric in Metric]: bigint };
  /** The largest counter at an ending, also of runs whose record does not give the whole; `null`: of none is it known. */
  readonly maxBill: { readonly [metric in Metric]: number | null };
  readonly longestStreak: number | null;
}

export interface CutRun {
  readonly labels: GroupLabels;
  readonly id: string;
  readonly reason: string;
  readonly afterPasses: number;
  readonly first: number;
}

export interface Overshoot {
  /** `null`: of all runs. */
  readonly labels: GroupLabels | null;
  readonly metric: Exclude<Metric, 'passes'>;
  readonly stops: number;
  readonly max: number;
  /** The two middle values, the same twice for an odd number. */
  readonly middle: readonly [number, number];
}

export interface ToolCount {
  readonly tool: string;
  readonly runs: number;
}

/** Caps of a grid in atoms, ascending and finite, by limit. */
export interface CellQuestion {
  readonly axes: readonly CellAxis[];
  readonly population: PopulationOptions;
}

export interface CellAxis {
  readonly limit: LimitName;
  readonly caps: readonly number[];
}

/** What happens in one cell of the grid: where so many caps of each axis are reached. */
export interface CellCount {
  /** One for each axis. */
  readonly reached: readonly number[];
  /** What the passes before which so many are reached used, in runs that know the metric. */
  readonly made: { readonly [metric in Metric]: bigint };
  /** Runs before whose last pass so many are reached, and those of the population among them. */
  readonly finished: number;
  readonly goodFinished: number;
  /** Runs recorded as stopped at whose end so many are reached, and those outside the population among them. */
  readonly censored: number;
  readonly censoredOpen: number;
}

export interface CellAnswer {
  readonly cells: readonly CellCount[];
  readonly runs: number;
  readonly verified: number;
  /** Exact sums over the runs that know the metric; telling are those among them that made a model call, of passes all. */
  readonly recorded: {
    readonly [metric in Metric]: { readonly sum: bigint; readonly knownRuns: number; readonly tellingRuns: number };
  };
  /** Runs that cannot be counted by cells, and why: passes are missing, or what an axis counts, or totals say more. */
  readonly inexact: number;
  readonly lacking: { readonly [what in LimitName | 'totals']?: number };
}
