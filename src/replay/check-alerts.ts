import { plural } from '../model/words.js';
import type { Most } from './check-bounds.js';
import { isAlarming } from './check-counts.js';
import {
  type CheckEvidence,
  type Found,
  isAbove,
  type Judged,
  judged,
  mostFigures,
  mostText,
  off,
} from './check-evidence.js';

/** Runs that went on after the cap they were recorded under. */
export function judgeOverCap({ bounds, counts, replay }: CheckEvidence): Judged {
  const by = [...counts.overCapBy].map(([metric, count]) => `${metric} ${count}`).join(', ');
  return judgeCount(bounds.maxOverCap, counts.overCap, replay.runs, {
    code: 'over_cap',
    title: 'past their own cap',
    detail: by,
    hint: 'the cap was not enforced, or counts something else than the records do (sub-agents, retries); capfit audit names the runs',
  });
}

/** Runs halted for a permission or a guardrail: an alert of the card, whatever their number. */
export function judgeHalts({ bounds, counts, replay }: CheckEvidence): Judged {
  const reasons = [...counts.haltedByReason].filter(([reason]) => isAlarming(reason));
  const untold: Found | null =
    counts.untold === 0
      ? null
      : {
          code: 'halted_untold',
          severity: 'note',
          message: `${plural(counts.untold, 'halted run')} without a reason: whether it was a permission or a guardrail is not known`,
          value: counts.untold,
          bound: null,
          hint: 'record the reason of every halt',
        };
  return judgeCount(
    bounds.maxHalts,
    counts.alarms,
    replay.runs,
    {
      code: 'halted',
      title: 'alarming halts',
      detail: topCounts(reasons),
      hint: 'look at these runs: a missing right or a tripped guardrail is not mended by a retry',
    },
    [untold],
  );
}

/** Records that were never closed although the wall-clock cap has passed: counted as halted, reason lost. */
export function judgeLost({ bounds, counts, policy, replay }: CheckEvidence): Judged {
  const { lost, running } = counts;
  const open: Found | null =
    running === 0
      ? null
      : {
          code: 'running',
          severity: 'note',
          message: `${plural(running, 'record')} still running, not known to be overdue`,
          value: running,
          bound: null,
          hint: `to tell, a record needs started_at, and the policy a cap on seconds${policy.caps.seconds === undefined ? ' (it has none)' : ''}; --today says when the check is made`,
        };
  return judgeCount(
    bounds.maxLost,
    lost,
    replay.runs,
    {
      code: 'lost',
      title: 'lost records',
      detail: lost === 0 ? '' : 'running past the wall-clock cap; counted as halted, reason lost',
      hint: 'the process died and no exit fired: write the record at the start, close it on every exit, and look for the spend that nobody stopped',
    },
    [open],
  );
}

interface Counted {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly hint: string;
}

function judgeCount(
  most: Most | null,
  count: number,
  runs: number,
  { code, title, detail, hint }: Counted,
  more: readonly (Found | null)[] = [],
): Judged {
  const figure = `${count} of ${runs}${detail === '' ? '' : ` (${detail})`}`;
  if (most === null) return off({ code, title, figure });
  const message = `${title}: ${figure}; bound ${mostText(most)}`;
  const finding: Found | null = isAbove(count, runs, most)
    ? { code, severity: 'error', message, ...mostFigures(count, runs, most), hint }
    : null;
  return judged({ code, title, figure, bound: `at most ${mostText(most)}` }, [finding, ...more]);
}

const MOST_REASONS = 5;

function topCounts(counts: readonly (readonly [string, number])[]): string {
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const shown = sorted.slice(0, MOST_REASONS).map(([name, count]) => `${brief(name)} ${count}`);
  return [...shown, ...(sorted.length > MOST_REASONS ? [`${sorted.length - MOST_REASONS} more`] : [])].join(', ');
}

/** Names out of the data are cut, so that one of them cannot fill a message. */
export function brief(name: string): string {
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}
