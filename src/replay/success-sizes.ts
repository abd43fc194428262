import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import type { Sealed } from '../model/chunk.js';
import { figuresAt, figuresOf, isTable, type RunFigures } from '../model/figures.js';
import { type Counters, METRICS, type Metric } from '../model/limits.js';
import { hasAllPasses, passAmount, passCount } from '../model/measure.js';
import type { Pass, Run } from '../model/run.js';
import type { Columns } from '../model/table.js';
import { type Extent, extentOf, type Totals, totalAfter, totalsOf } from '../model/totals.js';
import type { Caps } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { firstAtLeast } from './first-at-least.js';

/** One number a success for each metric, in atoms. */
export type Sizes = Readonly<Record<Metric, Float64Array>>;

/** Stands for a figure that is not known. */
export const UNKNOWN_SIZE = -1;

/**
 * The successes of a set of runs, as what caps are taken from and what caps are held against: a cap cuts a success if
 * and only if the counter has reached it at a boundary before the end, and running totals never fall.
 */
export interface SuccessSizes {
  readonly count: number;
  /** Used in all; `UNKNOWN_SIZE` where that is not known. */
  readonly whole: Sizes;
  /** The most that the counter stood at where a cap is asked; 0 where none is, or where nothing is known of it. */
  readonly asked: Sizes;
  /** The same where whatever may have stood there did: above `asked` where the record has the run's totals only. */
  readonly perhaps: Sizes;
  /** 1 where a cap is asked and could not judge, since neither passes nor totals tell what it counts. */
  readonly lacking: Sizes;
  /** Values of the labels asked for, by name; `null` where a success lacks it. */
  readonly labels: ReadonlyMap<string, readonly (string | null)[]>;
}

/** Reads the successes once. @param labels names of the labels to keep */
export function successSizes(
  runs: Iterable<Run>,
  population: PopulationOptions,
  labels: readonly string[] = [],
): SuccessSizes {
  const book = openBook(labels);
  const add = (figures: RunFigures, asked: Asked): void => {
    if (endsInPopulation(figures, population)) book.add(figures, asked);
  };
  const addRun = (run: Run): void => {
    const figures = figuresOf(run);
    add(figures, askedOfRun(run, figures.whole));
  };
  if (!isTable(runs)) {
    for (const run of runs) addRun(run);
    return book.close();
  }
  const columns = runs.columns();
  const totals = totalsOf(columns);
  for (let index = 0; index < columns.runs; index++) {
    if (columns.isWhole(index)) add(figuresAt(columns, totals, index), askedOfColumns(columns, totals, index));
    else addRun(runs.at(index));
  }
  return book.close();
}

/** Whether a success is cut by any of these caps. */
export function isCut(sizes: Sizes, success: number, caps: Caps): boolean {
  for (const metric of METRICS) {
    const cap = caps[metric];
    if (cap !== undefined && isReached(sizes[metric][success] as number, cap)) return true;
  }
  return false;
}

/** Whether a success is cut by any of these caps, or may be: its totals reach one, or it lacks what one counts. */
export function mayBeCut({ perhaps, lacking }: SuccessSizes, success: number, caps: Caps): boolean {
  if (isCut(perhaps, success, caps)) return true;
  return METRICS.some((metric) => caps[metric] !== undefined && lacking[metric][success] === 1);
}

/** How many successes these caps cut. */
export function countCut(sizes: Sizes, count: number, caps: Caps): number {
  let cut = 0;
  for (let success = 0; success < count; success++) if (isCut(sizes, success, caps)) cut++;
  return cut;
}

/** What is asked of a run for each metric: certainly, and perhaps; or that it is not known. */
type Asked = (metric: Metric) => readonly [asked: number, perhaps: number, isLacking: boolean];

function askedOfColumns(columns: Columns, totals: Totals, run: number): Asked {
  const extent = extentOf(columns, run);
  return (metric) => {
    if (metric === 'passes') {
      const asked = Math.max(0, extent.passes - 1);
      return [asked, asked, false];
    }
    const asked = askedIn(totals[metric], extent);
    const isLacking = extent.passes > 1 && totalAfter(totals[metric], extent.first, extent.passes - 1) === null;
    return [asked, asked, isLacking];
  };
}

/** The last total before the last pass that is known. */
function askedIn(column: Sealed | null, { first, passes }: Extent): number {
  if (column === null || passes < 2) return 0;
  const { values, unknown } = column;
  const last = first + passes - 2;
  if (values[last] !== unknown) return values[last] as number;
  const from = firstAtLeast(values, first, last, unknown);
  return from === first ? 0 : (values[from - 1] as number);
}

/** As the walk of `replayRun` asks it: passes are counted by what was made, totals known only in all are a perhaps. */
function askedOfRun(run: Run, whole: Counters): Asked {
  const made = passCount(run);
  const mayBeCut = made === null || made > 1;
  return (metric) => {
    const kept = Math.max(0, (run.passes?.length ?? 0) - 1);
    if (metric === 'passes') {
      const asked = hasAllPasses(run) || made === null ? kept : made - 1;
      return [asked, asked, made === null];
    }
    const { sum, isKnown } = sumOf((run.passes ?? []).slice(0, kept), metric);
    const total = whole[metric];
    const isOpen = mayBeCut && !(hasAllPasses(run) && isKnown);
    return [sum, isOpen && total !== null ? Math.max(sum, total) : sum, isOpen && total === null];
  };
}

/** The sum of passes up to the first that does not tell. */
function sumOf(passes: readonly Pass[], metric: Metric): { readonly sum: number; readonly isKnown: boolean } {
  let sum = 0;
  for (const pass of passes) {
    const amount = passAmount(pass, metric);
    if (amount === null) return { sum, isKnown: false };
    sum += amount;
  }
  return { sum, isKnown: true };
}

function openBook(labels: readonly string[]): {
  add(figures: RunFigures, asked: Asked): void;
  close(): SuccessSizes;
} {
  const lists = (): Record<Metric, number[]> => ({ passes: [], tokens: [], seconds: [], usd: [] });
  const [whole, asked, perhaps, lacking] = [lists(), lists(), lists(), lists()];
  const values = new Map(labels.map((label): [string, (string | null)[]] => [label, []]));
  let count = 0;
  return {
    add(figures, askedOf) {
      count++;
      for (const metric of METRICS) {
        const [certain, most, isLacking] = askedOf(metric);
        whole[metric].push(figures.whole[metric] ?? UNKNOWN_SIZE);
        asked[metric].push(certain);
        perhaps[metric].push(most);
        lacking[metric].push(isLacking ? 1 : 0);
      }
      for (const [label, list] of values) list.push(figures.labels.get(label) ?? null);
    },
    close: () => ({
      count,
      whole: packed(whole),
      asked: packed(asked),
      perhaps: packed(perhaps),
      lacking: packed(lacking),
      labels: values,
    }),
  };
}

function packed(lists: Readonly<Record<Metric, readonly number[]>>): Sizes {
  return {
    passes: Float64Array.from(lists.passes),
    tokens: Float64Array.from(lists.tokens),
    seconds: Float64Array.from(lists.seconds),
    usd: Float64Array.from(lists.usd),
  };
}
