import type { Metric } from '../model/limits.js';
import type { ReplayReport } from '../replay/result.js';
import { nameText } from '../report/escape.js';
import { formatAmount, formatCount, formatPercent, UNKNOWN } from '../report/format.js';
import { falseStopInterval, rateRange, savedText, spendTexts } from '../report/sentences.js';
import { element, tableOf } from './elements.js';
import { stopsIn } from './figures.js';
import { doubtsOf, lostCounts } from './verdict.js';

/** The figures of a policy beside today's. */
export interface Results {
  readonly root: HTMLElement;
  /** @param policy what is tried, in words */
  show(now: ReplayReport, policy: string): void;
}

/** @param beside what stands below the stops by reason */
export function createResults(today: ReplayReport, metrics: readonly Metric[], beside: HTMLElement): Results {
  const figures = element('div');
  const reasons = element('div');
  // On the screen the controls say it.
  const tried = element('p', { class: 'onpaper' });
  return {
    root: element('div', { id: 'results' }, element('div', {}, tried, figures), element('div', {}, reasons, beside)),
    show(now, policy) {
      tried.textContent = `This policy: ${policy}.`;
      figures.replaceChildren(comparisonOf(now, today, metrics), ...doubtsOf(now, 'onpaper'));
      reasons.replaceChildren(reasonsOf(now, today));
    },
  };
}

type Row = readonly [name: string, text: (replay: ReplayReport) => string];

function comparisonOf(now: ReplayReport, today: ReplayReport, metrics: readonly Metric[]): HTMLElement {
  const interval = (replay: ReplayReport): string => {
    const ci95 = falseStopInterval(replay);
    return ci95 === null ? UNKNOWN : `${formatPercent(ci95[0])} to ${formatPercent(ci95[1])}`;
  };
  const rows: readonly Row[] = [
    ['good runs stopped', lostCounts],
    ['rate', (replay) => rateRange(replay) ?? formatPercent(replay.false_stops.rate)],
    ['rate, 95 % interval', interval],
    [stoppedName(now, today), (replay) => formatCount(stopsIn(replay))],
    ...metrics.flatMap((metric): Row[] => [
      [`${metric} spent`, (replay) => spentText(replay, metric)],
      [`${metric} saved`, ({ spend, bounds }) => savedText(spend[metric], bounds?.spend[metric])],
      [`largest run, ${metric}`, ({ max_bill }) => formatAmount(metric, max_bill[metric])],
    ]),
  ];
  return tableOf(
    'This policy beside today’s',
    ['', 'this policy', 'today'],
    rows.map(([name, text]) => compared(name, text(now), text(today))),
  );
}

/** Where the recording leaves open whether more are. */
function stoppedName(now: ReplayReport, today: ReplayReport): string {
  return now.bounds === null && today.bounds === null ? 'runs stopped' : 'runs stopped, for sure';
}

function spentText({ spend, bounds }: ReplayReport, metric: Metric): string {
  const known = spend[metric];
  return known === null ? UNKNOWN : spendTexts(metric, known, bounds?.spend[metric]).replayed;
}

/** What differs from today stands out. */
function compared(name: string, now: string, today: string): (Node | string)[] {
  return [name, now === today ? now : element('strong', {}, now), today];
}

function reasonsOf(now: ReplayReport, today: ReplayReport): HTMLElement {
  const names = [...new Set([...Object.keys(now.by_reason), ...Object.keys(today.by_reason)])];
  if (names.length === 0) return element('p', {}, 'Nothing stops a run: no cap is set, and no rule.');
  const countIn = (replay: ReplayReport, name: string): string => formatCount(replay.by_reason[name]?.count ?? 0);
  const medianIn = (replay: ReplayReport, name: string): string => {
    const median = replay.by_reason[name]?.median_pass ?? null;
    return median === null ? '-' : formatCount(median);
  };
  return tableOf(
    'Stops by reason',
    ['reason', 'this policy', 'median pass', 'today'],
    names.map((name) => [nameText(name), countIn(now, name), medianIn(now, name), countIn(today, name)]),
  );
}
