import { populationName } from '../calibrate/population.js';
import type { Sample } from '../calibrate/sample.js';
import type { Fraction } from '../model/decimal.js';
import type { CheckBounds } from './check-bounds.js';
import { type CheckEvidence, type Found, type Judged, judged, off } from './check-evidence.js';
import { tailMarks } from './drift.js';
import type { DriftTest } from './drift-result.js';
import { judgeTogether, type RawTest, rankTests, shareTest, tailTest, topTests } from './drift-tests.js';
import { pText, testName, testText } from './drift-words.js';
import type { Measured } from './measured.js';

/** The percentile whose tail old runs are held against. */
const TAIL: Fraction = { num: 99n, den: 100n };

/** All drift tests that can be made, judged together; none where drift is not looked for. */
export function driftTests(
  bounds: CheckBounds,
  measured: Measured,
  sample: Sample,
  old: Sample | null,
): readonly DriftTest[] {
  if (bounds.alarmRate === null) return [];
  const tests = [
    ...(isComparable(bounds, measured) ? measuredTests(measured, sample) : []),
    ...(old === null ? [] : oldTests(old, measured, bounds, sample)),
  ];
  return judgeTogether(tests, bounds.alarmRate);
}

/** Percentiles of another population say nothing of this one. */
function isComparable(bounds: CheckBounds, { population }: Measured): boolean {
  return population === populationName(bounds);
}

function measuredTests({ marks, runs, verified }: Measured, sample: Sample): RawTest[] {
  const tails = marks.map((mark) => tailTest(mark, 'measured', sample));
  const hasShare = runs !== null && verified !== null && runs > 0 && verified <= runs && sample.runs > 0;
  return hasShare ? [...tails, shareTest({ runs, verified }, sample, 'measured')] : tails;
}

/** A tail that the policy measured on the same runs is not tested twice. */
function oldTests(old: Sample, measured: Measured, bounds: CheckBounds, sample: Sample): RawTest[] {
  const known = isComparable(bounds, measured) ? measured.marks : [];
  const tails = tailMarks(old, TAIL).filter(
    (mark) => !known.some(({ metric, atoms, n }) => metric === mark.metric && atoms === mark.atoms && n === mark.n),
  );
  const hasShare = known.length > 0 && measured.runs !== null && measured.verified !== null;
  return [
    ...rankTests(old, sample),
    ...topTests(old, sample),
    ...tails.map((mark) => tailTest(mark, 'old runs', sample)),
    ...(hasShare || old.runs === 0 || sample.runs === 0 ? [] : [shareTest(old, sample, 'old runs')]),
  ];
}

/** Whether the verified successes have moved, and whether there are more or fewer of them. */
export function judgeDrift({ bounds, measured, old }: CheckEvidence, tests: readonly DriftTest[]): Judged {
  const made = tests.filter(({ p_value }) => p_value !== null);
  const alarms = tests.filter(({ moved }) => moved !== null);
  const base = { code: 'drift', title: 'drift' };
  if (bounds.alarmRate === null) return off({ ...base, figure: 'not looked for' });
  const figure =
    made.length === 0 ? 'no test could be made' : `${alarms.length} of ${made.length} tests alarm, taken together`;
  const bound = `any false alarm in at most ${Number((100 * bounds.alarmRate).toPrecision(3))} % of checks`;
  const rate = bounds.alarmRate;
  const findings = [
    ...alarms.map((test) => alarm(test, rate)),
    ...tests.filter(({ not_judged }) => not_judged !== null).map(unmade),
    ...(made.length === 0 && tests.length === 0 ? [nothingToCompare(bounds, measured, old !== null)] : []),
    ...measured.unreadable.map(unreadable),
    ...measured.faults.map((fault) =>
      note('drift_not_judged', `drift: share of verified successes not judged: ${fault}`, 'correct the policy file'),
    ),
  ];
  return judged({ ...base, figure, bound }, findings, made.length > 0);
}

function alarm(test: DriftTest, rate: number): Found {
  const name = test.metric === null ? testName(test) : `${test.metric} of the successes (${testName(test)})`;
  const isShare = test.test === 'share';
  return {
    code: isShare ? 'drift_share' : `drift_${test.test}_${test.metric}`,
    // More successes than before is no danger, but the card is no longer of this traffic.
    severity: isShare && test.moved === 'up' ? 'warning' : 'error',
    message: `drift: ${name} moved ${test.moved}: ${testText(test)}; adjusted p ${pText(test.adjusted_p)}, bound ${rate}`,
    value: test.adjusted_p,
    bound: rate,
    hint: HINTS[isShare ? 'share' : (test.moved as 'up' | 'down')],
  };
}

const HINTS = {
  up: 'good runs need more than when the caps were measured: calibrate again before they are cut off',
  down: 'good runs need less than when the caps were measured: calibrate again, tighter caps would save more',
  share: 'the check, the tasks or the agent have changed: see capfit audit, then calibrate again',
} as const;

function unmade(test: DriftTest): Found {
  const name = `${test.metric ?? 'share'} (${testName(test)}, ${test.against})`;
  return note('drift_not_judged', `drift: ${name} not judged: ${test.not_judged}`, 'check more runs at once');
}

function nothingToCompare(bounds: CheckBounds, measured: Measured, hasOld: boolean): Found {
  const other = !isComparable(bounds, measured);
  const reason = other
    ? `the policy was measured on "${measured.population.slice(0, 60)}", this check looks at "${populationName(bounds)}"`
    : `the policy keeps no percentiles in measured${hasOld ? ', and the old runs have no success' : ''}`;
  const hint = other
    ? 'use the same --claimed and --finished-only'
    : 'calibrate with --out, or name earlier runs with --against';
  return note('drift_not_judged', `drift: not judged: ${reason}`, hint);
}

function unreadable(metric: string): Found {
  return note(
    'drift_not_judged',
    `drift: ${metric} not judged: measured.provenance.${metric} lacks quantile, p or n, or states a rank beyond n`,
    'calibrate again, or complete the policy file',
  );
}

function note(code: string, message: string, hint: string): Found {
  return { code, severity: 'note', message, value: null, bound: null, hint };
}
