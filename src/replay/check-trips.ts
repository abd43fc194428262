import { plural } from '../model/words.js';
import { type CheckEvidence, type Found, type Judged, judged } from './check-evidence.js';
import { OFTEN, oftenHint, oftenTripped } from './diagnosis-policy.js';
import { percent } from './drift-words.js';

/** Limits and rules that stop so many runs that they are no insurance any more. */
export function judgeTrips({ policy, replay }: CheckEvidence): Judged {
  const often = oftenTripped(replay);
  const share = (count: number): string =>
    `${count} of ${plural(replay.runs, 'run')} = ${percent(count / replay.runs)}`;
  const findings = often.map(
    ({ reason, count }): Found => ({
      code: 'trips_often',
      severity: 'note',
      message: `${reason.slice(0, 60)} stops ${share(count)}, too many for a safety net: something in these runs goes wrong that the limit only cuts short`,
      value: count / replay.runs,
      bound: OFTEN,
      hint: oftenHint(reason, policy),
    }),
  );
  const counts = Object.entries(replay.by_reason).sort(([, a], [, b]) => b.count - a.count);
  const [top] = counts;
  const figure =
    top === undefined
      ? 'the policy has no limit and no rule'
      : replay.runs === 0
        ? 'unknown: no runs'
        : `${top[0].slice(0, 60)} stops most: ${share(top[1].count)}`;
  // A stop that came early is no fault of the policy, so that this never fails a gate.
  const bound = `none; told above ${percent(OFTEN)}`;
  return judged(
    { code: 'trips_often', title: 'tripped often', figure, bound },
    findings,
    top !== undefined && replay.runs > 0,
  );
}
