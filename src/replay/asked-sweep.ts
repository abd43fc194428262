import { type PopulationOptions, VERIFIED } from '../calibrate/population.js';
import type { CellAnswer, Questions } from '../calibrate/questions.js';
import { LIMITS, METRICS, perMetric } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { axesOf, capsAt, type GridCaps } from './sweep.js';
import { type Axis, type Cells, cellAt, openCells } from './sweep-cells.js';
import { tallyCells } from './sweep-grid.js';
import { type SweepResult, sweepResult } from './sweep-result.js';

/** A sweep that a database cannot count by cells, because records lack passes or what the caps count. */
export type Uncountable = Pick<CellAnswer, 'inexact' | 'runs' | 'lacking'>;

/**
 * What each combination of caps would have done to runs that lie in a database: the figures of `sweepGrid`.
 *
 * @param base a policy without rules, whose other caps and order are kept; its steps are judged at boundaries
 */
export async function sweepAsked(
  questions: Questions,
  base: Policy,
  caps: GridCaps,
  population: PopulationOptions = VERIFIED,
): Promise<SweepResult | Uncountable> {
  const kept = LIMITS.flatMap((limit) =>
    base.caps[limit] === undefined ? [] : [[limit, [base.caps[limit]]] as const],
  );
  // Without any cap there is one cell, and everything is in it.
  const capped = { ...Object.fromEntries(kept), ...caps };
  const axes = axesOf(Object.keys(capped).length === 0 ? { passes: [null] } : capped);
  const asked = axes.map((axis) => ({ limit: axis.limit, caps: [...axis.caps].filter(Number.isFinite) }));
  const answer = await questions.cells({ axes: asked, population });
  const { inexact, runs, lacking } = answer;
  if (inexact > 0) return { inexact, runs, lacking };
  const tallies = tallyCells(filled(answer, axes), axes, { runs: answer.runs, good: answer.verified });
  const { order, rules, stepsAt } = base;
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
