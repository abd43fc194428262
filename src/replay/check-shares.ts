import { plural } from '../model/words.js';
import { type CheckEvidence, type Found, type Judged, judged, off } from './check-evidence.js';
import { notJudgedText } from './check-false-stops.js';
import { isBlind } from './check-judged.js';
import { percent } from './drift-words.js';

/** How much of the traffic the policy stops: an alert of the card. */
export function judgeStopped({ bounds, replay, open }: CheckEvidence): Judged {
  const count = replay.by_status.stopped_budget;
  const share = stoppedShare({ replay, open });
  const figure =
    replay.runs === 0
      ? 'unknown: no runs'
      : share === null
        ? `unknown: nothing of the policy could judge any of ${plural(open.asked.runs, 'run')} of two passes or more`
        : `${count} of ${plural(replay.runs, 'run')} = ${percent(share)}`;
  const { part } = open.runs;
  return judgeShare({ code: 'stopped', title: 'stopped_budget', figure }, share, bounds.maxStopped, {
    hint: `see what the stops point at: ${topReason(replay.by_reason)}capfit replay lists them by reason`,
    unknown: 'check that the runs are read, and that they record what the caps count',
    inPart: part === 0 ? null : `${notJudgedText(open, replay)}; ${plural(part, 'run')} could be stopped unseen`,
    most: replay.runs === 0 ? null : (count + part) / replay.runs,
  });
}

/** Where some runs are not known it is a lower bound; where nothing of the policy could judge any, nothing at all. */
export function stoppedShare({ replay, open }: Pick<CheckEvidence, 'replay' | 'open'>): number | null {
  const names = [...open.by.keys()];
  const isUnknown = names.length > 0 && names.every((name) => isBlind(open, name));
  return replay.runs === 0 || isUnknown ? null : replay.by_status.stopped_budget / replay.runs;
}

function topReason(reasons: CheckEvidence['replay']['by_reason']): string {
  const top = Object.entries(reasons).sort(([, a], [, b]) => b.count - a.count)[0];
  return top === undefined || top[1].count === 0 ? '' : `${top[0]} stops most (${top[1].count}); `;
}

/** How much of the recorded spend bought nothing verified. */
export function judgeUnverifiedSpend({ bounds, replay }: CheckEvidence): Judged {
  const share = replay.unverified_spend_share;
  const lacking = replay.runs - (replay.spend.tokens?.known_runs ?? replay.runs);
  const figure = share === null ? 'unknown: no tokens recorded' : `${percent(share)} of the recorded tokens`;
  const base = { code: 'unverified_spend', title: 'unverified spend', figure };
  return judgeShare(base, share, bounds.maxUnverifiedSpend, {
    hint: 'tighter caps or a repeat rule save it: capfit calibrate shows how much',
    unknown: 'record input and output tokens of each pass',
    inPart: lacking === 0 ? null : `the tokens of ${lacking} of ${plural(replay.runs, 'run')} are not known`,
    most: null,
  });
}

function judgeShare(
  base: { code: string; title: string; figure: string },
  share: number | null,
  bound: number | null,
  words: {
    readonly hint: string;
    readonly unknown: string;
    /** Why the share is that of a part of the runs only; `null` where it is of all. */
    readonly inPart: string | null;
    /** The share if all of the others were like those that count against the bound. */
    readonly most: number | null;
  },
): Judged {
  if (bound === null) return off(base);
  const message = `${base.title}: ${base.figure}; bound ${percent(bound)}`;
  const finding: Found = {
    code: base.code,
    severity: 'error',
    message,
    value: share,
    bound,
    hint: share === null ? words.unknown : words.hint,
  };
  const isPart = words.inPart !== null && share !== null;
  const part: Found | null = isPart
    ? {
        code: `${base.code}_in_part`,
        severity: 'warning',
        message: `${base.title} is judged in part: ${words.inPart}; bound ${percent(bound)}`,
        value: words.most,
        bound,
        hint: words.unknown,
      }
    : null;
  const over = share === null || share > bound ? finding : null;
  return judged({ ...base, bound: `at most ${percent(bound)}` }, [over, part]);
}
