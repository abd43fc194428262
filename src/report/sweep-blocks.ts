import { LIMITS, type LimitName, type Metric } from '../model/limits.js';
import type { RepeatRule } from '../policy/policy.js';
import type { Frontier } from '../replay/frontier.js';
import type { SweepAdvice } from '../replay/sweep-advice.js';
import type { SweepAnswer, SweepResult } from '../replay/sweep-result.js';
import { createRows, type SweepRow } from '../replay/sweep-rows.js';
import { sweepWarnings } from '../replay/sweep-warnings.js';
import type { UndecidedValue, ValueReport } from '../replay/value-result.js';
import { adviceText } from './advice-text.js';
import { type Block, heading, paragraph, strong, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import { nameText } from './escape.js';
import { formatAmountShort, formatCount, formatPercent, formatPrice, plural } from './format.js';
import { populationBlocks, successes } from './population.js';
import { describeRepeat } from './rule-words.js';
import { right } from './rules-figures.js';
import { populationText, rateRange, spendTexts } from './sentences.js';
import { capText, countText } from './sweep-words.js';
import type { Table } from './table.js';
import { valueText } from './value-text.js';

/** Caps that were tried, in each limit's own unit, ascending; `null` is none. */
export type Tried = { readonly [limit in LimitName]?: readonly (number | null)[] };

/** A repeat rule of which several counts were tried. */
export interface TriedRepeat {
  readonly rule: RepeatRule;
  /** Ascending; `null` is no such rule. */
  readonly counts: readonly (number | null)[];
}

/** A sweep and what it was made of. */
export interface SweepView {
  readonly result: SweepResult;
  readonly frontier: Frontier;
  readonly tried: Tried;
  readonly repeat: TriedRepeat | null;
  /** Names of the rules that stop runs under every policy. */
  readonly rules: readonly string[];
  /** Caps that every policy has, in their own units. */
  readonly fixed: { readonly [limit in LimitName]?: number };
  /** What costs least in all, where it was said what a good run is worth. */
  readonly value: ValueReport | UndecidedValue | null;
  /** What a reader may do; `null` where nothing can be told. */
  readonly advice: SweepAdvice | null;
}

/** Rows that a reader looks through; a file is for who needs more. */
const SHOWN = 20;

/** The frontier of a sweep, as `sweep` prints it. */
export function sweepBlocks(view: SweepView): Block[] {
  const { result, frontier, tried, value } = view;
  const { population, runs, verified } = result;
  const limits = LIMITS.filter((limit) => tried[limit] !== undefined);
  return [
    heading('Caps that no other combination beats'),
    ...populationBlocks(population),
    paragraph(populationText(runs, verified, population, 0)),
    paragraph(triedText(view, limits)),
    ...fixedBlocks(view),
    ...openBlocks(view),
    ...(value === null ? adviceBlocks(view) : [strong(valueText(value, result))]),
    ...tableBlocks(frontierTable(view, limits)),
    ...warningBlocks(sweepWarnings(result, frontier, limits)),
  ];
}

function triedText({ result, tried, repeat }: SweepView, limits: readonly LimitName[]): string {
  const lists = limits.map((limit) => listText(limit, tried[limit] ?? [], (cap) => capText(limit, cap)));
  const counts = repeat === null ? [] : [listText('repeat', repeat.counts, countText)];
  const what = repeat === null ? 'of caps' : 'of caps and a repeat rule';
  return `${plural(result.length, 'combination')} ${what} tried: ${[...lists, ...counts].join('; ')}.`;
}

function listText(name: string, values: readonly (number | null)[], text: (value: number | null) => string): string {
  const words = values.map(text);
  const shown = words.length > 12 ? [...words.slice(0, 5), '…', ...words.slice(-3)] : words;
  return `${name} ${shown.join(', ')}`;
}

function fixedBlocks({ rules, fixed }: SweepView): Block[] {
  const caps = LIMITS.filter((limit) => fixed[limit] !== undefined).map(
    (limit) => `${limit} ${capText(limit, fixed[limit] ?? null)}`,
  );
  const parts = [...caps, ...rules.map((rule) => nameText(rule))];
  return parts.length === 0 ? [] : [paragraph(`Kept in all of them: ${parts.join('; ')}.`)];
}

/** Says first what the record cannot tell, and why. */
function openBlocks({ result, frontier }: SweepView): Block[] {
  const { points, metric, isExact } = frontier;
  if (isExact || points.length === 0) return [];
  const answers = points.map(({ policy }) => result.at(policy));
  const isTold = answers.some(({ bounds, spend }) => {
    const least = bounds === null ? spend[metric]?.reduction : bounds.spend[metric]?.reduction[0];
    return (least ?? 0) > 0;
  });
  const start = isTold
    ? `How many good runs these caps stop, and what they save, is only known to lie between two ends`
    : `What these caps would save cannot be told`;
  const end = isTold ? '' : ' Any saving below is the most that it can be.';
  return [strong(`${start}: ${openReasons(answers).join('; ')}.${end}`)];
}

function openReasons(answers: readonly SweepAnswer[]): string[] {
  const censored = Math.max(0, ...answers.map((answer) => answer.censored));
  const unjudged = Math.max(0, ...answers.map(({ bounds }) => bounds?.unjudged?.runs ?? 0));
  return [
    ...(answers.some(({ approximate }) => approximate)
      ? [
          'some runs are recorded only in total or in part, so the record does not say where a cap would have stopped them',
        ]
      : []),
    ...(unjudged === 0
      ? []
      : [`up to ${plural(unjudged, 'run')} lack${unjudged === 1 ? 's' : ''} a figure that a cap counts`]),
    ...(censored === 0
      ? []
      : [
          `up to ${plural(censored, 'run')} ${censored === 1 ? 'was' : 'were'} stopped while recording and would go on, nobody knows how far`,
        ]),
  ];
}

function adviceBlocks({ advice, result, frontier }: SweepView): Block[] {
  const text = adviceText(advice, result, frontier);
  return text === '' ? [] : [strong(text)];
}

/** More columns of caps and counts than this leave no room for how many runs are stopped. */
const MOST_WITH_STOPS = 4;

function frontierTable(view: SweepView, limits: readonly LimitName[]): Table {
  const { result, frontier, repeat } = view;
  const { metric, points } = frontier;
  const row = createRows(result, frontier);
  const chosen = [...limits, ...(repeat === null ? [] : ['repeat'])];
  const hasStops = chosen.length <= MOST_WITH_STOPS;
  const figures = ['false stops', 'rate', '95 % up to', ...(hasStops ? ['stops'] : []), SPENT[metric], 'saved'];
  return {
    title: null,
    columns: [...chosen, ...figures, ...(isPriced(view) ? [PRICE] : [])].map(right),
    rows: points.slice(0, SHOWN).map(({ policy }) => {
      const each = row(policy);
      return [
        ...limits.map((limit) => capText(limit, each.caps[limit] ?? null)),
        ...(repeat === null ? [] : [countText(each.repeat ?? null)]),
        ...figureCells(each, metric, hasStops),
        ...(isPriced(view) ? [priceText(each, metric)] : []),
      ];
    }),
    notes: notesOf(view),
  };
}

/** What stands above what a row saves for each good run that it stops more than the row above. */
const PRICE = 'saves per good run';

/** Whether any row is set against the one above it. */
function isPriced({ frontier }: SweepView): boolean {
  return frontier.isExact && frontier.points.length > 1;
}

function priceText(row: SweepRow, metric: Metric): string {
  const next = row.next_good_run ?? null;
  return next === null ? '-' : formatPrice(metric, next.costs);
}

const SPENT: Readonly<Record<Metric, string>> = {
  passes: 'passes spent',
  tokens: 'tokens spent',
  seconds: 'time spent',
  usd: 'usd spent',
};

function figureCells(row: SweepRow, metric: Metric, hasStops: boolean): string[] {
  const spend = row.spend[metric];
  const [least, most] = row.bounds?.false_stops ?? [row.false_stops, row.false_stops];
  return [
    least === most || most === null ? formatCount(row.false_stops) : `${formatCount(least)} to ${formatCount(most)}`,
    rateRange(row) ?? formatPercent(row.rate),
    formatPercent(row.ci95?.[1] ?? null),
    ...(hasStops ? [formatCount(row.stops)] : []),
    spend === null ? formatAmountShort(metric, null) : spendTexts(metric, spend, row.bounds?.spend[metric]).replayed,
    savedText(row, metric),
  ];
}

/** A saving that the recording does not pin down is a range, or known from above only. */
function savedText({ spend, bounds }: SweepRow, metric: Metric): string {
  const saved = formatPercent(spend[metric]?.reduction ?? null);
  const [least, most] = bounds?.spend[metric]?.reduction ?? [null, null];
  if (most === null || (least !== null && most <= least)) return saved;
  return least === null ? `at most ${formatPercent(most)}` : `${formatPercent(least)} to ${formatPercent(most)}`;
}

function notesOf(view: SweepView): string[] {
  const { result, frontier, repeat } = view;
  const { population } = result;
  const { points, metric, isExact } = frontier;
  const more = points.length - SHOWN;
  return [
    ...(repeat === null ? [] : [`repeat n: stops at ${describeRepeat(repeat.rule, 'n')}`]),
    `false stops: ${successes(population)} cut off; 95 % up to: how high their rate may be on other runs like these (exact 95 % interval)`,
    isExact
      ? `left out: combinations that cut off as many ${successes(population)} as one shown, or more, without saving ${WEIGHED[metric]}; of several with the same figures the ${repeat === null ? 'one with the loosest caps' : 'loosest'} is shown`
      : 'shown: what is best if everything that the record leaves open turns out badly, and what is best if it turns out well',
    ...(isPriced(view)
      ? [
          `${PRICE}: what a row spends less than the row above, for each of the ${successes(population)} that it cuts off besides; if one is worth more to you than this, take the row above`,
        ]
      : []),
    ...(more > 0 ? [`${plural(more, 'more point')} with more false stops: --csv and --json have them`] : []),
  ];
}

const WEIGHED: Readonly<Record<Metric, string>> = {
  passes: 'passes',
  tokens: 'tokens',
  seconds: 'seconds',
  usd: 'dollars',
};
