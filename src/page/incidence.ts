import type { PopulationOptions } from '../calibrate/population.js';
import { leavingOf } from '../replay/hidden-incidence.js';
import { aalenJohansen, type Exits } from '../stats/aalen-johansen.js';
import type { HeldRun } from './replayer.js';

/** A point of one of two curves: the share of all runs that have ended so by a number of passes. */
export interface IncidencePoint {
  readonly passes: number;
  readonly share: number;
  readonly kind: 'success' | 'failure';
}

/** The incidence of success and of failure by passes, each with the other competing. */
export function incidenceOf(runs: readonly HeldRun[], population: PopulationOptions): IncidencePoint[] {
  const byPasses = new Map<number, Exits>();
  for (const { counted } of runs) {
    const leaving = leavingOf(counted, population);
    const { passes } = counted.whole;
    if (passes === null || leaving === null) continue;
    const counts = byPasses.get(passes) ?? { time: passes, successes: 0, failures: 0, censored: 0 };
    byPasses.set(passes, { ...counts, [leaving]: counts[leaving] + 1 });
  }
  const exits = [...byPasses.values()].sort((a, b) => a.time - b.time);
  const others = exits.map((each) => ({ ...each, successes: each.failures, failures: each.successes }));
  return [...curveOf(exits, 'success'), ...curveOf(others, 'failure')];
}

function curveOf(exits: readonly Exits[], kind: IncidencePoint['kind']): IncidencePoint[] {
  const steps = aalenJohansen(exits);
  return [
    { passes: 0, share: 0, kind },
    ...steps.map(({ time, incidence }) => ({ passes: time, share: incidence, kind })),
  ];
}
