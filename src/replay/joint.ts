import { acceptedRate, capsOf, type DerivedCaps } from '../calibrate/derive.js';
import type { DeriveOptions } from '../calibrate/options.js';
import type { Sample } from '../calibrate/sample.js';
import { type Fraction, toNumber } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { weighedIn } from './frontier.js';
import { type Cheapest, cheapestCaps } from './joint-cheapest.js';
import { percentilesAbove } from './joint-percentiles.js';
import type { JointOptions, JointReport } from './joint-result.js';
import { type Bound, boundOf, type Candidate, capSetOf, capsAlone, mostStoppedBy } from './joint-sets.js';
import { jointNotes, jointVerdict } from './joint-words.js';
import { type PreparedRuns, prepareSweep, sweep } from './sweep.js';

/** Caps that are held to the accepted rate together, and how they were found. */
export interface JointCaps extends DerivedCaps {
  readonly report: JointReport;
}

/**
 * Three caps that each cut one success in a hundred can cut three together. This finds caps whose joint false-stop rate,
 * by the exact replay under the caps alone, is within the accepted one: those at the lowest percentile that does it,
 * shared by all metrics, and where asked for whichever spend least. Where the caps in force are within it already they
 * stay as they are.
 *
 * @param runs those that the sample was taken from
 */
export function fitJoint(
  runs: Iterable<Run>,
  sample: Sample,
  options: DeriveOptions,
  { aim, spend }: JointOptions,
): JointCaps {
  const accepted = acceptedRate(options.p);
  const prepared = prepareSweep(runs, [], options);
  const inForce: Candidate = { p: options.p, ...capsOf(sample, options) };
  const metrics = METRICS.filter((metric) => inForce.caps[metric] !== undefined);
  const weighed = spend ?? weighedIn(sweep(prepared, [capsAlone({})]));
  const shell = { accepted_rate: toNumber(accepted), weighed };
  if (metrics.length === 0) {
    const report: JointReport = {
      ...shell,
      ...{ each_alone: null, common: null, optimized: null, combinations: null, taken: null },
      verdict: jointVerdict({ ...shell, each_alone: null, common: null, highest: null, optimized: null }),
      notes: [],
    };
    return { report, caps: inForce.caps, reports: inForce.reports };
  }
  const bound = boundOf(prepared.verified, accepted);
  const { common, highest } = lowestWithin(prepared, sample, options, inForce, metrics, bound);
  const cheapest = aim === 'cheapest' ? cheapestCaps(prepared, sample, options, metrics, weighed, bound) : null;
  const [taken, chosen] = takenOf(inForce, common, cheapest);
  const sets = {
    each_alone: capSetOf(prepared, inForce),
    common: common === null ? null : capSetOf(prepared, common),
    optimized: cheapest?.candidate == null ? null : capSetOf(prepared, cheapest.candidate),
  };
  const report: JointReport = {
    ...shell,
    ...sets,
    combinations: cheapest?.combinations ?? null,
    taken,
    verdict: jointVerdict({ ...shell, ...sets, highest: common === null ? capSetOf(prepared, highest) : null }),
    notes: jointNotes(sets, cheapest, prepared.runs, weighed),
  };
  return {
    report,
    caps: chosen.caps,
    reports: taken === 'each_alone' ? chosen.reports : marked(chosen.reports, taken),
  };
}

/** Caps that say themselves how they were taken, wherever their provenance goes. */
function marked(reports: Candidate['reports'], taken: JointReport['taken']): Candidate['reports'] {
  const joint = taken === 'optimized' ? 'cheapest' : 'common';
  return Object.fromEntries(
    METRICS.map((metric) => [metric, reports[metric] === null ? null : { ...reports[metric], joint }]),
  ) as Candidate['reports'];
}

/** The set in force stays where it is within the rate, and where nothing else is. */
function takenOf(
  inForce: Candidate,
  common: Candidate | null,
  cheapest: Cheapest | null,
): readonly [JointReport['taken'], Candidate] {
  if (cheapest?.candidate != null) return ['optimized', cheapest.candidate];
  return common === null || common === inForce ? ['each_alone', inForce] : ['common', common];
}

interface Found {
  /** `null`: not even the highest percentile is within the bound. */
  readonly common: Candidate | null;
  /** The last that there is. */
  readonly highest: Candidate;
}

/**
 * The caps at the lowest percentile, from the one in force upwards, that are within the bound. A higher percentile
 * gives looser caps, and looser caps stop fewer, so the ranks are bisected.
 */
function lowestWithin(
  prepared: PreparedRuns,
  sample: Sample,
  options: DeriveOptions,
  inForce: Candidate,
  metrics: readonly Metric[],
  bound: Bound,
): Found {
  const isWithin = ({ caps }: Candidate): boolean => bound.isWithin(mostStoppedBy(prepared, caps));
  if (isWithin(inForce)) return { common: inForce, highest: inForce };
  const sizes = metrics.map((metric) => sample.values[metric].length);
  const percentiles = percentilesAbove(sizes, options.p);
  const at = (index: number): Candidate => candidateAt(sample, options, percentiles[index] as Fraction, metrics);
  let [low, high] = [0, percentiles.length - 1];
  const highest = high < 0 ? inForce : at(high);
  if (high < 0 || !isWithin(highest)) return { common: null, highest };
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(at(middle))) high = middle;
    else low = middle + 1;
  }
  return { common: at(low), highest };
}

/** The caps at another percentile, of the same metrics: one whose percentile in force is zero has no cap, here neither. */
function candidateAt(sample: Sample, options: DeriveOptions, p: Fraction, metrics: readonly Metric[]): Candidate {
  const { caps, reports } = capsOf(sample, { ...options, p });
  return {
    p,
    caps: Object.fromEntries(metrics.map((metric) => [metric, caps[metric]])),
    reports: Object.fromEntries(
      METRICS.map((metric) => [metric, metrics.includes(metric) ? reports[metric] : null]),
    ) as Candidate['reports'],
  };
}
