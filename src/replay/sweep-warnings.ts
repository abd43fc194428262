import { type LimitName, METRICS } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';
import type { Frontier } from './frontier.js';
import type { SweepResult } from './sweep-result.js';

/** What a reader of a sweep's figures must know about them. @param limits those whose caps are tried or kept */
export function sweepWarnings(result: SweepResult, frontier: Frontier, limits: readonly LimitName[]): Warning[] {
  const { runs, verified } = result;
  const points = frontier.points.map(({ policy }) => result.at(policy));
  const censored = Math.max(0, ...points.map((point) => point.censored));
  return [
    ...(verified === 0 ? [NO_VERIFIED] : []),
    IN_SAMPLE,
    ...METRICS.flatMap((metric): Warning[] => {
      const unknown = runs - (result.recorded[metric]?.known_runs ?? 0);
      return unknown === 0
        ? []
        : [
            ...(limits.includes(metric) ? [notJudged(metric, unknown, runs)] : []),
            ...(frontier.metric === metric ? [partlyKnown(metric, runs - unknown, runs)] : []),
          ];
    }),
    ...(censored === 0 ? [] : [censoredUpTo(censored)]),
    ...(points.some(({ approximate }) => approximate) ? [APPROXIMATE] : []),
  ];
}

const NO_VERIFIED: Warning = {
  code: 'no_verified',
  message: 'no run is a verified success, so no false-stop rate can be given, and none can be lost',
  hint: 'record a check that passed or failed with each run',
};

const IN_SAMPLE: Warning = {
  code: 'in_sample',
  message: 'these caps are chosen on the runs that they are judged by: on other runs they cut a little more',
  hint: 'a replay takes the recorded behaviour as given; it estimates, it does not promise',
};

function notJudged(metric: string, unknown: number, runs: number): Warning {
  return {
    code: 'not_judged',
    message: `${metric} are not all known in ${unknown} of ${plural(runs, 'run')}: there such a cap stops nothing that is counted`,
    hint: 'an unknown figure never fires a limit; the stops given are those that are certain',
  };
}

function partlyKnown(metric: string, known: number, runs: number): Warning {
  return {
    code: 'partly_known',
    message: `what is spent is the ${metric} of the ${known} of ${plural(runs, 'run')} that tell them`,
    hint: `record ${metric} for every pass: prices of good runs and what costs least hold for those runs only`,
  };
}

function censoredUpTo(censored: number): Warning {
  return {
    code: 'censored',
    message: `up to ${plural(censored, 'run')} stopped while recording would go on: what would become of them is unknown`,
    hint: 'a replay can shorten a run, never lengthen it: record under a more generous cap to learn more',
  };
}

const APPROXIMATE: Warning = {
  code: 'approximate',
  message: 'some runs lack passes or parts of them: their figures are bounds, and only stops that are certain count',
  hint: 'the JSON and the CSV have the bounds of each policy; record every pass to be exact',
};
