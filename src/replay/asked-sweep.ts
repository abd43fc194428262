import { type PopulationOptions, VERIFIED } from '../calibrate/population.js';
import type { CellAnswer, Questions } from '../calibrate/questions.js';
import { METRICS, perMetric } from '../model/limits.js';
import { EMPTY_POLICY } from '../policy/policy.js';
import { axesOf, capsAt, type GridCaps } from './sweep.js';
import { type Axis, type Cells, cellAt, openCells } from './sweep-cells.js';
import { tallyCells } from './sweep-grid.js';
import { type SweepResult, sweepResult } from './sweep-result.js';

/** A sweep that a database cannot count by cells, because records lack passes or what the caps count. */
export interface Uncountable {
  readonly inexact: number;
  readonly runs: number;
}

/**
 * What each combination of caps would have done to runs that lie in a database, nothing else stopping them: the figures
 * of `sweepGrid`.
 */
export async function sweepAsked(
  questions: Questions,
  caps: GridCaps,
  population: PopulationOptions = VERIFIED,
): Promise<SweepResult | Uncountable> {
  const axes = axesOf(caps);
  const asked = axes.map((axis) => ({ limit: axis.limit, caps: [...axis.caps].filter(Number.isFinite) }));
  const answer = await questions.cells({ axes: asked, population });
  if (answer.inexact > 0) return { inexact: answer.inexact, runs: answer.runs };
  const tallies = tallyCells(filled(answer, axes), axes, { runs: answer.runs, good: answer.verified });
  const { order, rules, stepsAt } = EMPTY_POLICY;
  return sweepResult(
    {
      population,
      runs: answer.runs,
      verified: answer.verified,
      recorded: perMetric((metric) => {
        const { sum, knownRuns, tellingRuns } = answer.recorded[metric];
        return { exact: sum, all: sum, knownRuns, tellingRuns };
      }),
      unseen: { isPossible: () => false, boundsUnder: () => null },
    },
    {
      length: tallies.stops.length,
      placeOf: (policy) => ({ tallies, index: policy }),
      settingsOf: (policy) => ({ caps: capsAt(axes, policy), order, rules, stepsAt, repeat: undefined }),
    },
  );
}

export function isUncountable(answer: SweepResult | Uncountable): answer is Uncountable {
  return 'inexact' in answer;
}

function filled(answer: CellAnswer, axes: readonly Axis[]): Cells {
  const cells = openCells(axes);
  for (const each of answer.cells) {
    const cell = cellAt(cells, each.reached);
    cells.finished[cell] = each.finished;
    cells.goodFinished[cell] = each.goodFinished;
    cells.censored[cell] = each.censored;
    cells.censoredOpen[cell] = each.censoredOpen;
    for (const metric of METRICS) cells.made[metric].addBig(cell, each.made[metric]);
  }
  return cells;
}
