import * as Plot from '@observablehq/plot';
import type { Metric } from '../model/limits.js';
import { formatAmount, formatCount, formatLimit, formatOf } from '../report/format.js';
import type { PageData } from '../report/page-data.js';
import { type Chart, COLORS, createChart, createMark, legendOf, SHEET } from './drawing.js';
import { element } from './elements.js';
import { type Axis, countAbove, type Sizes } from './sizes.js';
import type { State } from './state.js';

/** How large runs are, metric by metric; only the caps move. */
export interface SizeCharts {
  readonly root: HTMLElement;
  readonly charts: readonly Chart[];
  show(state: State): void;
}

export function createSizeCharts(all: readonly Sizes[], { percentile }: PageData): SizeCharts {
  const each = all.map((sizes) => chartsOf(sizes, percentile, SHEET / Math.max(3, all.length) - GAP));
  return {
    root: element(
      'div',
      {},
      legendOf([
        ['successes', COLORS.good],
        ['all other runs, behind', COLORS.bad],
      ]),
      element('div', { class: 'charts' }, ...each.map(({ root }) => root)),
    ),
    charts: each.flatMap(({ charts }) => charts),
    show({ caps }) {
      for (const { metric, show } of each) show(caps[metric]);
    },
  };
}

const GAP = 12;
/** Successes stand before the others, and narrower, so that both can be seen whichever are more. */
const NARROWER = 0.2;

interface MetricCharts {
  readonly metric: Metric;
  readonly root: HTMLElement;
  readonly charts: readonly Chart[];
  show(cap: number | null): void;
}

function chartsOf(sizes: Sizes, percentile: PageData['percentile'], printed: number): MetricCharts {
  const { metric, good, bad, axis, bins, steps } = sizes;
  const p = percentile?.values[metric] ?? null;
  const marks = [createMark('cap', 0), createMark('cap', 0)] as const;
  const percentiles = [createMark('percentile', 1), createMark('percentile', 1)] as const;
  const told = element('p', { class: 'told' });
  let cap: number | null = null;
  const x: Plot.ScaleOptions = {
    ...{
      type: axis.type,
      domain: axis.domain as [number, number],
      label: axis.type === 'log' ? `${metric}, logarithmic` : metric,
    },
    ...(axis.type === 'log' ? { ticks: powersIn(axis) } : {}),
    tickFormat: '~s',
  };
  const histogram = createChart({
    title: `Runs by ${metric}`,
    printed,
    describe: () =>
      `Histogram of ${metric}: ${formatCount(good.length)} successes${endsText(metric, good)}; ${formatCount(bad.length)} other runs${endsText(metric, bad)}. ${capText()}`,
    options: (width) => {
      const inset = (NARROWER * (width - 60)) / Math.max(1, bins.length) / 2;
      return {
        ...{ height: Math.min(190, 0.7 * width), marginTop: 34, x, y: { label: null, grid: true, ticks: 4 } },
        marks: [
          Plot.rectY(bins, { x1: 'from', x2: 'to', y: 'bad', fill: COLORS.bad, inset: 0.5 }),
          Plot.rectY(bins, {
            x1: 'from',
            x2: 'to',
            y: 'good',
            fill: COLORS.good,
            insetLeft: inset + 0.5,
            insetRight: inset + 0.5,
          }),
          Plot.ruleY([0]),
        ],
      };
    },
    finish: (drawn) => {
      percentiles[0].into(drawn);
      marks[0].into(drawn);
    },
  });
  const cumulative = createChart(
    {
      title: `Share of successes by ${metric}`,
      printed,
      describe: () => `Share of the successes that used up to so many ${metric}. ${capText()}`,
      options: (width) => ({
        ...{
          height: Math.min(150, 0.55 * width),
          marginTop: 14,
          x,
          y: { label: null, grid: true, domain: [0, 100], ticks: 4, tickFormat: (share: number) => `${share} %` },
        },
        marks: [
          Plot.line(steps, { x: 'size', y: 'share', stroke: COLORS.good, strokeWidth: 2, curve: 'step-after' }),
          Plot.ruleY([0]),
        ],
      }),
      finish: (drawn) => {
        percentiles[1].into(drawn);
        marks[1].into(drawn);
      },
    },
    told,
  );
  const capText = (): string =>
    cap === null
      ? 'No cap.'
      : `Cap ${formatLimit(metric, cap)}: ${formatOf(countAbove(good, cap), good.length)} successes and ${formatOf(countAbove(bad, cap), bad.length)} other runs used more.`;
  percentiles[1].move(p, '');
  return {
    metric,
    root: element('div', {}, histogram.root, cumulative.root),
    charts: [histogram, cumulative],
    show(next) {
      cap = next;
      const isAbove = p === null || cap === null || cap >= p;
      percentiles[0].move(
        p,
        p === null ? '' : `${percentile?.name} ${formatAmount(metric, p)}`,
        isAbove ? 'left' : 'right',
      );
      marks[0].move(cap, cap === null ? '' : `cap ${shortly(metric, cap)}`, isAbove ? 'right' : 'left');
      marks[1].move(cap, '');
      told.textContent = capText();
    },
  };
}

/** Powers of ten, with twice and five times as much where there are few. */
function powersIn({ domain: [least, most] }: Axis): number[] {
  const first = Math.floor(Math.log10(least));
  const powers = Array.from({ length: Math.ceil(Math.log10(most)) - first + 1 }, (_, at) => 10 ** (first + at));
  const within = (all: readonly number[]): number[] => all.filter((tick) => tick >= least && tick <= most);
  const few = within(powers);
  return few.length > 2 ? few : within(powers.flatMap((power) => [power, 2 * power, 5 * power]));
}

function endsText(metric: Metric, sorted: Float64Array): string {
  const [least, most] = [sorted[0], sorted.at(-1)];
  return least === undefined || most === undefined
    ? ''
    : `, from ${shortly(metric, least)} to ${formatLimit(metric, most)}`;
}

/** The figure without the metric's name. */
function shortly(metric: Metric, value: number): string {
  return formatLimit(metric, value).replace(/ (?:passe?s?|tokens?)$/, '');
}
