import { ATOMS_PER_UNIT, type Metric } from '../model/limits.js';
import type { Frontier, FrontierPoint } from '../replay/frontier.js';
import type { Allowed, SweepAdvice } from '../replay/sweep-advice.js';
import type { SweepResult } from '../replay/sweep-result.js';
import { isHardlyWorth } from '../replay/worth.js';
import { formatCount, formatPercent, formatPrice, formatSetting } from './format.js';
import { success, successes } from './population.js';
import { amountText, rangeOfAmounts, settingsText, withNoun } from './sweep-words.js';

/** What a reader may do, in two or three sentences that need no table. */
export function adviceText(advice: SweepAdvice | null, result: SweepResult, frontier: Frontier): string {
  if (advice === null) {
    return result.verified === 0
      ? `No run is a ${success(result.population)}, so nobody can tell what a cap would cost: the strictest looks best here, and that means nothing.`
      : '';
  }
  const { pick, safest, allowed } = advice;
  if (pick === null) return noneText(allowed, safest, result, frontier.isExact);
  const { metric } = frontier;
  return [pickText(pick, allowed, result, metric), furtherText(advice, result, metric)].join('').trim();
}

function noneText(allowed: Allowed, safest: FrontierPoint, result: SweepResult, isExact: boolean): string {
  const hint = isExact ? 'Try looser caps.' : 'Record every pass, under a more generous cap, to be able to tell.';
  const safe = `the safest, ${settingsText(result.at(safest.policy))}, stops ${stopsText(safest, result)}`;
  return `None of the combinations tried is sure to stop no more than ${allowedText(allowed)}: ${safe}. ${hint}`;
}

function pickText(pick: FrontierPoint, allowed: Allowed, result: SweepResult, metric: Metric): string {
  const settings = settingsText(result.at(pick.policy));
  const stops = stopsText(pick, result);
  const start = `The cheapest that stops no more than ${allowedText(allowed)}: ${settings}. It stops ${stops}`;
  const [least, most] = pick.extent.spend;
  const spent = [unitsOf(metric, least), most === null ? null : unitsOf(metric, most)] as const;
  if (most === null || least !== most) {
    return `${start}, and spends ${rangeOfAmounts(metric, spent)}${beforeText(allowed, result, metric, null)}.`;
  }
  return `${start} and spends ${amountText(metric, spent[0])}${beforeText(allowed, result, metric, least)}`;
}

/** What was spent before, and how much less that is; with the end of the sentence where the saving is known. */
function beforeText(allowed: Allowed, result: SweepResult, metric: Metric, spent: bigint | null): string {
  const isToday = allowed.by === 'today' && allowed.spend !== null;
  const before = isToday ? unitsOf(metric, allowed.spend ?? 0n) : (result.recorded[metric]?.spend ?? null);
  if (before === null) return spent === null ? '' : '.';
  const whose = isToday ? ' under that policy' : ' as recorded';
  if (spent === null) return `, against ${amountText(metric, before)}${whose}`;
  const saved = before === 0 ? null : (before - unitsOf(metric, spent)) / before;
  const against = ` instead of ${amountText(metric, before)}${whose}`;
  if (saved === null || saved === 0) return ', as much as before: nothing is saved.';
  if (saved < 0) return `, more than the ${amountText(metric, before)}${whose}: nothing is saved.`;
  return `${against}, ${formatPercent(saved)} less.${isHardlyWorth(saved) ? ' Hardly worth it.' : ''}`;
}

function furtherText({ pick, further }: SweepAdvice, result: SweepResult, metric: Metric): string {
  if (pick === null || further?.next == null) return '';
  const { saves: stops, spend } = further.next;
  const saved = unitsOf(metric, spend);
  const recorded = result.recorded[metric]?.spend ?? 0;
  const share = recorded > 0 ? ` (${formatPercent(saved / recorded)} of what was recorded)` : '';
  const each = stops === 1 ? '' : `, ${withNoun(metric, formatPrice(metric, saved / stops))} for each of them`;
  return ` One step further, ${settingsText(result.at(further.policy))} stops ${formatCount(stops)} more of them and saves ${amountText(metric, saved)} more${share}${each}.`;
}

/**
 * `3 of 310 verified successes`, or from … to … where the record leaves it open: runs that would go on may turn out to be
 * successes, too.
 */
function stopsText({ extent, policy }: FrontierPoint, result: SweepResult): string {
  const { verified, population } = result;
  const [least, most] = extent.falseStops;
  const whole = result.at(policy).bounds?.censored?.all_succeed.verified ?? verified;
  const of = most > verified ? `of up to ${formatCount(whole)}` : `of ${formatCount(verified)}`;
  const count = least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;
  return `${count} ${of} ${successes(population)}`;
}

function allowedText({ by, stops, rate }: Allowed): string {
  return by === 'today' ? `today's policy does (${formatCount(stops)})` : `${formatSetting(rate)} of the good runs`;
}

function unitsOf(metric: Metric, atoms: bigint): number {
  return Number(atoms) / ATOMS_PER_UNIT[metric];
}
