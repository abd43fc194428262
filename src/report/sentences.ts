import { isLimitName, type Metric } from '../model/limits.js';
import { openSuccesses, upToText } from '../replay/open-successes.js';
import type { Bounds, ReplayReport, Spend } from '../replay/result.js';
import { blindReason } from '../replay/whatif-open.js';
import { nameText } from './escape.js';
import { formatAmountShort, formatCount, formatOf, formatPercent, plural } from './format.js';
import { success, successes } from './population.js';

type Replayed = Pick<ReplayReport, 'false_stops' | 'verified' | 'population'> & Partial<Pick<ReplayReport, 'bounds'>>;

/**
 * `3 of 310 verified successes = 0.97 % (exact 95 % interval 0.20 % to 2.81 %).`; where the recording leaves open what
 * some runs would have come to, how far it reaches comes first, and the interval spans all of it.
 */
export function falseStopText(replay: Replayed): string {
  const { count, rate, ci95 } = replay.false_stops;
  const of = `${formatOf(count, replay.verified)} ${successes(replay.population)}`;
  if (rate === null) return `${of}: the rate is unknown.`;
  const range = rateRange(replay);
  if (range === null) return `${of} = ${formatPercent(rate)}${intervalText(ci95)}.`;
  const interval = intervalText(replay.bounds?.ci95 ?? null);
  const known = knownText(replay);
  const upTo = upToSuccesses(replay);
  const share = `between ${range.replace(' to ', ' and ')}${interval}${upTo === null ? '' : ` of ${upTo}`}`;
  if (isOpenInCensoredOnly(replay)) return `${share}. ${of}, and no more of those.${known}`;
  return `${share}. ${of} for sure; whether more is left open by the recording.${known}`;
}

/** What the bounds of false stops are shares of, where that is more than the verified successes; else `null`. */
export function upToSuccesses(replay: Pick<Replayed, 'verified' | 'population' | 'bounds'>): string | null {
  return upToText(replay, [success(replay.population), successes(replay.population)]);
}

/** Whether the range is that of runs stopped while recording alone: of every verified success it is known. */
function isOpenInCensoredOnly(replay: Replayed): boolean {
  const most = replay.bounds?.false_stops[1] ?? null;
  return most !== null && openSuccesses(replay) > 0 && most - openSuccesses(replay) === replay.false_stops.count;
}

/** Of how many successes it is known whether they are stopped, where that is not all. */
function knownText({ bounds, false_stops, verified }: Replayed): string {
  const known = knownSuccesses({ bounds: bounds ?? null, false_stops, verified });
  if (known === verified) return '';
  return ` For ${formatOf(known, verified)} it is known whether they are stopped.`;
}

/** Successes that are stopped for sure, or for sure not. */
export function knownSuccesses({
  bounds,
  false_stops,
  verified,
}: Pick<ReplayReport, 'bounds' | 'false_stops' | 'verified'>): number {
  return (bounds?.verified_finished[0] ?? verified - false_stops.count) + false_stops.count;
}

/** `307 of 310 verified successes finish.`, or how many at least and at most. */
export function finishText({
  bounds,
  verified,
  verified_finished,
  population,
}: Pick<ReplayReport, 'bounds' | 'verified' | 'verified_finished' | 'population'>): string {
  const least = bounds?.verified_finished[0] ?? verified_finished;
  const of = `${formatOf(verified_finished, verified)} ${successes(population)} finish.`;
  return least < verified_finished ? `Between ${formatCount(least)} and ${of}` : of;
}

/** What could not be judged in any run, said before everything else; nothing where all could. */
export function blindText({ blind }: Pick<ReplayReport, 'blind'>): string {
  if (blind.length === 0) return '';
  const isLeftOut = blind.some((limit) => !isLimitName(limit));
  return `What ${blind.map((limit) => nameText(limit)).join(' and ')} would stop cannot be judged: ${blind.map((limit) => blindReason(nameText(limit))).join(', and ')}.${isLeftOut ? ' A rule that cannot be judged is left out of the figures.' : ''} `;
}

/** Fewest and most false stops: `0 to 6`, or the count. */
export function falseStopCounts({ bounds, false_stops }: Pick<ReplayReport, 'bounds' | 'false_stops'>): string {
  const [low, high] = bounds?.false_stops ?? [null, null];
  if (low === null || high === null || low === high) return formatCount(false_stops.count);
  return `${formatCount(low)} to ${formatCount(high)}`;
}

