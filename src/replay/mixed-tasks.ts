import type { Run } from '../model/run.js';
import { shownValue } from '../model/words.js';
import { ascendingOf, middleOf } from '../stats/ascending.js';

/** A label with more values than this names runs, not kinds of runs. */
export const MOST_LABEL_SIZES = 200;

/** Labels in which readers keep what a run came to, not what it was asked for: they split nothing beforehand. */
export const RESULTS: readonly string[] = [
  ...['num_turns', 'request', 'subagents', 'subagents_missing', 'subagents_unrecorded', 'attempts', 'scores'],
  ...['reward', 'raw_reason', 'finish_reason', 'conflict', 'unfinished_messages', 'permission_denials', 'damaged'],
];

/** Smallest group whose median is worth comparing. */
const SMALLEST_GROUP = 10;
/** How far apart two medians must be for a label to split runs of different size. */
const MEDIANS_APART = 2;

/** The runs of one value of a label, by the median of their passes. */
export interface SizedGroup {
  readonly value: string;
  readonly runs: number;
  readonly middle: number;
}

/** A label that splits the pool into runs of different size. */
export interface Split {
  readonly low: SizedGroup;
  readonly high: SizedGroup;
  /** Runs in all groups that were large enough to compare. */
  readonly runs: number;
}

/** Looks for labels that split successes into runs of different size: one decision for diagnosis and audit. */
export interface MixedTasks {
  /** @param passes how many the success took @param runs how many such successes there are, by default one */
  see(run: Pick<Run, 'labels'>, passes: number, runs?: number): void;
  /** So many successes with that value of a label, which took so many passes each. */
  add(label: string, value: string, passes: number, runs: number): void;
  /** By label. */
  splits(): ReadonlyMap<string, Split>;
}

export function createMixedTasks(): MixedTasks {
  const labels = new Map<string, Map<string, Map<number, number>>>();
  const leftOut = new Set<string>(RESULTS);
  const add: MixedTasks['add'] = (label, value, passes, runs) => {
    if (leftOut.has(label)) return;
    const values = labels.get(label) ?? new Map<string, Map<number, number>>();
    labels.set(label, values);
    const sizes = values.get(value) ?? new Map<number, number>();
    values.set(value, sizes);
    sizes.set(passes, (sizes.get(passes) ?? 0) + runs);
    if (values.size <= MOST_LABEL_SIZES) return;
    leftOut.add(label);
    labels.delete(label);
  };
  return {
    add,
    see(run, passes, runs = 1) {
      for (const [label, value] of run.labels) add(label, value, passes, runs);
    },
    splits() {
      const split = [...labels].map(([label, values]) => [label, splitBySize(values)] as const);
      return new Map(split.filter((entry): entry is readonly [string, Split] => entry[1] !== null));
    },
  };
}

function splitBySize(values: ReadonlyMap<string, ReadonlyMap<number, number>>): Split | null {
  const groups = [...values]
    .map(([value, counts]) => ({ value, sizes: ascendingOf(counts) }))
    .filter(({ sizes }) => sizes.length >= SMALLEST_GROUP)
    .map(({ value, sizes }): SizedGroup => ({ value, runs: sizes.length, middle: middleOf(sizes) ?? 0 }))
    .sort((a, b) => a.middle - b.middle);
  const [low, high] = [groups[0], groups.at(-1)];
  if (low === undefined || high === undefined || low === high) return null;
  if (high.middle < MEDIANS_APART * low.middle) return null;
  return { low, high, runs: groups.reduce((sum, { runs }) => sum + runs, 0) };
}

/** The split in a sentence. */
export function splitMessage(label: string, { low, high }: Split): string {
  return `the pool mixes runs of different size: by ${brief(label)}, the median success takes ${low.middle} passes (${brief(shownValue(low.value))}) to ${high.middle} (${brief(shownValue(high.value))})`;
}

const LONGEST_NAME = 60;

/** A name of the records, short enough for a sentence. */
export function brief(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}
