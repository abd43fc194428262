import * as Plot from '@observablehq/plot';
import type { Metric } from '../model/limits.js';
import { formatAmountShort, formatCount } from '../report/format.js';
import { reductionText } from '../report/sentences.js';
import { type Chart, COLORS, createChart, SHEET, swatchOf } from './drawing.js';
import { element, tableOf } from './elements.js';
import { FATE_COLORS, FATES, FATES_EXPLAINED } from './fates.js';
import type { Figures } from './figures.js';

/** A part of the page with one chart that is drawn anew for other figures. */
export interface LivePart {
  readonly root: HTMLElement;
  readonly charts: readonly Chart[];
  show(figures: Figures): void;
}

const OPEN = 'Where the recording cannot tell, the bars show no stop and nothing saved.';
const BEFORE = 'recorded';
const AFTER = 'this policy';

/** Where the spend goes, by what runs were worth, before and after. */
export function createSpendChart(metric: Metric): LivePart {
  let spend: Figures['spend'] = [];
  const chart = createChart({
    title: `Where the ${metric} go`,
    printed: SHEET * 0.55,
    describe: () =>
      `${metric} by what runs were worth, recorded and under this policy: ${spend.map(({ fate, recorded, replayed }) => `${fate} ${formatAmountShort(metric, recorded)} and ${formatAmountShort(metric, replayed)}`).join('; ')}.`,
    options: () => {
      const bars = spend.flatMap(({ fate, recorded, replayed }) => [
        { fate, when: BEFORE, spent: recorded },
        { fate, when: AFTER, spent: replayed },
      ]);
      return {
        ...{ height: 120, marginLeft: 78, x: { label: metric, tickFormat: '~s', grid: true, ticks: 5 } },
        y: { label: null, domain: [BEFORE, AFTER], padding: 0.25 },
        color: { domain: FATES, range: FATES.map((fate) => FATE_COLORS[fate]) },
        marks: [
          Plot.barX(bars, { x: 'spent', y: 'when', fill: 'fate', stroke: COLORS.paper, strokeWidth: 0.5 }),
          Plot.ruleX([0]),
        ],
      };
    },
  });
  const place = element('div');
  const open = element('p', { class: 'note' });
  return {
    root: element(
      'div',
      {},
      element('div', { class: 'beside' }, chart.root, place),
      element('p', { class: 'note' }, FATES_EXPLAINED),
      open,
    ),
    charts: [chart],
    show(figures) {
      spend = figures.spend;
      chart.redraw();
      place.replaceChildren(spendTable(spend, metric));
      const range = figures.replay.bounds?.spend[metric];
      const known = figures.replay.spend[metric];
      const isOpen = range !== undefined && known !== null;
      open.textContent = isOpen ? `${OPEN} In all: ${reductionText(metric, known, figures.replay.runs, range)}` : '';
    },
  };
}

function spendTable(spend: Figures['spend'], metric: Metric): HTMLElement {
  return tableOf(
    `The same ${metric} in figures`,
    ['runs that are', 'runs', 'recorded', 'this policy'],
    spend.map(({ fate, runs, recorded, replayed }) => [
      element('span', {}, swatchOf(FATE_COLORS[fate]), fate),
      formatCount(runs),
      formatAmountShort(metric, recorded),
      formatAmountShort(metric, replayed),
    ]),
  );
}
