import { figuresOf, isTable, PassingFigures, passingFigures, type RunFigures } from './figures.js';
import type { Run } from './run.js';
import type { Columns, RunTable } from './table.js';
import { totalsOf } from './totals.js';

/** Runs that say the same of themselves and made as many passes. */
export interface Alike {
  /** One of them, good until the next ones are asked for. */
  readonly run: RunFigures;
  readonly runs: number;
}

/** With more settings than this, runs have little in common. */
const MOST_SETTINGS = 4096;
/** Runs of as many passes or more are told one by one. */
const MOST_PASSES = 1024;

/**
 * All runs, those of a table that are alike together: looking at 60 kinds of a hundred thousand runs takes a tenth of the
 * time of looking at each.
 *
 * @param isTold whether a run is told by itself all the same, because of what it says
 */
export function* alikeIn(
  runs: Iterable<Run>,
  isTold: (run: Pick<RunFigures, 'recordedUnder'>) => boolean = () => false,
): Generator<Alike> {
  if (!isTable(runs) || runs.columns().rows.settings > MOST_SETTINGS) {
    for (const run of passingFigures(runs)) yield { run, runs: 1 };
    return;
  }
  const columns = runs.columns();
  const passing = new PassingFigures(columns, totalsOf(columns));
  for (const [run, count] of countedIn(runs, columns, isTold)) {
    yield { run: columns.isWhole(run) ? passing.at(run) : figuresOf(runs.at(run)), runs: count };
  }
}

/** The first run of each kind and how many there are of it, in the order of the first ones. */
function countedIn(
  table: RunTable,
  columns: Columns,
  isTold: (run: Pick<RunFigures, 'recordedUnder'>) => boolean,
): readonly (readonly [run: number, count: number])[] {
  const firsts: number[] = [];
  const counts: number[] = [];
  /** By setting and number of passes, the index of a kind plus 1; `null`: runs of that setting are told one by one. */
  const kinds: (Uint32Array | null | undefined)[] = [];
  for (let run = 0; run < columns.runs; run++) {
    const setting = columns.rows.setting(run);
    let ofSetting = kinds[setting];
    if (ofSetting === undefined) {
      ofSetting = isTold(table.facts(run)) ? null : new Uint32Array(MOST_PASSES);
      kinds[setting] = ofSetting;
    }
    const passes = columns.passesOf(run);
    const isAlone = ofSetting === null || passes >= MOST_PASSES || !columns.isWhole(run);
    const kind = isAlone ? 0 : ((ofSetting as Uint32Array)[passes] as number);
    if (kind > 0) {
      (counts[kind - 1] as number)++;
      continue;
    }
    const index = firsts.push(run);
    counts.push(1);
    if (!isAlone) (ofSetting as Uint32Array)[passes] = index;
  }
  return firsts.map((run, index) => [run, counts[index] as number]);
}
