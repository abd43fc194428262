import { upperLimit } from '../stats/interval.js';
import { USUAL_RATE } from './check-bounds.js';
import { type CheckEvidence, type Found, type Judged, judged, off } from './check-evidence.js';
import { percent } from './drift-words.js';

/** False stops under the policy against what is accepted. */
export function judgeFalseStops(evidence: CheckEvidence): Judged {
  const { bounds, measured, replay } = evidence;
  const { count, rate } = replay.false_stops;
  const upper = upperRate(count, replay.verified);
  const figure =
    rate === null || upper === null
      ? `unknown: no run is a verified success`
      : `${count} of ${replay.verified} = ${percent(rate)}, at most ${percent(upper)} with 95 % confidence`;
  const base = { code: 'false_stops', title: 'false stops', figure };
  if (bounds.maxFalseStops === null) return off(base);
  const bound = bounds.maxFalseStops === 'accepted' ? (measured.acceptedRate ?? USUAL_RATE) : bounds.maxFalseStops;
  const isUpper = bounds.confidence === 'upper';
  const boundText = `at most ${percent(bound)}${isUpper ? ' with 95 % confidence' : ''}`;
  const value = isUpper ? upper : rate;
  const findings = [
    value === null ? noVerified(bound) : null,
    value !== null && value > bound ? tooMany(`false stops: ${figure}; bound ${boundText}`, value, bound) : null,
    value !== null && value <= bound ? perhapsMore(evidence, bound) : null,
    unseen(evidence, bound),
  ];
  return judged({ ...base, bound: boundText }, findings);
}

/** The one-sided 95 % upper limit of a rate. */
export function upperRate(count: number, of: number): number | null {
  return of === 0 ? null : upperLimit(count, of);
}

function noVerified(bound: number): Found {
  return {
    code: 'no_verified',
    severity: 'error',
    message: 'false stops cannot be judged: no run is a verified success',
    value: null,
    bound,
    hint: 'record a check that passed or failed with each run, or join verdicts with --outcomes FILE',
  };
}

function tooMany(message: string, value: number, bound: number): Found {
  const hint = 'good runs are cut off: derive the caps again from newer runs, or see capfit replay for which and why';
  return { code: 'false_stops', severity: 'error', message, value, bound, hint };
}

/** Runs known in part: the certain stops are within the bound, the possible ones are not. */
function perhapsMore({ replay }: CheckEvidence, bound: number): Found | null {
  const [, most] = replay.bounds?.false_stop_rate ?? [null, null];
  if (!replay.approximate || most === null || most <= bound) return null;
  return {
    code: 'false_stops_uncertain',
    severity: 'warning',
    message: `false stops: up to ${percent(most)}, since some runs are known in part only; bound ${percent(bound)}`,
    value: most,
    bound,
    hint: 'record every pass with its tokens and seconds',
  };
}

/** Runs that a cap of the day stopped: whether they would have succeeded is not recorded, and no replay can tell. */
function unseen({ replay }: CheckEvidence, bound: number): Found | null {
  const stops = Object.values(replay.recorded_by_reason).reduce((sum, count) => sum + count, 0);
  if (stops === 0) return null;
  const rate = (replay.false_stops.count + stops) / (replay.verified + stops);
  return {
    code: 'unseen_false_stops',
    severity: 'warning',
    message: `${stops} of ${replay.runs} runs were stopped while recording, no later than this policy would: good ones among them are not seen (false stops ${percent(rate)} if all would have succeeded)`,
    value: rate,
    bound,
    hint: 'let a few runs go on under a generous cap (a canary), and check those',
  };
}

/** How much of the traffic the policy stops: an alert of the card. */
export function judgeStopped({ bounds, replay }: CheckEvidence): Judged {
  const count = replay.by_status.stopped_budget;
  const share = replay.runs === 0 ? null : count / replay.runs;
  const figure = share === null ? 'unknown: no runs' : `${count} of ${replay.runs} runs = ${percent(share)}`;
  const base = { code: 'stopped', title: 'stopped_budget', figure };
  return judgeShare(base, share, bounds.maxStopped, {
    hint: `see what the stops point at: ${topReason(replay.by_reason)}capfit replay lists them by reason`,
    unknown: 'check that the runs are read',
  });
}

function topReason(reasons: CheckEvidence['replay']['by_reason']): string {
  const top = Object.entries(reasons).sort(([, a], [, b]) => b.count - a.count)[0];
  return top === undefined || top[1].count === 0 ? '' : `${top[0]} stops most (${top[1].count}); `;
}

/** How much of the recorded spend bought nothing verified. */
export function judgeUnverifiedSpend({ bounds, replay }: CheckEvidence): Judged {
  const share = replay.unverified_spend_share;
  const figure = share === null ? 'unknown: no tokens recorded' : `${percent(share)} of the recorded tokens`;
  const base = { code: 'unverified_spend', title: 'unverified spend', figure };
  return judgeShare(base, share, bounds.maxUnverifiedSpend, {
    hint: 'tighter caps or a repeat rule save it: capfit calibrate shows how much',
    unknown: 'record input and output tokens of each pass',
  });
}

function judgeShare(
  base: { code: string; title: string; figure: string },
  share: number | null,
  bound: number | null,
  hints: { readonly hint: string; readonly unknown: string },
): Judged {
  if (bound === null) return off(base);
  const message = `${base.title}: ${base.figure}; bound ${percent(bound)}`;
  const finding: Found = {
    code: base.code,
    severity: 'error',
    message,
    value: share,
    bound,
    hint: share === null ? hints.unknown : hints.hint,
  };
  return judged({ ...base, bound: `at most ${percent(bound)}` }, [share === null || share > bound ? finding : null]);
}
