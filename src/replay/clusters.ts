/** Labels that name the task of a run, in the order they are looked for. */
export const TASK_LABELS: readonly string[] = ['task_id', 'task'];

/** A label with fewer values names kinds of tasks, or too few tasks to tell one set of them from another. */
const FEWEST_TASKS = 10;

/** Which runs belong together: what one of them does, another of the same task is likely to do. */
export interface Clusters {
  /** The label that says so; `null`: each run stands for itself. */
  readonly label: string | null;
  readonly count: number;
  /** The cluster of each run, numbered from 0; a run without the label is a cluster of its own. */
  readonly of: Uint32Array;
}

/**
 * Clusters of runs by their task: the label asked for, else the first label of a task that has enough values and brings
 * any two runs together.
 *
 * @param values values of the labels that are known, by name
 */
export function clustersOf(
  values: ReadonlyMap<string, readonly (string | null)[]>,
  asked: string | null,
  runs: number,
): Clusters {
  for (const label of asked === null ? TASK_LABELS : [asked]) {
    const known = values.get(label) ?? [];
    const clusters = byValue(label, known);
    const distinct = new Set(known.filter((value) => value !== null)).size;
    if (asked !== null || (distinct >= FEWEST_TASKS && clusters.count < runs)) return clusters;
  }
  return { label: null, count: runs, of: Uint32Array.from({ length: runs }, (_, run) => run) };
}

function byValue(label: string, values: readonly (string | null)[]): Clusters {
  const numbers = new Map<string, number>();
  let count = 0;
  const of = Uint32Array.from(values, (value) => {
    const known = value === null ? undefined : numbers.get(value);
    if (known !== undefined) return known;
    if (value !== null) numbers.set(value, count);
    return count++;
  });
  return { label, count, of };
}