/** `0.97 % to 20.3 %`: the false-stop rate where the recording does not pin it down, else `null`. */
export function rateRange({ bounds }: Pick<Replayed, 'bounds'>): string | null {
  const [low, high] = bounds?.false_stop_rate ?? [null, null];
  return low === null || high === null || high <= low ? null : `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** The 95 % interval of the false-stop rate: of all that the rate can be, where the recording leaves it open. */
export function falseStopInterval({
  bounds,
  false_stops,
}: Pick<ReplayReport, 'bounds' | 'false_stops'>): readonly [number, number] | null {
  return bounds?.ci95 ?? false_stops.ci95;
}

/** ` (exact 95 % interval 0.20 % to 2.81 %)`, or nothing where there is none. */
function intervalText(ci95: readonly [number, number] | null): string {
  return ci95 === null ? '' : ` (exact 95 % interval ${formatPercent(ci95[0])} to ${formatPercent(ci95[1])})`;
}

/**
 * `198.4 M -> 53.6 M tokens, -73.0 %`, with the runs for which it is known where that is not all; where the record
 * cannot tell when runs would have stopped, `2.8 M -> 1.7 M to 2.8 M tokens, -39.5 % to 0 %`; where it cannot tell how
 * far runs would have gone on, `198.4 M -> 53.6 M or more tokens, -73.0 % at best`.
 */
export function reductionText(metric: Metric, spend: Spend, runs: number, range: SpendRange | null = null): string {
  const unit = metric === 'passes' || metric === 'tokens' ? ` ${metric}` : '';
  const known = spend.known_runs === runs ? '' : ` (known for ${formatOf(spend.known_runs, runs)} runs)`;
  const { replayed, change } = spendTexts(metric, spend, range);
  return `${formatAmountShort(metric, spend.recorded)} -> ${replayed}${unit}, ${change}${known}.`;
}

/** What is left of a spend and the change that is, each as a range where the recording does not pin it down. */
export function spendTexts(
  metric: Metric,
  spend: Pick<Spend, 'replayed' | 'reduction'>,
  range: SpendRange | null = null,
): { replayed: string; change: string } {
  const replayed = formatAmountShort(metric, spend.replayed);
  const change = formatChange(spend);
  if (range === null) return { replayed, change };
  const least = range.replayed[0] ?? spend.replayed;
  const most = range.reduction[1];
  const best = formatPercent(most === null ? null : -most);
  if (range.replayed[1] === null) {
    return {
      replayed: `${formatAmountShort(metric, least)} or more`,
      change: most === null ? change : `${best} at best`,
    };
  }
  if (least >= spend.replayed) return { replayed, change };
  return {
    replayed: `${formatAmountShort(metric, least)} to ${replayed}`,
    change: most === null ? change : `${best} to ${change}`,
  };
}

/**
 * The share of a spend that is saved: `73.0 %`, `0 % to 39.5 %`, `94.4 % at best`, or in words that the recording tells
 * nothing of it.
 */
export function savedText(spend: Pick<Spend, 'reduction'> | null, range: SpendRange | null = null): string {
  if (spend === null || spend.reduction === null || range === null) return formatPercent(spend?.reduction ?? null);
  const least = range.replayed[1] === null ? null : (range.reduction[0] ?? spend.reduction);
  const most = range.reduction[1];
  if (most === null || (least === null && most >= 1)) return UNTOLD;
  if (least === null) return `${formatPercent(most)} at best`;
  return most > least ? `${formatPercent(least)} to ${formatPercent(most)}` : formatPercent(spend.reduction);
}

const UNTOLD = 'cannot be told';

/** What the recording leaves open, said where figures are ranges; nothing where none is. */
export function openText({ bounds }: Pick<ReplayReport, 'bounds'>): string {
  const because = bounds?.because ?? [];
  return because.length === 0 ? '' : `The recording leaves figures open: ${because.join('; ')}.`;
}

/** What is left of a spend at least and at most, and how much less that is. */
export interface SpendRange {
  readonly replayed: Bounds;
  readonly reduction: Bounds;
}

/** The reduction as the change it is: `-73.0 %`. */
export function formatChange(spend: Pick<Spend, 'reduction'> | null): string {
  return formatPercent(spend === null || spend.reduction === null ? null : -spend.reduction);
}

/** `4 of them recorded as stopped, halted or running`, or nothing. */
export function unfinishedText(count: number): string {
  return count === 0
    ? ''
    : ` ${formatCount(count)} of them ${count === 1 ? 'was' : 'were'} recorded as stopped, halted or running.`;
}

/** `400 runs, 310 verified successes (77.5 %).` */
export function populationText(runs: number, verified: number, population: string, unfinished: number): string {
  const share = runs === 0 ? '' : ` (${formatPercent(verified / runs)})`;
  return `${plural(runs, 'run')}, ${plural(verified, success(population), successes(population))}${share}.${unfinishedText(unfinished)}`;
}
