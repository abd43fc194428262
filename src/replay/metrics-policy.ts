import type { PopulationOptions } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { upperRate } from './check-shares.js';
import type { MetricFamily, MetricSample } from './metrics-result.js';
import { simulate } from './simulate.js';

/** What a policy would have done to the runs. A rate that is not known has no sample. */
export function policyFamilies(
  runs: Iterable<Run>,
  policy: Policy,
  options: PopulationOptions & { readonly text: (value: string) => string },
): MetricFamily[] {
  const { false_stops, verified, by_reason } = simulate(runs, policy, {
    claimed: options.claimed,
    finishedOnly: options.finishedOnly,
  });
  const reasons = Object.entries(by_reason).map(
    ([reason, { count }]): MetricSample => ({ labels: [['reason', options.text(reason)]], value: count }),
  );
  return [
    family('capfit_policy_stopped_runs', 'Runs that the policy would have stopped, by reason.', 'runs', reasons),
    family('capfit_policy_false_stop_runs', 'Successes that the policy would have stopped.', 'runs', [
      { labels: [], value: false_stops.count },
    ]),
    family(
      'capfit_policy_false_stop_ratio',
      'The share of successes that it would have stopped.',
      'ratio',
      sample(false_stops.rate),
    ),
    family(
      'capfit_policy_false_stop_upper_ratio',
      'The one-sided exact 95 % upper limit of that share.',
      'ratio',
      sample(upperRate(false_stops.count, verified)),
    ),
  ].filter(({ samples }) => samples.length > 0);
}

function family(name: string, help: string, unit: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, help, unit, samples };
}

function sample(value: number | null): MetricSample[] {
  return value === null ? [] : [{ labels: [], value }];
}
