import type { Run } from '../model/run.js';

/** A group's own label values, by name; `null` where its runs have no such label. */
export type GroupLabels = Readonly<Record<string, string | null>>;

/** Something kept for each combination of the values of some labels. */
export interface Groups<Kept> {
  /** What is kept for the run's own combination, opened at its first run; `null` when no label is asked for. */
  of(run: Pick<Run, 'labels'>): Kept | null;
  /** One result a group, in the order the groups were first met. */
  map<Made>(make: (labels: GroupLabels, kept: Kept) => Made): Made[];
}

/**
 * Groups of runs by the values of `by`, nothing but the runs' labels deciding.
 *
 * @param open opens what is kept for a new group
 */
export function createGroups<Kept>(by: readonly string[], open: () => Kept): Groups<Kept> {
  const groups = new Map<string, { labels: GroupLabels; kept: Kept }>();
  return {
    of(run) {
      if (by.length === 0) return null;
      const entries = by.map((name): [string, string | null] => [name, run.labels.get(name) ?? null]);
      const key = JSON.stringify(entries);
      const known = groups.get(key);
      if (known !== undefined) return known.kept;
      const kept = open();
      groups.set(key, { labels: Object.fromEntries(entries), kept });
      return kept;
    },
    map: (make) => [...groups.values()].map(({ labels, kept }) => make(labels, kept)),
  };
}
