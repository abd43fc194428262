import * as Plot from '@observablehq/plot';
import type { Metric } from '../model/limits.js';
import { formatAmountShort, formatCount } from '../report/format.js';
import { type Chart, COLORS, createChart, createDot, SHEET } from './drawing.js';
import { element, tableOf } from './elements.js';
import type { Figures } from './figures.js';
import type { FrontierPoint } from './frontier-points.js';
import { capsText, type State } from './state.js';

/** Spend against good runs stopped, with today's policy and the one that is tried. */
export interface FrontierChart {
  readonly root: HTMLElement;
  readonly charts: readonly Chart[];
  show(figures: Figures): void;
}

type Place = readonly [stopped: number, spent: number];
type Ends = readonly [number, number];

/** @param choose is called with the caps of a point that a reader wants to try */
export function createFrontierChart(
  points: readonly FrontierPoint[],
  metric: Metric,
  today: Figures,
  choose: (caps: State['caps']) => void,
): FrontierChart {
  if (new Set(points.map(({ stopped }) => stopped)).size < 2) return fewPoints(points, metric);
  const spentBy = ({ replay }: Figures): Place => [replay.false_stops.count, replay.spend[metric]?.replayed ?? 0];
  const todays = spentBy(today);
  const places = [todays, ...points.map(({ stopped, spent }): Place => [stopped, spent])];
  const own = { x: endsOf(places.map(([x]) => x)), y: endsOf(places.map(([, y]) => y)) };
  let shown = own;
  let tried = todays;
  const [todayDot, triedDot] = [createDot('today', 'today', -8), createDot('tried', 'this policy', 16)];
  todayDot.move(todays);
  const chart = createChart({
    title: `Good runs stopped against ${metric} spent`,
    printed: SHEET / 2 - 8,
    describe: () =>
      `${points.length} combinations of caps that no other beats, from ${formatCount(points[0]?.stopped ?? 0)} good runs stopped to ${formatCount(points.at(-1)?.stopped ?? 0)}. Today: ${placeText(todays, metric)}. This policy: ${placeText(tried, metric)}.`,
    options: (width) => ({
      ...{ height: Math.min(280, 0.55 * width), marginLeft: 52, marginTop: 28 },
      x: { label: 'good runs stopped', domain: shown.x, grid: true, ticks: wholeIn(shown.x) },
      y: { label: `${metric} spent`, domain: shown.y, tickFormat: '~s', grid: true, ticks: 6 },
      marks: [
        Plot.line(points, { x: 'stopped', y: 'spent', stroke: COLORS.line, curve: 'step-after' }),
        Plot.dot(points, {
          x: 'stopped',
          y: 'spent',
          fill: COLORS.line,
          r: 3,
          title: (point: FrontierPoint) => pointText(point, metric),
        }),
      ],
    }),
    finish: (drawn) => {
      todayDot.into(drawn);
      triedDot.into(drawn);
    },
  });
  const open = element('p', { class: 'note' });
  return {
    root: element('div', {}, chart.root, open, pointsTable(points, metric, choose)),
    charts: [chart],
    show(figures) {
      tried = spentBy(figures);
      open.textContent = today.replay.bounds === null && figures.replay.bounds === null ? '' : OPEN;
      triedDot.move(tried[0] === todays[0] && tried[1] === todays[1] ? null : tried);
      const needed = { x: widened(own.x, tried[0]), y: widened(own.y, tried[1]) };
      const isSame = [0, 1].every((end) => needed.x[end] === shown.x[end] && needed.y[end] === shown.y[end]);
      shown = needed;
      if (!isSame) chart.redraw();
    },
  };
}

const OPEN = 'The recording leaves figures open: points count only stops and savings that are certain.';
const TICKS = 8;

/** Whole numbers between two ends, not too many. */
function wholeIn([least, most]: Ends): number[] {
  const step = Math.max(1, Math.ceil((most - least) / TICKS));
  const first = Math.ceil(least / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((most - first) / step) + 1) }, (_, at) => first + at * step);
}

/** Points that all stop as many good runs make no curve. */
function fewPoints(points: readonly FrontierPoint[], metric: Metric): FrontierChart {
  const only = points.at(-1);
  const said =
    only === undefined
      ? 'There is nothing to weigh: no combination of caps can be held against what these runs tell.'
      : `There is nothing to weigh: no combination of the usual caps saves more by stopping more good runs. The recording knows of none better than ${pointText(only, metric)}.`;
  return { root: element('p', {}, said), charts: [], show: () => undefined };
}

function endsOf(values: readonly number[]): Ends {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least) * 0.04 || Math.max(1, most) * 0.1;
  return [Math.max(0, least - room), most + room];
}

function widened([least, most]: Ends, value: number): Ends {
  if (value >= least && value <= most) return [least, most];
  return endsOf([least, most, value]);
}

function placeText([stopped, spent]: Place, metric: Metric): string {
  return `${formatCount(stopped)} good runs stopped, ${formatAmountShort(metric, spent)}${metric === 'tokens' || metric === 'passes' ? ` ${metric}` : ''} spent`;
}

function pointText({ stopped, spent, caps }: FrontierPoint, metric: Metric): string {
  return `${capsText(caps)}: ${placeText([stopped, spent], metric)}`;
}

function pointsTable(
  points: readonly FrontierPoint[],
  metric: Metric,
  choose: (caps: State['caps']) => void,
): HTMLElement {
  const rows = points.map(({ stopped, spent, caps }) => {
    const button = element('button', { type: 'button', 'aria-label': `Try ${capsText(caps)}` }, 'try');
    button.addEventListener('click', () => choose(caps));
    return [formatCount(stopped), formatAmountShort(metric, spent), capsText(caps), button];
  });
  return element(
    'details',
    {},
    element('summary', {}, 'The points as a table, to be tried'),
    tableOf(
      'Combinations of caps that no other beats',
      ['good runs stopped', `${metric} spent`, 'caps', ''],
      rows,
      [2, 3],
    ),
  );
}
