import { figuresIn } from '../model/figures.js';
import type { Run } from '../model/run.js';
import { createRunTable, type RunTable } from '../model/table.js';

/** One set of runs in two, by when they started. */
export interface Halves {
  readonly old: RunTable;
  /** From the moment on. */
  readonly fresh: RunTable;
  /** Runs without a known start, in neither. */
  readonly undated: number;
}

/** Runs that started before a moment, and from it on. */
export function splitAt(runs: Iterable<Run>, millis: number): Halves {
  const [old, fresh] = [createRunTable(), createRunTable()];
  let undated = 0;
  for (const run of runs) {
    const started = startOf(run);
    if (started === null) undated++;
    else (started < millis ? old : fresh).add(run);
  }
  return { old, fresh, undated };
}

/**
 * The start of the first run of the newer half. Runs that started together stay together, in the newer half where there
 * is any older run. `null` where no moment parts them: fewer than two starts are known, or all are one.
 */
export function halfwayOf(runs: Iterable<Run>): number | null {
  const starts = startsOf(runs);
  const middle = starts[Math.ceil(starts.length / 2)] ?? Number.NaN;
  const from = middle > (starts[0] as number) ? middle : starts.find((each) => each > middle);
  return from ?? null;
}

/** All known starts, ascending. */
export function startsOf(runs: Iterable<Run>): Float64Array {
  const starts: number[] = [];
  for (const run of figuresIn(runs)) {
    const started = startOf(run);
    if (started !== null) starts.push(started);
  }
  return Float64Array.from(starts).sort();
}

function startOf({ startedAt }: Pick<Run, 'startedAt'>): number | null {
  const millis = startedAt === null ? Number.NaN : Date.parse(startedAt);
  return Number.isNaN(millis) ? null : millis;
}
