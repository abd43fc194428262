import type { PopulationOptions } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { type Calibration, capsThatNeverStop } from './calibrate.js';
import { diagnosePolicy } from './diagnosis-policy.js';
import { repeatsInSuccesses } from './evidence.js';
import type { ReplayReport } from './result.js';
import { simulateAll } from './simulate.js';

/** Doubts about derived caps, which say nothing of others. */
const OF_DERIVED_CAPS = new Set(['joint_false_stops', 'in_sample_optimism', 'in_sample_interval']);

/**
 * What was calibrated, with a policy of its own in the place of the derived one: percentiles and what the recording hid
 * stand, everything that was said of the derived caps is said of these or not at all.
 *
 * @param runs the same runs
 */
export function heldInstead(
  calibration: Calibration,
  runs: Iterable<Run>,
  policy: Policy,
  population: PopulationOptions,
): Calibration {
  const { report } = calibration;
  const [caps, whole] = simulateAll(runs, [{ ...policy, rules: [] }, policy], population) as [
    ReplayReport,
    ReplayReport,
  ];
  const rule = policy.rules.find((each) => each.rule === 'repeat') ?? null;
  const repeatedInSuccesses = rule === null ? new Map() : repeatsInSuccesses(runs, population, rule);
  const beatenCaps = capsThatNeverStop(runs, policy, caps);
  const ofPolicy = diagnosePolicy({ policy, replay: whole, beatenCaps, repeatedInSuccesses });
  const ofOther = new Set(calibration.ofPolicy);
  const ofRuns = report.diagnosis.filter((warning) => !ofOther.has(warning) && !OF_DERIVED_CAPS.has(warning.code));
  return {
    ...calibration,
    policy,
    caps,
    whole,
    ofPolicy,
    report: {
      ...report,
      policy: policyRecord(policy),
      ladder: [
        ...report.ladder.filter(({ step }) => step === 'recorded'),
        { step: 'caps', replay: caps },
        { step: 'caps and rules', replay: whole },
      ],
      cross_validated: {
        ...report.cross_validated,
        ...{ rate: null, count: null, ci95: null, counts: [], rates: null, rate_at_most: null },
        ...{ trained_on: null, optimism: null, in_sample: null },
        not_judged: 'the caps of this policy were not derived from these runs',
      },
      diagnosis: [...ofRuns, ...ofPolicy],
    },
  };
}
