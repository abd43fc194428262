import { METRICS, type Metric } from '../model/limits.js';
import type { Calibration } from '../replay/calibrate.js';
import type { ReplayReport } from '../replay/result.js';
import { buildCard } from './card.js';
import { formatAmount, formatCount, formatPercent } from './format.js';
import { success, successes } from './population.js';
import {
  blindText,
  falseStopCounts,
  falseStopInterval,
  rateRange,
  reductionText,
  savedText,
  upToSuccesses,
} from './sentences.js';
import { withNoun } from './sweep-words.js';

/** One of the figures that a reader must see first. */
export interface Tile {
  readonly term: string;
  /** In large letters, a line each. */
  readonly figures: readonly string[];
  readonly notes: readonly string[];
}

/** The caps, what they cost, what they save, and how sure that is. */
export function pageTiles(calibration: Calibration): Tile[] {
  const { whole } = calibration;
  return [capsTile(calibration), lostTile(whole), savedTile(whole), sureTile(calibration)];
}

function capsTile({ policy, whole, report }: Calibration): Tile {
  const limits = buildCard(policy, { derive: report.derive, replay: whole }).limits.map(({ text }) => text);
  return {
    term: 'Stop a run at',
    figures: limits.length === 0 ? ['nothing'] : limits,
    notes: [`Most that one run came to: ${billText(whole)}.`],
  };
}

function billText({ max_bill }: ReplayReport): string {
  const known = METRICS.filter((metric) => max_bill[metric] !== null);
  return known.length === 0
    ? 'unknown'
    : known.map((metric) => withNoun(metric, formatAmount(metric, max_bill[metric]))).join(', ');
}

function lostTile(replay: ReplayReport): Tile {
  const { count, rate } = replay.false_stops;
  const range = rateRange(replay);
  const ci95 = falseStopInterval(replay);
  const blind = blindText(replay).trim();
  return {
    term: 'Good runs stopped',
    figures: [range ?? formatPercent(rate)],
    notes: [
      `${falseStopCounts(replay)} of ${upToSuccesses(replay) ?? `${formatCount(replay.verified)} ${successes(replay.population)}`}`,
      ci95 === null
        ? `No interval: there is no ${success(replay.population)}.`
        : `95 % interval: ${formatPercent(ci95[0])} to ${formatPercent(ci95[1])}`,
      ...(range === null ? [] : [`${formatCount(count)} for sure; the recording leaves the rest open`]),
      ...(blind === '' ? [] : [blind]),
    ],
  };
}

function savedTile(replay: ReplayReport): Tile {
  const metric = (['tokens', 'usd', 'seconds', 'passes'] as const).find((each) => replay.spend[each] !== null);
  const spend = metric === undefined ? null : replay.spend[metric];
  if (metric === undefined || spend === null)
    return { term: 'Spend saved', figures: ['unknown'], notes: ['No run tells what it spent.'] };
  const share = replay.unverified_spend_share;
  return {
    term: `${SPENT[metric]} saved`,
    figures: [savedText(spend, replay.bounds?.spend[metric])],
    notes: [
      reductionText(metric, spend, replay.runs, replay.bounds?.spend[metric] ?? null),
      ...(share === null
        ? []
        : [`${formatPercent(share)} of the recorded tokens went to runs that were not verified.`]),
    ],
  };
}

const SPENT: Readonly<Record<Metric, string>> = { tokens: 'Tokens', usd: 'Dollars', seconds: 'Time', passes: 'Passes' };

const SURE = 'How sure: of new runs';

/** The bound of the caps on runs that they were not taken from; where it does not cover the whole policy, the policy's own. */
function sureTile({ report, caps, whole }: Calibration): Tile {
  const { rate, ci95, not_judged } = report.cross_validated;
  const own = falseStopInterval(whole)?.[1] ?? null;
  const isWider = rateRange(whole) !== null || whole.false_stops.count > caps.false_stops.count;
  if (rate !== null && ci95 !== null && !(isWider && own !== null)) {
    return {
      term: SURE,
      figures: [`up to ${formatPercent(ci95[1])}`],
      notes: [
        `of the good runs may be cut by the caps: about ${formatPercent(rate)} is to be expected, counted on runs that the caps were not taken from.`,
      ],
    };
  }
  const most = own === null ? null : Math.max(own, ci95?.[1] ?? 0);
  return {
    term: SURE,
    figures: [most === null ? 'unknown' : `up to ${formatPercent(most)}`],
    notes: [
      ...(most === null ? [] : [`of the good runs may be cut by the whole policy: ${endText(whole)}.`]),
      ...(rate === null || ci95 === null
        ? []
        : [`By the caps alone, on runs that they were not taken from: up to ${formatPercent(ci95[1])}.`]),
      ...(not_judged === null ? [] : [`Not cross-validated: ${not_judged}.`]),
    ],
  };
}

function endText(whole: ReplayReport): string {
  const open = rateRange(whole) === null ? '' : ', over all that the recording leaves open';
  return `the upper end of the 95 % interval${open}`;
}
