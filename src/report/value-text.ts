import type { Metric } from '../model/limits.js';
import type { SweepResult } from '../replay/sweep-result.js';
import type { UndecidedValue, ValueReport } from '../replay/value-result.js';
import { isHardlyWorth, leewayOf } from '../replay/worth.js';
import { formatExact, formatLimit, formatOf, formatPercent, formatPrice, plural } from './format.js';
import { success, successes } from './population.js';
import { amountText, rangeOfAmounts, settingsText, withNoun } from './sweep-words.js';

/**
 * `At 400,000 tokens a finished success, passes 23, tokens 460,000 costs least in all: …; this stays the best choice
 * for any value between 120,000 and 700,000 tokens.`
 */
export function valueText(value: ValueReport | UndecidedValue, { verified, population }: SweepResult): string {
  const worth = `At ${formatLimit(value.metric, value.per_success)} a finished success`;
  if (value.policy === null) return undecidedText(worth, value, population);
  const best = `${worth}, ${settingsText(value)} costs least in all: ${sumText(value, verified, population)}`;
  const range = value.cost_bounds === undefined ? `; this stays the best choice ${rangeText(value)}` : '';
  return [`${best}${range}.`, recordedText(value), doubtText(value)].filter((text) => text !== '').join(' ');
}

/** The range of values for which a choice stays the best, in words. */
export function rangeText({ metric, best_from: from, best_to: to }: ValueReport): string {
  if (from === null && to === null) return 'whatever a finished success is worth';
  if (from === null) return `for any value up to ${withNoun(metric, endText(metric, to, from))}`;
  if (to === null) return `for any value from ${withNoun(metric, endText(metric, from, to))} on`;
  return `for any value between ${endText(metric, from, to)} and ${withNoun(metric, endText(metric, to, from))}`;
}

function sumText(
  { metric, spend, cost, false_stops: lost, cost_bounds: bounds }: ValueReport,
  verified: number,
  population: string,
): string {
  if (bounds !== undefined) {
    return `${rangeOfAmounts(metric, bounds)}, and no other combination can cost less, however the runs that the record leaves open turn out`;
  }
  const spent = amountText(metric, spend);
  if (lost === 0) return `${spent} spent, and no ${success(population)} lost`;
  return `${spent} spent, and ${formatOf(lost, verified)} ${successes(population)} lost, together ${amountText(metric, cost)}`;
}

/** Whether it would be cheaper to let every run go on, as it did while recording. */
function recordedText({ metric, recorded_cost: recorded, recorded_is: is }: ValueReport): string {
  if (recorded === null || is === 'unknown') return '';
  const amount = amountText(metric, recorded);
  if (is === 'same') return 'So much was spent without stopping anything, too.';
  if (is === 'more') return `Stopping nothing costs ${amount}.`;
  return `Stopping nothing costs less than any of these: ${amount}.`;
}

/** Where little is gained, or the choice hangs on the guess. */
function doubtText(value: ValueReport): string {
  const { cost, recorded_cost: recorded, recorded_is: is, per_success, best_from, best_to, cost_bounds } = value;
  if (cost_bounds !== undefined) return '';
  const gain = is !== 'more' || recorded === null || recorded === 0 ? null : (recorded - cost) / recorded;
  const leeway = leewayOf(per_success, best_from, best_to);
  const guess =
    leeway === null ? '' : `a worth that is guessed wrong by ${formatPercent(leeway)} leads to another combination`;
  if (isHardlyWorth(gain)) {
    return `Hardly worth it: all in all that is ${formatPercent(gain)} less than stopping nothing${guess === '' ? '' : `, and ${guess}`}.`;
  }
  return guess === '' ? '' : `Hardly worth choosing so finely: ${guess} that costs nearly the same.`;
}

/** Candidates named in the sentence; the others are counted. */
const NAMED = 3;

function undecidedText(worth: string, value: UndecidedValue, population: string): string {
  const { metric, candidates, recorded_cost: recorded } = value;
  if (value.reason === 'no_success') {
    return `${worth}, nothing can be picked: no run is a ${success(population)}, so no cap can be seen to cost one, and the strictest would always look best.`;
  }
  const named = candidates
    .slice(0, NAMED)
    .map((each) => `${settingsText(each)} costs ${rangeOfAmounts(metric, each.cost)}`);
  const more = candidates.length - named.length;
  const rest = more > 0 ? `; ${plural(more, 'more combination')} may cost least, too` : '';
  const nothing = recorded === null ? '' : ` As recorded, the runs cost ${amountText(metric, recorded)}.`;
  return `${worth}, nobody can tell which combination costs least in all, since these costs are only known to lie between two ends: ${named.join('; ')}${rest}.${nothing}`;
}

/** An end of a range, with as many digits as tell it from the other end. */
function endText(metric: Metric, end: number | null, other: number | null): string {
  const text = formatPrice(metric, end);
  return text === formatPrice(metric, other) ? formatExact(metric, end) : text;
}
