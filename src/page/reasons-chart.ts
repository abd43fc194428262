import * as Plot from '@observablehq/plot';
import { NO_LABEL } from '../replay/tally.js';
import { nameText } from '../report/escape.js';
import { formatCount } from '../report/format.js';
import { textWidth } from '../report/width.js';
import { COLORS, createChart, SHEET, swatchOf } from './drawing.js';
import { element } from './elements.js';
import { ALL, type Figures } from './figures.js';
import type { HeldRun } from './replayer.js';
import type { LivePart } from './spend-chart.js';

/** So many values have a colour of their own; all others share one. */
const OWN_COLORS = 7;
const REST = 'all others';
/** Share of the width that names of reasons may take, and the width of a letter. */
const WIDEST_NAMES = 0.35;
const LETTER = 7.2;

const NO_STOP = 'No run is known to be stopped under this policy, so there is no reason to show.';

const OPEN = 'Whether some are, the recording leaves open.';

/** Why runs are stopped, split by a label; values keep their colours whatever is set. */
export function createReasonsChart(runs: readonly HeldRun[], label: string | null): LivePart {
  const colorOf = colorsOf(runs, label);
  const legend = element('ul', { class: 'legend' });
  let figures: Figures | null = null;
  const barsOf = ({ replay, stops }: Figures) =>
    Object.keys(replay.by_reason).flatMap((reason) =>
      [...(stops.get(reason) ?? [])].map(([value, count]) => ({ reason, value, count })),
    );
  const totalsOf = ({ replay }: Figures) =>
    Object.entries(replay.by_reason).map(([reason, { count }]) => ({ reason, count }));
  const chart = createChart(
    {
      title: label === null ? 'Stops by reason' : `Stops by reason and ${nameText(label)}`,
      printed: SHEET / 2 - 8,
      describe: () =>
        figures === null
          ? ''
          : `Runs stopped: ${totalsOf(figures)
              .map(({ reason, count }) => `${formatCount(count)} by ${nameText(reason)}`)
              .join(', ')}.`,
      options: (width) => {
        const totals = figures === null ? [] : totalsOf(figures);
        const bars = figures === null ? [] : barsOf(figures);
        const longest = Math.max(0, ...totals.map(({ reason }) => textWidth(nameText(reason))));
        const room = Math.min(longest, Math.floor((WIDEST_NAMES * width) / LETTER));
        return {
          ...{ height: 56 + 30 * Math.max(1, totals.length), marginLeft: 16 + LETTER * room, marginRight: 44 },
          x: { label: 'runs', grid: true, ticks: 5 },
          y: {
            label: null,
            domain: totals.map(({ reason }) => reason),
            padding: 0.25,
            tickFormat: (reason: string) => nameText(reason, room),
          },
          marks: [
            Plot.barX(bars, {
              x: 'count',
              y: 'reason',
              fill: ({ value }: { value: string }) => colorOf(value),
              stroke: COLORS.paper,
              strokeWidth: 0.5,
              sort: null,
            }),
            Plot.text(totals, {
              x: 'count',
              y: 'reason',
              text: ({ count }: { count: number }) => formatCount(count),
              textAnchor: 'start',
              dx: 6,
            }),
            Plot.ruleX([0]),
          ],
        };
      },
    },
    legend,
  );
  const none = element('p', {}, NO_STOP);
  return {
    root: element('div', {}, none, chart.root),
    charts: [chart],
    show(next) {
      figures = next;
      const wasHidden = chart.root.hidden;
      chart.root.hidden = next.stops.size === 0;
      none.hidden = !chart.root.hidden;
      none.textContent = next.replay.bounds === null ? NO_STOP : `${NO_STOP} ${OPEN}`;
      if (!chart.root.hidden) {
        chart.redraw();
        if (wasHidden) chart.fit();
      }
      legend.replaceChildren(...(label === null ? [] : entriesOf(barsOf(next), colorOf)));
    },
  };
}

/** The values that are stopped, most often first, under their colours. */
function entriesOf(
  bars: readonly { value: string; count: number }[],
  colorOf: (value: string) => string,
): HTMLElement[] {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { value, count } of bars) {
    const color = colorOf(value);
    const known = counts.get(color) ?? { name: color === OTHER ? REST : nameText(value), count: 0 };
    counts.set(color, { ...known, count: known.count + count });
  }
  return [...counts]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([color, { name, count }]) => element('li', {}, swatchOf(color), `${name} (${formatCount(count)})`));
}

const OTHER = 'var(--other)';

/** A colour for each of the most frequent values of a label among all runs. */
function colorsOf(runs: readonly HeldRun[], label: string | null): (value: string) => string {
  const counts = new Map<string, number>();
  for (const { counted } of runs) {
    const value = label === null ? ALL : (counted.labels.get(label) ?? NO_LABEL);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const frequent = [...counts].sort(([, one], [, other]) => other - one).slice(0, OWN_COLORS);
  const colors = new Map(frequent.map(([value], at) => [value, `var(--series-${at + 1})`]));
  return (value) => colors.get(value) ?? OTHER;
}
