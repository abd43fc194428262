import { figuresIn } from '../model/figures.js';
import type { Run } from '../model/run.js';

/** A label with more values than this names something of its own in every run; its values are not compared. */
export const MOST_LABEL_VALUES = 20;

/** Labels that say what a policy was measured on: when one of these takes a new value, the card may be stale. */
export const CARD_LABELS: readonly string[] = ['model', 'prompt', 'prompt_version'];

/** The values of some labels, each with its number of runs. */
export type LabelsSeen = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Counts the values of these labels; a label that no run carries is left out. */
export function labelsSeen(runs: Iterable<Run>, names: readonly string[]): LabelsSeen {
  const seen = new Map<string, Map<string, number>>();
  for (const { labels } of figuresIn(runs)) {
    for (const name of names) {
      const value = labels.get(name);
      if (value === undefined) continue;
      const values = seen.get(name) ?? new Map<string, number>();
      seen.set(name, values);
      values.set(value, (values.get(value) ?? 0) + 1);
    }
  }
  return seen;
}

/** Labels by which stops are split where nobody names one, the most telling first. */
const TELLING = ['kind', 'task_type', 'agent', 'model'];
const MOST_SPLITS = 12;

/** A label that few values of split the runs into: a usual one, else the first; `null`: there is none. */
export function splittingLabel(runs: Iterable<Run>): string | null {
  const values = new Map<string, Set<string>>();
  for (const { labels } of figuresIn(runs)) {
    for (const [name, value] of labels) {
      const seen = values.get(name) ?? new Set<string>();
      values.set(name, seen);
      if (seen.size <= MOST_SPLITS) seen.add(value);
    }
  }
  const few = [...values].filter(([, seen]) => seen.size > 1 && seen.size <= MOST_SPLITS).map(([name]) => name);
  return TELLING.find((name) => few.includes(name)) ?? few[0] ?? null;
}
