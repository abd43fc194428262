import type { Sealed } from '../model/chunk.js';
import { exactSum } from '../model/exact-sum.js';
import type { Metric } from '../model/limits.js';
import { IS_LOOSE, type LooseRun } from './sweep-runs.js';

/** Recorded spend in atoms over the runs that know it. */
export interface RecordedSpend {
  /** Of the runs that are not loose. */
  readonly exact: bigint;
  readonly all: bigint;
  readonly knownRuns: number;
  /** Known runs that made a model call. */
  readonly tellingRuns: number;
}

/** @param whole what each run used in all; passes have none, since they are counted by their place */
export function recordedIn(
  metric: Metric,
  whole: Sealed | null,
  first: Uint32Array,
  marks: Uint8Array,
  loose: readonly LooseRun[],
): RecordedSpend {
  const exact = exactSum();
  let knownRuns = 0;
  let tellingRuns = 0;
  for (let run = 0; run < marks.length; run++) {
    if (((marks[run] as number) & IS_LOOSE) !== 0) continue;
    const passes = (first[run + 1] as number) - (first[run] as number);
    const used = metric === 'passes' || passes === 0 ? passes : (whole?.values[run] ?? null);
    if (used === null || used === whole?.unknown) continue;
    knownRuns++;
    if (metric === 'passes' || passes > 0) tellingRuns++;
    exact.add(used);
  }
  const others = exactSum();
  for (const { whole: figures, made } of loose) {
    const used = figures[metric];
    if (used === null) continue;
    knownRuns++;
    if (metric === 'passes' || made !== 0) tellingRuns++;
    others.add(used);
  }
  return { exact: exact.total(), all: exact.total() + others.total(), knownRuns, tellingRuns };
}
