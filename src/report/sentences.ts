import type { Metric } from '../model/limits.js';
import type { Bounds, ReplayReport, Spend } from '../replay/result.js';
import { formatAmountShort, formatCount, formatOf, formatPercent, plural } from './format.js';
import { success, successes } from './population.js';

type Replayed = Pick<ReplayReport, 'false_stops' | 'verified' | 'population'>;

/** `3 of 310 verified successes = 0.97 % (exact 95 % interval 0.20 % to 2.81 %).` */
export function falseStopText(replay: Replayed): string {
  const { count, rate, ci95 } = replay.false_stops;
  const of = `${formatOf(count, replay.verified)} ${successes(replay.population)}`;
  if (rate === null) return `${of}: the rate is unknown.`;
  return `${of} = ${formatPercent(rate)}${intervalText(ci95)}.`;
}

/** ` (exact 95 % interval 0.20 % to 2.81 %)`, or nothing where there is none. */
function intervalText(ci95: readonly [number, number] | null): string {
  return ci95 === null ? '' : ` (exact 95 % interval ${formatPercent(ci95[0])} to ${formatPercent(ci95[1])})`;
}

/**
 * `198.4 M -> 53.6 M tokens, -73.0 %`, with the runs for which it is known where that is not all; where the record
 * cannot tell when runs would have stopped, `2.8 M -> 1.7 M to 2.8 M tokens, -39.5 % to 0 %`.
 */
export function reductionText(metric: Metric, spend: Spend, runs: number, range: SpendRange | null = null): string {
  const [before, after] = [spend.recorded, spend.replayed].map((value) => formatAmountShort(metric, value));
  const unit = metric === 'passes' || metric === 'tokens' ? ` ${metric}` : '';
  const known = spend.known_runs === runs ? '' : ` (known for ${formatOf(spend.known_runs, runs)} runs)`;
  const least = range?.replayed[0] ?? spend.replayed;
  if (least < spend.replayed) {
    const most = formatPercent(range?.reduction[1] == null ? null : -range.reduction[1]);
    return `${before} -> ${formatAmountShort(metric, least)} to ${after}${unit}, ${most} to ${formatChange(spend)}${known}.`;
  }
  return `${before} -> ${after}${unit}, ${formatChange(spend)}${known}.`;
}

/** What is left of a spend at least and at most, and how much less that is. */
interface SpendRange {
  readonly replayed: Bounds;
  readonly reduction: Bounds;
}

/** The reduction as the change it is: `-73.0 %`. */
export function formatChange(spend: Spend | null): string {
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
