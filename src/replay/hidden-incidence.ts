import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import { type Ending, isVerifiedEnding } from '../model/measure.js';
import { aalenJohansen, type Exits, type IncidenceStep, incidenceAt } from '../stats/aalen-johansen.js';
import type { HiddenIncidence, IncidencePoint } from './hidden-result.js';

/** What became of a run as far as it was recorded; `null`: left out, it is no success of this population and no failure. */
export type Leaving = 'successes' | 'failures' | 'censored';

/** One decision for all that speaks of runs whose future the recording hid. */
export function leavingOf(run: Ending, population: PopulationOptions): Leaving | null {
  if (run.isZeroPass) return null;
  if (endsInPopulation(run, population)) return 'successes';
  if (isVerifiedEnding(run)) return null;
  return run.status === 'stopped_budget' || run.status === 'running' ? 'censored' : 'failures';
}

/** Counts runs by the pass at which they left. */
export interface PassCounts {
  /** @param passes `null`: not known */
  add(passes: number | null, leaving: Leaving | null, runs: number): void;
  incidence(marks: IncidenceMarks): HiddenIncidence;
}

/** Numbers of passes at which the incidence is told. */
export interface IncidenceMarks {
  readonly provisional: number | null;
  readonly cap: number | null;
}

export function createPassCounts(): PassCounts {
  const byPasses = new Map<number, { time: number } & Record<Leaving, number>>();
  const totals = { successes: 0, failures: 0, censored: 0 };
  let leftOut = 0;
  return {
    add(passes, leaving, runs) {
      if (passes === null || leaving === null) {
        leftOut += runs;
        return;
      }
      totals[leaving] += runs;
      const counts = byPasses.get(passes) ?? { time: passes, successes: 0, failures: 0, censored: 0 };
      byPasses.set(passes, counts);
      counts[leaving] += runs;
    },
    incidence(marks) {
      const exits: Exits[] = [...byPasses.values()].sort((a, b) => a.time - b.time);
      const steps = aalenJohansen(exits);
      return {
        ...totals,
        left_out: leftOut,
        points: placesOf(steps.at(-1)?.time ?? null, marks).map(([passes, where]) => pointAt(steps, passes, where)),
        last_success: lastSuccess(steps),
      };
    },
  };
}

/** Numbers of passes to show, ascending, each with every reason to show it. */
function placesOf(last: number | null, { provisional, cap }: IncidenceMarks): [number, string[]][] {
  if (last === null) return [];
  const whole = Math.floor(provisional ?? last);
  const name = provisional === null ? 'longest run' : 'provisional cap';
  const wanted: [number, string][] = [
    ...[25, 50, 75].map((share): [number, string] => [Math.ceil((share * whole) / 100), `${share} % of ${name}`]),
    ...(cap === null ? [] : [[cap, 'derived cap'] as [number, string]]),
    ...(provisional === null ? [] : [[whole, name] as [number, string]]),
    [last, 'longest run'],
  ];
  const places = new Map<number, string[]>();
  for (const [passes, where] of wanted) places.set(passes, [...(places.get(passes) ?? []), where]);
  return [...places].sort(([a], [b]) => a - b);
}

function pointAt(steps: readonly IncidenceStep[], passes: number, where: readonly string[]): IncidencePoint {
  const at = incidenceAt(steps, passes);
  const base = { passes, where };
  if (at === null) {
    const reason = 'no run was recorded so far, and some were still open when they were last seen';
    return { ...base, at_risk: 0, incidence: null, ci95: null, not_identified: reason };
  }
  const { incidence, ci95, atRisk } = at;
  return { ...base, at_risk: atRisk, incidence, ci95, not_identified: ci95 === null ? whyNoInterval(incidence) : null };
}

function whyNoInterval(incidence: number): string {
  if (incidence === 0) return 'no interval: none has succeeded by then';
  return incidence >= 1 ? 'no interval: all have succeeded by then' : 'no interval: too few runs for one';
}

function lastSuccess(steps: readonly IncidenceStep[]): HiddenIncidence['last_success'] {
  const last = steps.findLast(({ successes }) => successes > 0);
  if (last === undefined) return null;
  return { passes: last.time, went_on: last.atRisk - last.successes - last.failures - last.censored };
}
