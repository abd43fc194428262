import type { Run } from '../model/run.js';
import { shownValue } from '../model/words.js';
import { median } from '../stats/summary.js';

/** A label with more values than this names runs, not kinds of runs. */
const MOST_VALUES = 200;

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
  /** @param passes how many the success took */
  see(run: Pick<Run, 'labels'>, passes: number): void;
  /** By label. */
  splits(): ReadonlyMap<string, Split>;
}

export function createMixedTasks(): MixedTasks {
  const labels = new Map<string, Map<string, number[]>>();
  const leftOut = new Set<string>(RESULTS);
  return {
    see(run, passes) {
      for (const [label, value] of run.labels) {
        if (leftOut.has(label)) continue;
        const values = labels.get(label) ?? new Map<string, number[]>();
        labels.set(label, values);
        const group = values.get(value) ?? [];
        values.set(value, group);
        group.push(passes);
        if (values.size <= MOST_VALUES) continue;
        leftOut.add(label);
        labels.delete(label);
      }
    },
    splits() {
      const split = [...labels].map(([label, values]) => [label, splitBySize(values)] as const);
      return new Map(split.filter((entry): entry is readonly [string, Split] => entry[1] !== null));
    },
  };
}

function splitBySize(values: ReadonlyMap<string, readonly number[]>): Split | null {
  const groups = [...values]
    .filter(([, passes]) => passes.length >= SMALLEST_GROUP)
    .map(([value, passes]): SizedGroup => ({ value, runs: passes.length, middle: median(passes) ?? 0 }))
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
