import { numberText } from '../model/decimal-text.js';
import { plural } from '../model/words.js';
import { clopperPearson, sampleSizeForShare, upperLimit } from '../stats/interval.js';
import { USUAL_RATE } from './check-bounds.js';
import { type CheckEvidence, type Found, type Judged, judged, off } from './check-evidence.js';
import { type JudgedRuns, judgedCount } from './check-judged.js';
import type { FalseStopRate } from './check-result.js';
import { percent } from './drift-words.js';
import type { ReplayReport } from './result.js';

/** A success that nothing of the policy could judge is no evidence that it would have been spared. */
export function falseStopRate({ verified, false_stops: { count } }: ReplayReport, open: JudgedRuns): FalseStopRate {
  const of = judgedCount(verified, open.successes, open.asked.successes);
  if (of === 0) return { count, judged: 0, rate: null, lower95: null, upper95: null };
  return {
    count,
    judged: of,
    rate: count / of,
    // One side of the two-sided 90 % interval has the whole 5 %.
    lower95: clopperPearson(count, of, 0.9).low,
    upper95: upperLimit(count, of),
  };
}

/** False stops under the policy against what is accepted. */
export function judgeFalseStops(evidence: CheckEvidence): Judged {
  const { bounds, measured, replay, open } = evidence;
  const seen = falseStopRate(replay, open);
  const figure = figureText(seen, replay.verified, open.asked.successes);
  const base = { code: 'false_stops', title: 'false stops', figure };
  if (bounds.maxFalseStops === null) return off(base);
  const bound = bounds.maxFalseStops === 'accepted' ? (measured.acceptedRate ?? USUAL_RATE) : bounds.maxFalseStops;
  const verdict = replay.verified === 0 ? noVerified(bound) : seen.judged === 0 ? allUnknown(evidence, bound) : null;
  const findings = [
    verdict,
    aboveBound(evidence, seen, bound, figure),
    perhapsMore(evidence, bound),
    partUnknown(evidence, seen, bound),
    unseen(evidence, bound),
  ];
  return judged({ ...base, bound: boundText(bounds.confidence, bound) }, findings, seen.judged > 0);
}

function figureText(
  { count, judged: of, rate, lower95, upper95 }: FalseStopRate,
  verified: number,
  asked: number,
): string {
  if (verified === 0) return 'unknown: no run is a verified success';
  if (rate === null || lower95 === null || upper95 === null) {
    return `unknown: nothing of the policy could judge any of ${plural(asked, 'success', 'successes')} of two passes or more`;
  }
  const judgedOf = of === verified ? `${of}` : `${of} judged`;
  return `${count} of ${judgedOf} = ${percent(rate)}; with 95 % confidence at least ${percent(lower95)}, and at most ${percent(upper95)}`;
}

function boundText(confidence: CheckEvidence['bounds']['confidence'], bound: number): string {
  return `at most ${percent(bound)}${confidence === 'point' ? '' : `, by the ${confidence} limit`}`;
}

/** The rate is above the bound: shown by the runs, possible by chance, or not to be excluded. */
function aboveBound(
  { bounds: { confidence } }: CheckEvidence,
  { count, rate, lower95, upper95 }: FalseStopRate,
  bound: number,
  figure: string,
): Found | null {
  if (rate === null || lower95 === null || upper95 === null) return null;
  const value = { lower: lower95, point: rate, upper: upper95 }[confidence];
  const message = `false stops: ${figure}; bound ${boundText(confidence, bound)}`;
  if (value > bound) {
    const hint = lower95 > bound ? CUT_OFF : confidence === 'upper' ? needed(count, bound) : BY_CHANCE;
    return { code: 'false_stops', severity: 'error', message, value, bound, hint };
  }
  if (confidence !== 'lower' || rate <= bound) return null;
  return { code: 'false_stops_above', severity: 'note', message, value: rate, bound, hint: ABOVE };
}

const CUT_OFF = 'good runs are cut off: derive the caps again from newer runs, or see capfit replay for which and why';
const BY_CHANCE =
  'chance may explain it: these runs do not show that more is cut than accepted; --confidence lower fails only where they do';
const ABOVE =
  'more than accepted was seen, as chance may have it: check more runs at once, or fail on it with --confidence point';

/** How many successes it takes before the upper limit can be within the bound. */
function needed(count: number, bound: number): string {
  if (bound === 0) return 'no number of runs can show that none is ever cut: name a rate above 0';
  const least = sampleSizeForShare(count, bound);
  return `too few to show it: with ${count} stopped, the upper limit is within ${percent(bound)} from ${plural(least, 'judged success', 'judged successes')} on${count === 0 ? '' : ` (from ${numberText(sampleSizeForShare(0, bound))} with none stopped)`}; check more runs at once, or use --confidence lower`;
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

/** A bound that was set and cannot be judged fails; a default that cannot be judged is told. */
function allUnknown({ bounds, open, replay }: CheckEvidence, bound: number): Found {
  return {
    code: 'false_stops_not_judged',
    severity: bounds.maxFalseStops === 'accepted' ? 'note' : 'error',
    message: `false stops cannot be judged: ${notJudgedText(open, replay)}`,
    value: null,
    bound,
    hint: RECORD,
  };
}

/** Successes that were not stopped by what could judge them, where something else could not. */
function partUnknown({ bounds, open, replay }: CheckEvidence, seen: FalseStopRate, bound: number): Found | null {
  const { part, whole } = open.successes;
  if (seen.judged === 0 || [...open.by.values()].every(({ runs }) => runs === 0)) return null;
  const most = (replay.false_stops.count + part) / replay.verified;
  const isTyped = bounds.maxFalseStops !== 'accepted';
  return {
    code: 'false_stops_in_part',
    severity: isTyped && part > 0 ? 'warning' : 'note',
    message: `false stops are judged in part: ${notJudgedText(open, replay)}; ${part} of them could be cut unseen${whole === 0 ? '' : `, and ${whole} that nothing could judge are left out of the rate`}`,
    value: most,
    bound,
    hint: RECORD,
  };
}

const RECORD = 'record what these limits count in every pass, or read the recording in a form that has it';

/** `tokens could not judge 400 of 400 runs (310 of 310 successes)`, for each limit that could not judge some. */
export function notJudgedText({ by }: JudgedRuns, { runs, verified }: ReplayReport): string {
  return [...by]
    .filter(([, lacking]) => lacking.runs > 0)
    .map(
      ([name, lacking]) =>
        `${name.slice(0, 40)} could not judge ${lacking.runs} of ${plural(runs, 'run')} (${lacking.successes} of ${plural(verified, 'success', 'successes')})`,
    )
    .join(', ');
}

/** Runs known in part: the certain stops are within the bound, the possible ones are not. */
function perhapsMore({ replay }: CheckEvidence, bound: number): Found | null {
  const [, most] = replay.bounds?.false_stop_rate ?? [null, null];
  const rate = replay.false_stops.rate ?? 0;
  if (!replay.approximate || most === null || most <= bound || rate > bound) return null;
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
    message: `${stops} of ${plural(replay.runs, 'run')} were stopped while recording, no later than this policy would: good ones among them are not seen (false stops ${percent(rate)} if all would have succeeded)`,
    value: rate,
    bound,
    hint: 'let a few runs go on under a generous cap (a canary), and check those',
  };
}
