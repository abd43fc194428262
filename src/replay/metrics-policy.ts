import type { PopulationOptions } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { falseStopRate } from './check-false-stops.js';
import { isBlind, judgedRuns } from './check-judged.js';
import type { MetricFamily, MetricSample } from './metrics-result.js';
import { simulate } from './simulate.js';

/** What a policy would have done to the runs. What could not be judged has no sample; how much that is has one. */
export function policyFamilies(
  runs: Iterable<Run>,
  policy: Policy,
  options: PopulationOptions & { readonly text: (value: string) => string },
): MetricFamily[] {
  const { claimed, finishedOnly, text } = options;
  const replay = simulate(runs, policy, { claimed, finishedOnly });
  const open = judgedRuns(runs, policy, options);
  const { count, judged, rate, upper95 } = falseStopRate(replay, open);
  const reasons = Object.entries(replay.by_reason).filter(([reason]) => !isBlind(open, reason));
  const isKnown = judged > 0 || replay.verified === 0;
  return [
    family(
      'capfit_policy_stopped_runs',
      'Runs that the policy would have stopped, by reason.',
      'runs',
      reasons.map(([reason, stops]) => ({ labels: [['reason', text(reason)]], value: stops.count })),
    ),
    family(
      'capfit_policy_false_stop_runs',
      'Successes that the policy would have stopped.',
      'runs',
      sample(isKnown ? count : null),
    ),
    family(
      'capfit_policy_false_stop_ratio',
      'Their share of the successes that something of the policy could judge.',
      'ratio',
      sample(rate),
    ),
    family(
      'capfit_policy_false_stop_upper_ratio',
      'The one-sided exact 95 % upper limit of that share.',
      'ratio',
      sample(upper95),
    ),
    family(
      'capfit_policy_not_judged_runs',
      'Runs that a limit or rule could not judge, since they do not record what it counts.',
      'runs',
      [...open.by].map(([reason, lacking]) => ({ labels: [['reason', text(reason)]], value: lacking.runs })),
    ),
    family(
      'capfit_policy_not_judged_success_runs',
      'Successes that were not stopped and that something of the policy could not judge.',
      'runs',
      sample(open.successes.part),
    ),
  ].filter(({ samples }) => samples.length > 0);
}

function family(name: string, help: string, unit: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, help, unit, samples };
}

function sample(value: number | null): MetricSample[] {
  return value === null ? [] : [{ labels: [], value }];
}
