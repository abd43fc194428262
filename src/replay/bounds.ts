import { METRICS, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { clopperPearson } from '../stats/interval.js';
import type { Bounds, CensoredCase, ReplayBounds, Unjudged } from './result.js';
import { reductionOf, sumInUnits } from './spend.js';
import type { SpendTally, Tally } from './tally.js';

/**
 * Ranges of the figures that a recording cannot pin down, or `null` when all are exact: runs known only in total may
 * have been stopped in an earlier pass, a cap that could not judge a run may have stopped it, and a recorded stop that the
 * policy lifts has an unknown future.
 */
export function boundsOf(tally: Tally): ReplayBounds | null {
  if (tally.approximateRuns === 0 && tally.censored === 0 && tally.unseen === 0) return null;
  const stops = tally.falseStops.length;
  const open = tally.censoredOpen;
  const mostStops = stops + tally.perhapsFalseStops + tally.unjudgedVerified;
  return {
    because: reasons(tally),
    false_stops: [stops, mostStops + open],
    false_stop_rate: [rate(stops, tally.verified + open), rate(mostStops + open, tally.verified + open)],
    ci95: widestInterval(stops, mostStops + open, tally.verified + open),
    verified_finished: [tally.verified - mostStops, tally.verified - stops + open],
    spend: Object.fromEntries(
      METRICS.filter((metric) => tally.spend[metric].tellingRuns > 0).map((metric) => [
        metric,
        spendBounds(metric, tally.spend[metric], tally.censored > 0),
      ]),
    ),
    unjudged: tally.unseen === 0 ? null : unjudgedOf(tally),
    censored: tally.censored === 0 ? null : censoredCases(tally),
  };
}

function reasons(tally: Tally): string[] {
  const because: string[] = [];
  if (tally.approximateRuns > 0) {
    because.push(
      `${plural(tally.approximateRuns, 'run is', 'runs are')} known in part or only in total; ${tally.perhapsStopped} of them may have been stopped, or earlier than counted`,
    );
  }
  if (tally.unseen > 0) {
    because.push(
      `${plural(tally.unseen, 'run')} could not be judged by every cap; ${tally.unjudged} of them may be stopped, and the others earlier than counted`,
    );
  }
  if (tally.censored > 0) {
    because.push(
      `${plural(tally.censored, 'run was', 'runs were')} stopped while recording and would not be stopped there by this policy`,
    );
  }
  return because;
}

/** The exact 95 % intervals of both ends, and all between. */
function widestInterval(least: number, most: number, of: number): [number, number] | null {
  return of === 0 ? null : [clopperPearson(least, of).low, clopperPearson(most, of).high];
}

function unjudgedOf({ unseen, unjudgedVerified }: Tally): Unjudged {
  return { runs: unseen, verified: unjudgedVerified };
}

/** A censored run would have gone on spending, by an amount that no recording tells. */
function spendBounds(metric: Metric, spend: SpendTally, hasCensored: boolean): { replayed: Bounds; reduction: Bounds } {
  const recorded = spend.recorded.total();
  const replayed = spend.replayed.total();
  const replayedAtLeast = spend.replayedAtLeast.total();
  return {
    replayed: [sumInUnits(metric, replayedAtLeast), hasCensored ? null : sumInUnits(metric, replayed)],
    reduction: [hasCensored ? null : reductionOf(recorded, replayed), reductionOf(recorded, replayedAtLeast)],
  };
}

function censoredCases(tally: Tally): { none_succeed: CensoredCase; all_succeed: CensoredCase } {
  const stops = tally.falseStops.length;
  const caseOf = (extra: number): CensoredCase => ({
    verified: tally.verified + extra,
    verified_finished: tally.verified - stops + extra,
    false_stop_rate: rate(stops, tally.verified + extra),
  });
  return { none_succeed: caseOf(0), all_succeed: caseOf(tally.censoredOpen) };
}

function rate(count: number, of: number): number | null {
  return of === 0 ? null : count / of;
}
